import { historyWorld, SECRET } from './historyWorld';
import { playIn, type Scenes } from './scenes';
import { inbound, outbound, type HistoryRow } from './triggerHistory';
import { receiveEvent } from './triggerWorkflow';

/*
 * The history, the webhook and the filters may each say less than the others: rows of the history need not name a sender or a
 * line (§2.6), the flat form names no line's handle (§6.3), and nothing shows what `outbound` says.
 */

const LINE = 'l1';
const NUMBER = '+15550100001';
const OTHER_NUMBER = '+15550100002';
const NUMBERS = [NUMBER, OTHER_NUMBER] as const;
const WRITTEN = ['+1 (555) 010-0001', '+1 (555) 010-0002'] as const;
const HANDLES = [LINE, 'l2'] as const;

const world = historyWorld();

beforeEach(() => {
	world.service.lines.push(
		{ line_handle: LINE, number: NUMBER, is_active: true },
		{ line_handle: 'l2', number: OTHER_NUMBER, is_active: true },
	);
});

/** The flat form (§6.3), which names the line by its number. */
const flatReceiveEvent = (handle: string, more: object = {}) => ({
	event: 'receive',
	message_handle: handle,
	from: '+15551230001',
	to: NUMBER,
	content: 'hello',
	media_url: null,
	service: 'iMessage',
	is_outbound: false,
	status: 'RECEIVED',
	date_sent: new Date(world.nowMs).toISOString(),
	conversation_handle: 'c1',
	...more,
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
		['is of another line', { filters: { lines: [LINE] } }, { line_handle: 'l2', to: OTHER_NUMBER }],
	])('and the row %s', async (_, parameters, row) => {
		const process = await world.started(parameters);
		world.rows(inbound('a', world.nowMs, { content: text, ...row }));
		world.nowMs += 1_000;
		await process.check();
		expect(process.queue).toEqual([]);
		expect(await world.receive(process, receiveEvent('a', { text }))).toEqual(['a']);
		expect(await world.receive(process, receiveEvent('a', { text }))).toEqual([]);
		expect(await world.found(process)).toEqual([]);
	});
});

describe('a filter on lines', () => {
	const flat = (to: string) => flatReceiveEvent(to, { to });
	const byHandle = (line: string) => receiveEvent(line, { to: undefined, line_handle: line });
	const blocked = (line: object) => ({
		id: `evt_${JSON.stringify(line)}`,
		type: 'line_blocked',
		data: { line: { blocked_at: new Date(world.nowMs).toISOString(), ...line } },
	});

	test.each<[string, string | string[], (line: 0 | 1) => object]>([
		['handle, an event that has its number', [LINE], (line) => flat(NUMBERS[line])],
		['number, however it is written', NUMBER, (line) => flat(WRITTEN[line])],
		['number, an event that has its handle', '+1 555 010 0001', (line) => byHandle(HANDLES[line])],
		[
			'number, its own event, which has its ID',
			[NUMBER],
			(line) => blocked({ line_handle: HANDLES[line] }),
		],
		[
			'handle, its own event, which has its number',
			[LINE],
			(line) => blocked({ number: NUMBERS[line] }),
		],
	])('finds by a line’s %s', async (_, lines, eventOf) => {
		const process = await world.started({
			events: ['receive', 'line_blocked'],
			filters: { lines },
		});
		expect(await world.receive(process, eventOf(0))).toHaveLength(1);
		expect(await world.receive(process, eventOf(1))).toEqual([]);
	});

	test('finds the handle of the line of a row, and lets a row through that names no line', async () => {
		const process = await world.started({ filters: { lines: [LINE] } });
		const row = (handle: string, to: string) => inbound(handle, world.nowMs + 1_000, { to });
		world.rows(
			without(row('ours', NUMBER), 'line_handle'),
			without(row('other', OTHER_NUMBER), 'line_handle'),
			without(row('of no line', NUMBER), 'line_handle', 'to'),
		);
		expect(await world.found(process)).toEqual(['ours', 'of no line']);
	});

	test('lets an event through whose line cannot be found out', async () => {
		const process = await world.started({ filters: { lines: [LINE] } });
		world.service.lines.length = 0;
		expect(await world.receive(process, flatReceiveEvent('a'))).toEqual(['a']);
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
			world.rows(inbound(wanted, world.nowMs, { content: 'price?', service: 'SMS' }));
			world.rows(inbound(unwanted, world.nowMs, { content: 'STOP', service: 'iMessage' }));
			expect(await world.receive(process, flatReceiveEvent(wanted, event))).toEqual([wanted]);
			expect(await world.receive(process, flatReceiveEvent(unwanted, event))).toEqual([]);
			expect(await world.found(process)).toEqual([]);
		}
	});
});

const FAILED = 'publish events=["outbound"] filters.outcome=failed';
const UNDELIVERED: Scenes = {
	'starts the workflow that is to hear of failures, by webhook and by check': `
		${FAILED}; told a sent: nothing; told a error: a; told a error: nothing;
		ours b SENT; check: nothing; ours b ERROR; check: b; check: nothing`,
	'starts it also when it was under way as the workflow was published': `
		ours sent SENT; ours queued QUEUED; ${FAILED}; ours sent ERROR; ours queued ERROR; check: sent queued`,
	'starts it once where the webhook does not say how it ended': `
		publish events=["outbound"]; ours a ERROR; told a: a; check: nothing; kill: nothing;
		ours b ERROR; check: b; told b: nothing; kill; told b: nothing`,
	'starts it where an event that did not say how it ended turned out to be of the message that was sent': `
		${FAILED}; ours a SENT; told a: nothing; ours a ERROR; told a error: a; check: nothing`,
};

test.each(Object.entries(UNDELIVERED))('a message that could not be delivered %s', playIn(world));

test('an outcome starts the workflow once where the webhook names the message by its id', async () => {
	const process = await world.started({ events: ['outbound'] });
	world.rows(outbound('a', 'SENT', world.nowMs));
	const data = { message: { id: 'msg_a', direction: 'outbound', status: 'sent' } };
	const event = { id: 'evt_1', type: 'outbound', data };
	expect(await world.receive(process, event)).toEqual(['a']);
	expect(await world.found(process)).toEqual([]);
});

test('texts without a handle and an ID are two messages, also when they are completed', async () => {
	const process = await world.started({ options: { completeMessages: true } });
	for (const content of ['one', 'two']) {
		const flat = { event: 'receive', from: '+15551230001', to: NUMBER, content };
		await process.receive(flat, SECRET, world.nowMs);
	}
	const items = await process.execute();
	expect(items.map(({ content }) => content).sort()).toEqual(['one', 'two']);
});
