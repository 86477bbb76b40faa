import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import type { Fields } from '../../nodes/TwoWayMessaging/message';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { deliver, type Delivery } from '../../nodes/TwoWayMessaging/action/sending/deliver';
import { newEntry } from '../../nodes/TwoWayMessaging/action/sending/ledger';
import { deliverOnce, forgetOnce } from '../../nodes/TwoWayMessaging/action/sending/once';
import type { Run } from '../../nodes/TwoWayMessaging/service/request';
import { ProcessedData, tableHelpers } from '../support/deduplication';
import { DAY_MS, SECOND_MS } from '../support/times';
import { response } from '../service/context';
import { NOW_MS, REFUSED, REQUEST, SendingService } from './sendingService';

/** How long another process may be at a message. */
const OTHERS_END_MS = 40 * SECOND_MS;
const BEN = '+15551230002';

/** n8n's table of processed data: what it was asked, and ways to let it fail. */
class Table {
	private readonly data = new ProcessedData();

	locks = 0;

	/** How many more writes of the list succeed, as if the process were killed then; undefined for all. */
	stopAfter?: number;

	async size(): Promise<number> {
		const context = { workflow: { id: 'w' }, node: { id: 'n' } } as never;
		return await this.data.getProcessedDataCount('node', context, { mode: 'entries' });
	}

	execution({ workflowId = 'w', children = [] as object[] } = {}) {
		const node = { id: 'n', name: 'Node' };
		const context = { workflow: { id: workflowId }, node } as never;
		const write = (scope: string) => {
			if (scope === 'workflow') return void (this.locks += 1);
			if (this.stopAfter === 0) throw new Error('The disk is full');
			if (this.stopAfter !== undefined) this.stopAfter -= 1;
		};
		const given = tableHelpers(this.data, context);
		const helpers: Partial<IExecuteFunctions['helpers']> = {
			...given,
			checkProcessedAndRecord: async (items, scope, options) => {
				write(scope);
				return await given.checkProcessedAndRecord(items, scope, options);
			},
			removeProcessed: async (items, scope, options) => {
				write(scope);
				await given.removeProcessed(items, scope, options);
			},
		};
		const getWorkflow = () => ({ id: workflowId });
		const more = { getWorkflow, getNode: () => node, getChildNodes: () => children, helpers };
		return more as object as Partial<IExecuteFunctions>;
	}
}

let service: SendingService;
let table: Table;
/** What a refusal has said besides its message. */
let explanation: string;

const accept = () =>
	response(201, { message_handle: `sent ${service.sends.length}`, to: REQUEST.number });
const refuse = () => REFUSED;

beforeEach(() => {
	service = new SendingService();
	service.answer = accept;
	table = new Table();
});

const newProcess = () => new ProcessMemory(service.clock);

/** A run of the node, in a process of its own unless a memory is given. */
const startRun = async (memory = newProcess(), setUp: Parameters<Table['execution']>[0] = {}) =>
	await service.startRun(memory, table.execution(setUp));

/** Sends a message for some words: `sent`, `sentBefore`, `refused`, or the message of what was thrown. */
async function send(
	run: Run,
	{ words = 'order 1', request = REQUEST, entry = newEntry() } = {},
): Promise<string> {
	const delivery = { request, entry, sendsAgain: false };
	const sendIt = async (one: Delivery) => await deliver(run, one);
	const result = await deliverOnce(run, delivery, words, sendIt).catch((thrown: Error) => thrown);
	if (result instanceof NodeOperationError) explanation = result.description ?? '';
	if (result instanceof Error) return result.message;
	return typeof result === 'object' ? 'refused' : (result ?? 'sent');
}

/** Lets a process be killed while its request is on its way; the service may have accepted the message. */
async function leaveOpen(request = REQUEST, run?: Run): Promise<void> {
	await new Promise<void>((onItsWay) => {
		service.answer = async () => {
			service.answer = accept;
			onItsWay();
			// Nothing comes after it.
			return await new Promise<never>(() => {});
		};
		void (async () => await send(run ?? (await startRun()), { request }))();
	});
}

const row = (more?: Fields) => service.row('m1', more);

describe('a message that is sent only once', () => {
	test.each([
		['sent', accept, 1, 'sentBefore'],
		['refused', refuse, 0, 'sent'],
	])('and was %s leaves so many names, whenever midnight passes', async (_, end, names, next) => {
		service.answer = () => {
			service.clock.ms += DAY_MS;
			return end();
		};
		await send(await startRun());
		expect(await table.size()).toBe(names);
		service.answer = accept;
		expect(await send(await startRun())).toBe(next);
	});

	test('counts as sent where only its end cannot be written, which the log says', async () => {
		service.answer = () => {
			table.stopAfter = 0;
			return accept();
		};
		const memory = newProcess();
		expect(await send(await startRun(memory))).toBe('sent');
		expect(service.warnings).toEqual([
			'Node: could not write down how a message ended that is sent only once: The disk is full',
		]);
		expect(await send(await startRun(memory))).toBe('sentBefore');
		table.stopAfter = undefined;
		service.pages = [[row()]];
		expect(await send(await startRun())).toBe('sentBefore');
		expect(service.sends).toHaveLength(1);
	});

	test('and could not be delivered is forgotten once: a second try does not forget what was sent since', async () => {
		const entry = newEntry();
		const run = await startRun();
		await send(run, { entry });
		await forgetOnce(run, entry);
		expect(await send(await startRun())).toBe('sent');
		await forgetOnce(run, entry);
		expect(await send(await startRun())).toBe('sentBefore');
	});
});

test('of two executions of a process at the same moment, the second sends where the first could not', async () => {
	service.answer = () => {
		service.answer = accept;
		return REFUSED;
	};
	const memory = newProcess();
	const all = [0, 1].map(async () => await send(await startRun(memory)));
	expect(await Promise.all(all)).toEqual(['refused', 'sent']);
});

describe('a message that another process has left open', () => {
	beforeEach(async () => await leaveOpen());

	test('is not sent where the history shows it with a date to the minute', async () => {
		service.pages = [[row({ status: 'SENT', date_sent: '2026-01-01T00:00Z' })]];
		service.clock.ms += 50 * SECOND_MS;
		expect(await send(await startRun())).toBe(
			'Whether the message was sent before cannot be found out',
		);
		expect(explanation).toContain('it shows a message that may be this one or an earlier one');
		expect(service.sends).toHaveLength(1);
	});

	test('is found where it still waits and the service lists what has no date behind everything else', async () => {
		const older = ['m2', 'm3', 'm4'].map((handle) =>
			service.row(handle, { content: 'another', date_sent: '2025-12-01T00:00:00Z' }),
		);
		service.pages = [older, [row({ status: 'QUEUED', date_sent: null })]];
		expect(await send(await startRun())).toBe('sentBefore');
		expect(service.sends).toHaveLength(1);
	});

	test('is found days later, under the words that it had', async () => {
		// No answer of the service is read with this secret in it.
		const content = 'our key is k-1';
		await leaveOpen({ ...REQUEST, number: BEN, content });
		service.pages = [[row({ to: BEN, content })]];
		service.clock.ms += 3 * DAY_MS;
		const request = { ...REQUEST, number: BEN, content: 'hello again' };
		expect(await send(await startRun(), { request })).toBe('sentBefore');
		expect(service.sends).toHaveLength(2);
	});

	test.each<[string, string, Fields]>([
		['an earlier message of the same words', 'hello', { date_sent: '2025-12-31T23:59:00Z' }],
		['a later message of other words that the new one has', 'another', { content: 'another' }],
	])('is not taken for %s', async (_, content, more) => {
		service.pages = [[row(more)]];
		expect(await send(await startRun(), { request: { ...REQUEST, content } })).toBe('sent');
	});

	test('is found under its new words when it was sent again with them, and n8n was killed again', async () => {
		await leaveOpen({ ...REQUEST, content: 'hello again' });
		const date = new Date(service.clock.ms).toISOString();
		service.pages = [[row({ content: 'hello again', date_sent: date })]];
		expect(await send(await startRun())).toBe('sentBefore');
	});

	test('is looked for in large pages, and not without end', async () => {
		service.pages = Array.from({ length: 200 }, (_, page) => [
			service.row(`m${page}`, { content: 'another' }),
		]);
		await send(await startRun());
		const queries = service.looks.map(({ query }) => query as Fields);
		const first = queries.findIndex(({ before }, at) => at > 0 && !before);
		expect(first).toBe(100);
		expect(queries[0]).toMatchObject({ limit: 500 });
	});

	test('is sent by one of several processes that have waited for it', async () => {
		const runs = [await startRun(), await startRun(), await startRun()];
		const all = await Promise.all(runs.map(async (run) => await send(run)));
		expect(all.sort()).toEqual(['sent', 'sentBefore', 'sentBefore']);
		expect(service.sends).toHaveLength(2);
	});

	test('is waited for anew when another process has begun it again', async () => {
		const memory = newProcess();
		await leaveOpen(REQUEST, await startRun(memory));
		const againMs = service.clock.ms;
		let sentMs = 0;
		service.answer = () => {
			sentMs = service.clock.ms;
			return accept();
		};
		expect(await send(await startRun())).toBe('sent');
		expect(sentMs - againMs).toBeGreaterThanOrEqual(OTHERS_END_MS);
	});

	test('is waited for no longer when the execution is cancelled', async () => {
		const waiting = send(await startRun());
		while (service.clock.ms < NOW_MS + 10 * SECOND_MS) await service.clock.sleep(0);
		service.cancelling.abort();
		expect(await waiting).toMatch(/was canceled/);
		expect(service.sends).toHaveLength(1);
	});
});

test('a message that another process is sending, and that is refused in its time, needs no look', async () => {
	let arrive = () => {};
	const arrived = new Promise<void>((resolve) => (arrive = resolve));
	service.answer = async () => {
		service.answer = accept;
		await arrived;
		return REFUSED;
	};
	const other = send(await startRun());
	const waiting = send(await startRun());
	while (service.clock.ms < NOW_MS + 20 * SECOND_MS) await service.clock.sleep(0);
	arrive();
	await other;
	expect(await waiting).toBe('sent');
	expect(service.looks).toEqual([]);
	expect(service.clock.ms - NOW_MS).toBeLessThan(OTHERS_END_MS);
});

test('a message whose answer was lost is waited for where another process has begun it again since', async () => {
	const memory = newProcess();
	service.answer = () => response(502, 'no gateway');
	expect(await send(await startRun(memory))).toMatch(/has not confirmed the message/);
	await leaveOpen();
	const sinceMs = service.clock.ms;
	expect(await send(await startRun(memory))).toBe('sent');
	expect(service.clock.ms - sinceMs).toBeGreaterThanOrEqual(OTHERS_END_MS);
});

describe('where n8n is killed while it asks its table', () => {
	const askAndBeKilled = async (writes: number) => {
		table.stopAfter = writes;
		await send(await startRun());
		table.stopAfter = undefined;
	};

	test('a message that was sent is not sent again', async () => {
		await send(await startRun());
		await askAndBeKilled(1);
		service.pages = [[row({ date_sent: new Date(NOW_MS - DAY_MS).toISOString() })]];
		expect(await send(await startRun())).toBe('sentBefore');
		expect(service.sends).toHaveLength(1);
	});

	test('a message that was never sent is sent', async () => {
		await askAndBeKilled(1);
		expect(await send(await startRun())).toBe('sent');
	});

	test.each([1, 2, 3])(
		'a message that is open is not sent again: after %i writes',
		async (writes) => {
			await leaveOpen();
			await askAndBeKilled(writes);
			service.pages = [[row()]];
			expect(await send(await startRun())).toBe('sentBefore');
			expect(service.sends).toHaveLength(1);
		},
	);
});

test('a message is sent once also where another node uses the row of the lock', async () => {
	const behind = (type: string, scope: string) => [
		{ type: `n8n-nodes-base.${type}`, parameters: { options: { scope } } },
		{ type: 'n8n-nodes-base.noOp' },
	];
	const children = behind('removeDuplicates', 'workflow');
	const memory = newProcess();
	const sendAll = async (setUp: Parameters<typeof startRun>[1], inProcess?: ProcessMemory) =>
		await Promise.all(
			['order 1', 'order 2', 'order 3'].map(async (words) => {
				const request = { ...REQUEST, content: words };
				return await send(await startRun(inProcess, setUp), { words, request });
			}),
		);

	expect(await sendAll({ children }, memory)).toEqual(Array(3).fill('sent'));
	expect(table.locks).toBe(0);
	expect(await sendAll({})).toEqual(Array(3).fill('sentBefore'));
	for (const unrelated of [behind('removeDuplicates', 'node'), behind('set', 'workflow')]) {
		const { locks } = table;
		await sendAll({ workflowId: JSON.stringify(unrelated), children: unrelated }, memory);
		expect(table.locks).toBe(locks + 2 * 3);
	}
});
