import { DataDeduplicationService } from 'n8n-core';
import { PATHS } from '../../../nodes/TwoWayMessaging/contract';
import { systemClock, type Clock } from '../../../nodes/TwoWayMessaging/clock';
import type { Run } from '../../support/executions';
import { ANNA, BEN, CONTINUE, SEND, serviceInEachTest } from '../../support/service';
import { SkippingClock } from '../../support/testClock';
import { turns } from '../../support/turns';
import { RETRY_ON_FAIL, startProcess } from './sendingScene';

/* Send Only Once Per. */

const ONCE = { ...SEND, options: { onlyOnceFor: '={{ $json.order }}' } };
const HELLO = { number: ANNA, content: 'Your order is ready', order: '4711' };
const SENT_BEFORE = {
	to: HELLO.number,
	content: HELLO.content,
	is_outbound: true,
	status: 'SKIPPED',
	error_message: 'A message for “4711” was sent before',
};

const service = serviceInEachTest();
let workflows = 0;
let workflowId: string;

beforeEach(() => void (workflowId = `once-${(workflows += 1)}`));

/** A process whose executions go on where an item fails. */
const start = (clock?: Clock) => {
	const n8n = startProcess(service, { workflowId, clock, parameters: ONCE });
	const send: typeof n8n.send = async (items, more) =>
		await n8n.send(items, { node: CONTINUE, ...more });
	return { ...n8n, send };
};

const systemProcess = () => start(systemClock);

const statusesOf = (...runs: Run[]) =>
	runs.flatMap(({ json }) => json('Node').map(({ status }) => status));

describe('a node sends one message to a number for the same words, whatever execution, Retry, restart or worker comes later', () => {
	const of = (number: string, order = '4711') => ({ ...HELLO, number, order });
	const list = ['1', '2', '3'].map((last) => of(`+1555123000${last}`));

	test.each<[string, string[], ...Array<Array<typeof HELLO>>]>([
		['by a later execution', ['QUEUED', 'SKIPPED'], [HELLO], [HELLO]],
		['by another item of the same list', ['QUEUED', 'SKIPPED'], [HELLO, HELLO]],
		[
			'for the same words in another Unicode form, or with another line end',
			['QUEUED', 'SKIPPED'],
			[{ ...HELLO, order: 'Caf\u00e9\n1' }],
			[{ ...HELLO, order: 'Cafe\u0301\r\n1' }],
		],
		[
			'but to every number of a list, also where one word stands for all of it',
			['QUEUED', 'QUEUED', 'QUEUED', 'SKIPPED'],
			list,
			[of('+1 (555) 123-0002')],
		],
	])('is not sent once more %s', async (_, statuses, ...lists) => {
		const n8n = start();
		const runs: Run[] = [];
		for (const items of lists) runs.push(await n8n.send(items));
		expect(statusesOf(...runs)).toEqual(statuses);
		const sent = statuses.filter((status) => status === 'QUEUED');
		expect(await service.accepted()).toHaveLength(sent.length);
	});

	test('is not sent after n8n was started again, and the item says why', async () => {
		const run = await start().send([HELLO, HELLO]);
		expect(run.data.Node?.[0]?.hints).toMatchObject([{ message: '1 accepted, 1 sent before' }]);
		const again = await start().send([HELLO]);
		expect(again.json('Node')).toEqual([SENT_BEFORE]);
		expect(await service.accepted()).toHaveLength(1);
	});

	test('is sent for something else, by another node, and without the option', async () => {
		const n8n = start();
		await n8n.send([HELLO]);
		await n8n.send([{ ...HELLO, order: '4712' }]);
		await n8n.send([HELLO], { node: { id: 'another', ...CONTINUE } });
		await n8n.send([HELLO], { parameters: { ...SEND, options: { onlyOnceFor: '' } } });
		expect(await service.accepted()).toHaveLength(4);
	});
});

test('a message that Wait For saw failing may be sent later, as the customer has not got it', async () => {
	const waiting = { parameters: { ...ONCE, options: { ...ONCE.options, waitFor: 'sent' } } };
	const n8n = start(service.memory.clock);
	await service.customer(ANNA, { fail_next: 'No signal' });
	const failed = await n8n.send([HELLO], waiting);
	expect(failed.json('Node')[0]?.error_message).toMatch(/could not send the message/);
	const next = await n8n.send([HELLO], waiting);
	const again = await n8n.send([HELLO], waiting);
	expect(statusesOf(next, again)).toEqual(['SENT', 'SKIPPED']);
	expect(await service.accepted()).toHaveLength(2);
});

describe('of two executions at the same moment, one sends', () => {
	test('in one process', async () => {
		const { arrived, goOn } = service.hold(PATHS.sendMessage);
		const n8n = start();
		const running = Promise.all([n8n.send([HELLO]), n8n.send([HELLO])]);
		await arrived;
		await turns();
		goOn();
		expect(statusesOf(...(await running)).sort()).toEqual(['QUEUED', 'SKIPPED']);
		expect(await service.accepted()).toHaveLength(1);
	});

	test('in two processes', async () => {
		const { arrived, goOn } = service.hold(PATHS.sendMessage);
		const first = start().send([HELLO]);
		await arrived;
		const clock = new SkippingClock(Date.now());
		const { sleep } = clock;
		// While the second one waits, the request of the first one ends.
		clock.sleep = async (durationMs) => {
			goOn();
			await first;
			await sleep.call(clock, durationMs);
		};
		const second = start(clock);
		const runs = [await second.send([HELLO]), await first];
		expect(statusesOf(...runs)).toEqual(['SKIPPED', 'QUEUED']);
		expect(second.ranMs()).toBeGreaterThanOrEqual(5_000);
		expect(second.ranMs()).toBeLessThan(15_000);
		expect(await service.accepted()).toHaveLength(1);
	});

	test('and two processes do not undo what the other writes', async () => {
		const lists = [0, 1].map((list) =>
			Array.from({ length: 15 }, (_, at) => ({ ...HELLO, order: `list ${list} order ${at}` })),
		);
		await Promise.all(lists.map(async (items) => await systemProcess().send(items)));
		const again = await start().send(lists.flat());
		expect(again.json('Node').filter(({ status }) => status !== 'SKIPPED')).toEqual([]);
		expect(await service.accepted()).toHaveLength(30);
	}, 30_000);
});

test('a list that stops says that a new execution sends what was not sent', async () => {
	await service.text('STOP', { from: BEN });
	const parameters = { ...SEND, options: { ...ONCE.options, ifOptedOut: 'fail' } };
	const items = [HELLO, { ...HELLO, number: BEN, order: '4712' }];
	const run = await start().send(items, { parameters, node: {} });
	expect(run.nodeError('Node')?.description).toMatch(
		/: 1 accepted, 1 not sent\. A new execution sends only what was not sent before, as Send Only Once Per is set\.$/,
	);
});

describe('a message that the service has certainly not accepted', () => {
	test('may be sent later', async () => {
		const n8n = start();
		await service.text('STOP');
		expect((await n8n.send([HELLO])).json('Node')[0]?.status).toBe('SKIPPED');
		await service.text('START');
		const run = await n8n.send([HELLO]);
		expect(run.json('Node')).toMatchObject([{ status: 'QUEUED' }]);
	});

	test('as the execution was cancelled while it waited for the limit, may be sent later', async () => {
		await service.fault(PATHS.sendMessage, 'refuse-429', 1, { retry_after_seconds: 600 });
		const stop = new AbortController();
		const running = systemProcess().send([HELLO], { signal: stop.signal });
		await new Promise((resolve) => setTimeout(resolve, 500));
		stop.abort();
		await running;
		const n8n = start();
		const run = await n8n.send([HELLO]);
		expect(run.json('Node')).toMatchObject([{ status: 'QUEUED' }]);
		expect(n8n.ranMs()).toBeLessThan(60_000);
	});
});

describe('where it is open whether the message was sent, the next execution looks into the history before it decides', () => {
	/** An execution that ends without knowing whether the service has accepted the message. */
	async function cutOff(kind: 'reset-after' | 'reset-before') {
		await service.fault(PATHS.sendMessage, kind);
		await service.fault(PATHS.messages, 'status-500', 3);
		const run = await start().send([HELLO]);
		expect(run.json('Node')[0]?.error_message).toContain('has not confirmed the message');
	}

	test.each<[string, Parameters<typeof cutOff>[0], string[], number]>([
		['is not sent again where the history shows it', 'reset-after', ['SKIPPED', 'SKIPPED'], 0],
		['is sent once where the history does not show it', 'reset-before', ['QUEUED', 'SKIPPED'], 0],
		['is not sent where the history cannot be read', 'reset-before', ['NOT SENT'], 3],
	])('the message %s (%s)', async (_, kind, statuses, unread) => {
		await cutOff(kind);
		if (unread) await service.fault(PATHS.messages, 'status-500', unread);
		const n8n = start();
		for (const status of statuses) expect(statusesOf(await n8n.send([HELLO]))).toEqual([status]);
		expect(await service.accepted()).toHaveLength(unread ? 0 : 1);
	});

	test('it is decided 40 seconds after it was begun, as the service may be at it until then', async () => {
		await service.fault(PATHS.sendMessage, 'reset-before');
		const n8n = start();
		await n8n.send([HELLO]);
		expect(statusesOf(await n8n.send([HELLO]))).toEqual(['QUEUED']);
		expect(Math.floor(n8n.ranMs() / 10_000)).toBe(4);
	});

	test('it is looked for by Retry On Fail, and is then known as sent', async () => {
		await service.fault(PATHS.sendMessage, 'reset-after');
		await service.fault(PATHS.messages, 'status-500', 3);
		const n8n = start();
		const run = await n8n.send([HELLO], { node: RETRY_ON_FAIL });
		const again = await n8n.send([HELLO]);
		expect(run.json('Node')).toEqual([expect.objectContaining({ to: HELLO.number })]);
		expect(run.json('Node')).not.toEqual([SENT_BEFORE]);
		expect(again.json('Node')).toEqual([SENT_BEFORE]);
		expect(await service.accepted()).toHaveLength(1);
	});
});

describe('if n8n was killed in between', () => {
	const HUNG = { onlyOnceFor: '4711' };

	/** A process that is killed while its request is on its way: nothing of it goes on. */
	async function killed(isAccepted: boolean) {
		await new Promise<void>((onItsWay) => {
			const end = service.onRequest(PATHS.sendMessage, async (accept) => {
				end();
				if (isAccepted) await accept();
				onItsWay();
				await new Promise<never>(() => {});
			});
			const clock = new SkippingClock(Date.now());
			clock.sleep = async () => await new Promise<never>(() => {});
			void start(clock).send([HELLO], { parameters: { ...SEND, options: HUNG } });
		});
	}

	test.each([
		[true, 'SKIPPED'],
		[false, 'QUEUED'],
	])('the next execution first waits 40 seconds (accepted: %p)', async (isAccepted, status) => {
		await killed(isAccepted);
		const n8n = start();
		expect((await n8n.send([HELLO])).json('Node')[0]?.status).toBe(status);
		expect(n8n.ranMs()).toBeGreaterThanOrEqual(40_000);
		expect(n8n.ranMs()).toBeLessThan(60_000);
		expect((await start().send([HELLO])).json('Node')[0]?.status).toBe('SKIPPED');
		expect(await service.accepted()).toHaveLength(1);
	});

	test('while it waited for a limit, nothing is open and nobody waits', async () => {
		const stop = new AbortController();
		await service.fault(PATHS.sendMessage, 'refuse-429', 1, { retry_after_seconds: 600 });
		const waiting = systemProcess().send([HELLO], { signal: stop.signal });
		await new Promise((resolve) => setTimeout(resolve, 500));
		const n8n = start();
		expect((await n8n.send([HELLO])).json('Node')[0]?.status).toBe('QUEUED');
		expect(n8n.ranMs()).toBeLessThan(5_000);
		stop.abort();
		await waiting;
	});
});

describe('n8n’s database', () => {
	test('records the words before the message is sent: nothing leaves where it cannot be written', async () => {
		jest
			.spyOn(DataDeduplicationService.getInstance(), 'checkProcessedAndRecord')
			.mockRejectedValue(new Error('disk full'));
		const run = await start().send([HELLO]);
		expect(run.json('Node')).toMatchObject([
			{
				status: 'NOT SENT',
				error_message: 'Whether the message was sent before cannot be found out',
			},
		]);
		expect(await service.accepted()).toEqual([]);
	});

	test('keeps the words of a node’s last 10,000 messages', async () => {
		const table = jest.spyOn(DataDeduplicationService.getInstance(), 'checkProcessedAndRecord');
		await start().send([HELLO]);
		const kept = table.mock.calls
			.filter(([, scope]) => scope === 'node')
			.map(([, , , { maxEntries }]) => maxEntries ?? 0);
		expect(Math.min(...kept)).toBeGreaterThanOrEqual(10_000);
	});

	test.each([
		['={{ ({ id: 1 }) }}', 'Send Only Once Per is “{"id":1}”, which names nothing'],
		['={{ $json.nothing }}', 'The expression of Send Only Once Per gives nothing'],
		['=order {{ $json.nothing }}', 'Send Only Once Per is “order”, which names nothing'],
		[
			'=order {{ $json.nothing }}-{{ $json.nobody }}',
			'Send Only Once Per is “order -”, which names nothing',
		],
	])(
		'takes nothing that is the same for all as a name: %s, and nothing leaves',
		async (onlyOnceFor, message) => {
			const options = { onlyOnceFor };
			const run = await start().send([HELLO, HELLO], {
				parameters: { ...SEND, options },
				node: {},
			});
			expect(run.nodeError('Node')).toMatchObject({
				message,
				description: expect.stringContaining('Nothing was sent') as string,
			});
			expect(await service.accepted()).toEqual([]);
		},
	);

	test.each(['list 7', '=list 7', '=list 7, {{ $json.number }}'])(
		'takes words that are meant as a name: %s',
		async (onlyOnceFor) => {
			const options = { onlyOnceFor };
			await start().send([HELLO], { parameters: { ...SEND, options } });
			await start().send([HELLO], { parameters: { ...SEND, options } });
			expect(await service.accepted()).toHaveLength(1);
		},
	);
});
