import { handles, HistoryWorld, SECRET } from './historyWorld';
import { inbound, outbound, type HistoryRow } from './triggerHistory';
import type { Process } from './triggerProcess';
import { receiveEvent } from './triggerWorkflow';

/*
 * The history, the webhook and the filters may each say less than the others: rows of the history need not name a sender or a
 * line (§2.6), the flat form names no line's handle (§6.3), and nothing shows what `outbound` says.
 */

const LINE = 'l1';

let world: HistoryWorld;

beforeEach(async () => {
	world = await HistoryWorld.start();
	world.service.lines.push(
		{ line_handle: LINE, number: '+15550100001', is_active: true },
		{ line_handle: 'l2', number: '+15550100002', is_active: true },
	);
});
afterEach(async () => await world.service.stop());

const check = async (process: Process) => handles(await world.check(process));
const receive = async (process: Process, body: object) => {
	expect(await process.receive(body, SECRET, world.nowMs)).toBe(200);
	return handles(await process.execute());
};
/** The flat form (§6.3), which names the line by its number. */
const flatReceiveEvent = (handle: string) => ({
	event: 'receive',
	message_handle: handle,
	from: '+15551230001',
	to: '+15550100001',
	content: 'hello',
	media_url: null,
	service: 'iMessage',
	is_outbound: false,
	status: 'RECEIVED',
	date_sent: new Date(world.nowMs).toISOString(),
	conversation_handle: 'c1',
});
const without = (row: HistoryRow, ...names: Array<keyof HistoryRow>): HistoryRow => {
	for (const name of names) delete (row as Partial<HistoryRow>)[name];
	return row;
};

describe('a row that the filters leave out does not keep its event out when a webhook says more', () => {
	const text = 'What is the price?';
	test.each([
		['names another channel', { filters: { channel: ['iMessage'] } }, { service: 'SMS' }],
		['has another text', { filters: { contains: 'price' } }, { content: 'hello' }],
		[
			'names another line',
			{ filters: { lines: [LINE] } },
			{ line_handle: 'l2', to: '+15550100002' },
		],
	])('and the row %s', async (_, parameters, row) => {
		const process = await world.started(parameters);
		world.service.rows.push(inbound('a', world.nowMs, { content: text, ...row }));
		world.nowMs += 1_000;
		await process.check();
		expect(process.queue).toEqual([]);
		expect(await receive(process, receiveEvent('a', { text }))).toEqual(['a']);
		expect(await receive(process, receiveEvent('a', { text }))).toEqual([]);
		expect(await check(process)).toEqual([]);
	});
});

describe('a filter on lines', () => {
	test('lets a row through that names no line, where no webhook has come', async () => {
		const process = await world.started({ filters: { lines: [LINE] } });
		world.service.rows.push(without(inbound('a', world.nowMs + 1_000), 'line_handle', 'to'));
		expect(await check(process)).toEqual(['a']);
	});

	test('by a handle alone finds the handle of a line that an event names by its number', async () => {
		const process = await world.started({ filters: { lines: [LINE] } });
		expect(await receive(process, flatReceiveEvent('ours'))).toEqual(['ours']);
		expect(await receive(process, { ...flatReceiveEvent('other'), to: '+15550100002' })).toEqual(
			[],
		);
		const ours = without(inbound('missed', world.nowMs + 1_000), 'line_handle');
		const other = without(
			inbound('not ours', world.nowMs + 1_000, { to: '+15550100002' }),
			'line_handle',
		);
		world.service.rows.push(ours, other);
		expect(await check(process)).toEqual(['missed']);
	});

	test('by a number alone finds the number of a line that an event names by its handle', async () => {
		const process = await world.started({ filters: { lines: '+1 555 010 0001' } });
		const event = (handle: string, line: string) =>
			receiveEvent(handle, { to: undefined, line_handle: `line_${line}` });
		expect(await receive(process, event('ours', LINE))).toEqual(['ours']);
		expect(await receive(process, event('other', 'l2'))).toEqual([]);
	});

	test('finds the number of a line in whatever form an event writes it', async () => {
		const process = await world.started({ filters: { lines: '+15550100001' } });
		expect(await receive(process, { ...flatReceiveEvent('a'), to: '+1 (555) 010-0001' })).toEqual([
			'a',
		]);
		expect(await receive(process, { ...flatReceiveEvent('b'), to: '+1 (555) 010-0002' })).toEqual(
			[],
		);
	});

	test('finds the line of an event about a line that has only its ID, or only its number', async () => {
		const events = ['line_blocked'];
		const blocked = (line: object) => ({
			id: `evt_${JSON.stringify(line)}`,
			type: 'line_blocked',
			data: { line: { blocked_at: new Date(world.nowMs).toISOString(), ...line } },
		});
		const lineOf = async (filters: object, line: object) => {
			const process = await world.started({ events, filters } as never);
			expect(await process.receive(blocked(line), SECRET, world.nowMs)).toBe(200);
			return (await process.execute()).length;
		};
		expect(await lineOf({ lines: '+15550100001' }, { line_handle: LINE })).toBe(1);
		expect(await lineOf({ lines: '+15550100001' }, { line_handle: 'l2' })).toBe(0);
		expect(await lineOf({ lines: LINE }, { number: '+15550100001' })).toBe(1);
		expect(await lineOf({ lines: LINE }, { number: '+15550100002' })).toBe(0);
	});

	test('lets an event through whose line cannot be found out', async () => {
		const process = await world.started({ filters: { lines: [LINE] } });
		world.service.lines.length = 0;
		expect(await receive(process, flatReceiveEvent('a'))).toEqual(['a']);
	});
});

describe('what an event does not say is looked for in the history before a filter leaves it out', () => {
	test.each([
		['its channel', { filters: { channel: ['SMS'] } }, { service: undefined }],
		['whether it says STOP', {}, { content: undefined }],
		[
			'its text, where it says that there is none, and no media either',
			{ filters: { contains: 'price' } },
			{ content: '' },
		],
	])('%s, with Simplify on and off', async (_, parameters, event) => {
		for (const simplify of [true, false]) {
			const process = await world.started({ ...parameters, options: { simplify } });
			const [wanted, unwanted] = [`wanted ${simplify}`, `unwanted ${simplify}`];
			const row = { content: 'price?', service: 'SMS' };
			world.service.rows.push(inbound(wanted, world.nowMs, row));
			world.service.rows.push(
				inbound(unwanted, world.nowMs, { content: 'STOP', service: 'iMessage' }),
			);
			expect(await receive(process, { ...flatReceiveEvent(wanted), ...event })).toEqual([wanted]);
			expect(await receive(process, { ...flatReceiveEvent(unwanted), ...event })).toEqual([]);
			expect(await check(process)).toEqual([]);
		}
	});
});

describe('a message that was sent and could not be delivered after all', () => {
	const outcome = (handle: string, more: object) => ({
		id: `evt_${handle}_${JSON.stringify(more).length}`,
		type: 'outbound',
		data: { message: { message_handle: `msg_${handle}`, direction: 'outbound', ...more } },
	});
	const failed = { filters: { outcome: 'failed' }, events: ['outbound'] };

	test('starts the workflow that is to hear of failures, by webhook and by check', async () => {
		const process = await world.started(failed);
		expect(await receive(process, outcome('a', { status: 'sent' }))).toEqual([]);
		expect(await receive(process, outcome('a', { status: 'error' }))).toEqual(['a']);
		expect(await receive(process, outcome('a', { status: 'error' }))).toEqual([]);
		world.service.rows.push(outbound('b', 'SENT', world.nowMs));
		expect(await check(process)).toEqual([]);
		world.service.rows[0]!.status = 'ERROR';
		expect(await check(process)).toEqual(['b']);
		expect(await check(process)).toEqual([]);
	});

	test('starts it also when it was under way as the workflow was published', async () => {
		world.service.rows.push(
			outbound('sent', 'SENT', world.nowMs),
			outbound('queued', 'QUEUED', world.nowMs),
		);
		const process = await world.started(failed);
		for (const row of world.service.rows) row.status = 'ERROR';
		expect((await check(process)).sort()).toEqual(['queued', 'sent']);
	});

	test('starts it once where the webhook does not say how it ended', async () => {
		const process = await world.started({ events: ['outbound'] });
		world.service.rows.push(outbound('a', 'ERROR', world.nowMs));
		expect(await receive(process, outcome('a', { to: '+15551230001' }))).toEqual(['a']);
		expect(await check(process)).toEqual([]);
		const again = await world.restarted({ events: ['outbound'] });
		expect(handles(await again.execute())).toEqual([]);
		world.service.rows.push(outbound('b', 'ERROR', world.nowMs));
		expect(await check(again)).toEqual(['b']);
		expect(await receive(again, outcome('b', { to: '+15551230001' }))).toEqual([]);
		const third = await world.restarted({ events: ['outbound'] });
		await third.execute();
		expect(await receive(third, outcome('b', { to: '+15551230001' }))).toEqual([]);
	});

	test('starts nothing where the filters leave out a webhook that does not say how it ended', async () => {
		const process = await world.started({ events: ['outbound'], filters: { channel: ['SMS'] } });
		world.service.rows.push(outbound('a', 'ERROR', world.nowMs));
		expect(await receive(process, outcome('a', { channel: 'imessage' }))).toEqual([]);
		expect(await check(process)).toEqual([]);
	});

	test('starts it where an event that did not say how it ended turned out to be of the message that was sent', async () => {
		const process = await world.started(failed);
		world.service.rows.push(outbound('a', 'SENT', world.nowMs));
		expect(await receive(process, outcome('a', { to: '+15551230001' }))).toEqual([]);
		world.service.rows[0]!.status = 'ERROR';
		expect(await receive(process, outcome('a', { status: 'error' }))).toEqual(['a']);
		expect(await check(process)).toEqual([]);
	});

	test('starts it once where the webhook names the message by its id', async () => {
		const process = await world.started({ events: ['outbound'] });
		world.service.rows.push(outbound('a', 'SENT', world.nowMs));
		const data = { message: { id: 'msg_a', direction: 'outbound', status: 'sent' } };
		expect(await receive(process, { id: 'evt_1', type: 'outbound', data })).toEqual(['a']);
		expect(await check(process)).toEqual([]);
	});
});

test('a text that was missed comes although a message of ours with the same handle was on its way', async () => {
	world.service.rows.push(outbound('a', 'SENT', world.nowMs), outbound('b', 'QUEUED', world.nowMs));
	const process = await world.started({ events: ['receive', 'outbound'] });
	world.service.rows.push(inbound('a', world.nowMs + 1_000), inbound('b', world.nowMs + 1_000));
	expect((await check(process)).sort()).toEqual(['a', 'b']);
});

test('a text from before does not come because a message of ours with the same handle is on its way', async () => {
	world.service.rows.push(inbound('a', world.nowMs - 1_000), outbound('a', 'QUEUED', world.nowMs));
	const process = await world.started({ events: ['receive', 'outbound'] });
	expect(await check(process)).toEqual([]);
	world.service.rows[1]!.status = 'SENT';
	expect(await check(process)).toEqual(['a']);
});
