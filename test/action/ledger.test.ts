import type { IExecuteFunctions, INode } from 'n8n-workflow';
import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { Ledger, newEntry } from '../../nodes/TwoWayMessaging/action/sending/ledger';
import { startRun } from '../../nodes/TwoWayMessaging/service/request';
import { DAY_MS } from '../support/times';

/** One run of a node by n8n; another one is Retry On Fail, unless something of this differs. */
type RunOfNode = { execution: string; node: Partial<INode>; runIndex: number };

const RUN: RunOfNode = { execution: '1', node: { id: 'n1', name: 'Send' }, runIndex: 0 };

const CREDENTIAL = { baseUrl: 'https://service.example', apiKey: 'k-1', apiSecret: 's-1' };

let nowMs: number;
let memory: ProcessMemory;
let ledger: Ledger;

const clock: Clock = { nowMs: () => nowMs, sleep: async () => {} };

beforeEach(() => {
	nowMs = 0;
	memory = new ProcessMemory(clock);
	ledger = memory.part(Ledger);
});

const callerOf = (changes: Partial<RunOfNode> = {}) => {
	const { execution, node, runIndex } = { ...RUN, ...changes };
	const getWorkflowDataProxy = jest.fn(() => ({ $runIndex: runIndex }));
	const context = {
		getNode: () => node,
		getExecutionId: () => execution,
		getWorkflowDataProxy,
		isToolExecution: () => false,
		getCredentials: async () => CREDENTIAL,
	};
	return { context: context as unknown as IExecuteFunctions, getWorkflowDataProxy };
};

const entryOf = async (changes: Partial<RunOfNode> = {}, itemIndex = 0) =>
	await ledger.entryOf({ ...(await startRun(callerOf(changes).context, memory)), itemIndex });

describe('the entry of an item', () => {
	test('begins without anything sent, and with a name of its own that a URL may hold', async () => {
		const entry = await entryOf();

		expect(entry).toEqual({
			token: expect.stringMatching(/^[\w-]{12}$/),
			state: 'untried',
			isSentAgain: false,
		});
		expect((await entryOf({}, 1)).token).not.toBe(entry.token);
	});

	test('is the same when Retry On Fail runs the node again, and another one for all else', async () => {
		const runs: Array<[Partial<RunOfNode>, number]> = [
			[{}, 0],
			[{}, 1],
			[{ execution: '2' }, 0],
			[{ node: { id: 'n2', name: 'Send' } }, 0],
			// n8n may give a node no ID.
			[{ node: { id: '', name: 'Send' } }, 0],
			[{ node: { id: '', name: 'Other' } }, 0],
			// A loop reaches the node again.
			[{ runIndex: 1 }, 0],
			[{ runIndex: 1 }, 11],
			[{ runIndex: 11 }, 1],
		];
		const entries = async () =>
			await Promise.all(runs.map(async ([changes, item]) => await entryOf(changes, item)));

		const first = await entries();

		expect(new Set(first).size).toBe(runs.length);
		expect(await entries()).toEqual(first);
	});

	test('is found with one reading of n8n’s index for all items of a run', async () => {
		const { context, getWorkflowDataProxy } = callerOf();
		const run = await startRun(context, memory);
		for (const itemIndex of [0, 1, 2]) await ledger.entryOf({ ...run, itemIndex });
		expect(getWorkflowDataProxy).toHaveBeenCalledTimes(1);
	});
});

describe('an entry', () => {
	test('is found by each of its names, until one of them is forgotten or is given to another', () => {
		const [one, other] = [newEntry(), newEntry()];
		ledger.file('a', one);
		ledger.file('b', one);
		ledger.forget('a');
		expect([ledger.find('a'), ledger.find('b')]).toEqual([undefined, one]);
		ledger.file('b', other);
		expect(ledger.find('b')).toBe(other);
	});

	test('of a message that is sent names its line, which the answer does not (§2.2)', () => {
		const entry = { ...newEntry(), request: { number: '+15551230001', line_handle: 'l1' } };
		ledger.markSent(entry, { message_handle: 'm1' });
		expect(entry).toMatchObject({ message: { line_handle: 'l1', message_handle: 'm1' } });
	});

	test('is forgotten after eight days: a service may ask to wait for days', () => {
		const entry = ledger.file('a', newEntry());
		nowMs = 8 * DAY_MS - 1;
		expect(ledger.find('a')).toBe(entry);
		nowMs += 1;
		expect(ledger.find('a')).toBeUndefined();
	});

	test('is remembered until 50,000 others were sent, also where each has three names, and no longer', () => {
		const send = (name: string) => {
			const entry = ledger.file(name, newEntry());
			ledger.file(`once ${name}`, entry);
			ledger.markSent(entry, { message_handle: name });
			return entry;
		};
		const first = send('first');
		for (let at = 1; at < 50_000; at += 1) send(`${at}`);
		expect([ledger.find('first'), ledger.sentAtMs('first')]).toEqual([first, 0]);
		send('one more');
		expect([ledger.find('first'), ledger.sentAtMs('first')]).toEqual([undefined, undefined]);
	});
});
