import type { IExecuteFunctions, INode } from 'n8n-workflow';
import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { SendAttempts } from '../../nodes/TwoWayMessaging/resources/message/sendAttempts';
import { startRun } from '../../nodes/TwoWayMessaging/resources/run';

const HOUR_MS = 3_600_000;
const REQUEST = { number: '+15551230001', content: 'hello' };

/** One run of a node by n8n; another one is Retry On Fail, unless something of this differs. */
type RunOfNode = { execution: string; node: Partial<INode>; runIndex: number };

const RUN: RunOfNode = { execution: '1', node: { id: 'n1', name: 'Send' }, runIndex: 0 };

let nowMs: number;
let memory: ProcessMemory;
let attempts: SendAttempts;

const clock: Clock = { nowMs: () => nowMs, sleep: async () => {} };

beforeEach(() => {
	nowMs = 0;
	memory = new ProcessMemory(clock);
	attempts = memory.part(SendAttempts);
});

/** @param call n8n's object of an AI agent's call; absent where the node runs as every node does */
const callerOf = (changes: Partial<RunOfNode> = {}, call?: object) => {
	const { execution, node, runIndex } = { ...RUN, ...changes };
	let reads = 0;
	const caller = {
		getNode: () => node,
		getExecutionId: () => execution,
		getWorkflowDataProxy: () => {
			reads += 1;
			return { $runIndex: runIndex };
		},
		isToolExecution: () => call !== undefined,
		getInputData: () => [{ json: call }],
	};
	return { caller: caller as unknown as IExecuteFunctions, reads: () => reads };
};

const attemptOf = async (changes: Partial<RunOfNode> = {}, itemIndex = 0, call?: object) =>
	await attempts.attemptOf(startRun(callerOf(changes, call).caller, memory), itemIndex);

describe('the attempt of an item', () => {
	test('begins without anything sent, and with a name of its own that a URL may hold', async () => {
		const attempt = await attemptOf();
		const other = await attemptOf({}, 1);

		expect(attempt).toEqual({ token: expect.stringMatching(/^[\w-]{12}$/), sentAgain: false });
		expect(other.token).not.toBe(attempt.token);
	});

	test('is the same when Retry On Fail runs the node again', async () => {
		expect(await attemptOf()).toBe(await attemptOf());
	});

	test.each<[string, Partial<RunOfNode>, number]>([
		['execution', { execution: '2' }, 0],
		['node', { node: { id: 'n2', name: 'Send' } }, 0],
		['run of the node, as a loop reaches it again', { runIndex: 1 }, 0],
		['item', {}, 1],
	])('is another one for another %s', async (_, changes, itemIndex) => {
		expect(await attemptOf(changes, itemIndex)).not.toBe(await attemptOf());
	});

	test('is not mistaken for that of another item in another run', async () => {
		expect(await attemptOf({ runIndex: 1 }, 11)).not.toBe(await attemptOf({ runIndex: 11 }, 1));
	});

	test('is known by the name of its node where n8n gives the node no ID', async () => {
		const node = { id: '', name: 'Send' };
		expect(await attemptOf({ node })).toBe(await attemptOf({ node }));
		expect(await attemptOf({ node })).not.toBe(
			await attemptOf({ node: { id: '', name: 'Other' } }),
		);
	});

	test('is another one in another process', async () => {
		const attempt = await attemptOf();
		attempts = new SendAttempts(clock);
		expect(await attemptOf()).not.toBe(attempt);
	});

	test('is forgotten after eight days: a service may ask to wait for days', async () => {
		const attempt = await attemptOf();
		nowMs = 8 * 24 * HOUR_MS - 1;
		expect(await attemptOf()).toBe(attempt);
		nowMs = 8 * 24 * HOUR_MS;
		expect(await attemptOf()).not.toBe(attempt);
	});

	test('is found with one reading of n8n’s index for all items of a run', async () => {
		const { caller, reads } = callerOf();
		const run = startRun(caller, memory);
		for (const item of [0, 1, 2]) await attempts.attemptOf(run, item);
		expect(reads()).toBe(1);
	});
});

describe('the attempt of a call by an AI agent', () => {
	test('is the same in every try of the call, although n8n counts each as a run', async () => {
		const call = {};
		expect(await attemptOf({ runIndex: 1 }, 0, call)).toBe(await attemptOf({}, 0, call));
	});

	test('is another one for another call, although nothing else differs', async () => {
		expect(await attemptOf({}, 0, {})).not.toBe(await attemptOf({}, 0, {}));
	});
});

describe('a call whose answer was lost', () => {
	test('is found again by what it sent', async () => {
		const attempt = await attemptOf();
		attempts.addLostCall(callerOf().caller, REQUEST, attempt);
		expect(attempts.lostCallLike(callerOf({ runIndex: 1 }).caller, { ...REQUEST })).toBe(attempt);
	});

	test.each<[string, Partial<RunOfNode>, object]>([
		['in another execution', { execution: '2' }, {}],
		['by another node', { node: { id: 'n2', name: 'Send' } }, {}],
		['with other words', {}, { content: 'bye' }],
		['to another number', {}, { number: '+15551230002' }],
	])('is not found %s', async (_, changes, more) => {
		attempts.addLostCall(callerOf().caller, REQUEST, await attemptOf());
		const { caller } = callerOf(changes);
		expect(attempts.lostCallLike(caller, { ...REQUEST, ...more })).toBeUndefined();
	});

	test('is forgotten when it is done, as an agent may say the same thing twice', async () => {
		const { caller } = callerOf();
		attempts.addLostCall(caller, REQUEST, await attemptOf());
		attempts.addLostCall(caller, { ...REQUEST, content: 'bye' }, await attemptOf());
		attempts.forgetLostCall(caller, REQUEST);
		expect(attempts.lostCallLike(caller, REQUEST)).toBeUndefined();
		expect(attempts.lostCallLike(caller, { ...REQUEST, content: 'bye' })).toBeDefined();
	});
});
