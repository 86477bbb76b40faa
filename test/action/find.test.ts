import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import type { SendRequest } from '../../nodes/TwoWayMessaging/contract';
import type { Fields } from '../../nodes/TwoWayMessaging/message';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { findLost } from '../../nodes/TwoWayMessaging/action/sending/find';
import {
	inTurnOfAlike,
	Ledger,
	newEntry,
	type LostAnswer,
} from '../../nodes/TwoWayMessaging/action/sending/ledger';
import { startRun, type Run } from '../../nodes/TwoWayMessaging/service/run';
import { connectionTo, response } from '../service/context';

const NOW_MS = Date.UTC(2026, 0, 1);
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

const ANNA = '+15551230001';
const REQUEST: SendRequest = { number: ANNA, content: 'hello' };

let nowMs: number;
/** How far the service's clock is ahead of n8n's. */
let aheadMs: number;
/** The pages of the history, newest first. */
let pages: Fields[][];
/** When each page was asked for, and its query. */
let looks: Array<{ atMs: number; query: unknown }>;
let sleptMs: number[];
let cancelling: AbortController;
let run: Run;

/** A clock on which a wait takes about no time, and its own time passes. */
const clock: Clock = {
	nowMs: () => nowMs,
	sleep: async (durationMs) => {
		sleptMs.push(durationMs);
		nowMs += durationMs;
		await new Promise<void>((resolve) => setImmediate(resolve));
	},
};

beforeEach(async () => {
	nowMs = NOW_MS;
	aheadMs = 0;
	pages = [[]];
	looks = [];
	sleptMs = [];
	cancelling = new AbortController();
	const memory = new ProcessMemory(clock);
	const { connection } = await connectionTo(({ qs }) => {
		looks.push({ atMs: nowMs - NOW_MS, query: qs });
		const place = Number(qs?.before ?? 0);
		const date = new Date(nowMs + aheadMs).toUTCString();
		const next = place + 1 < pages.length ? `${place + 1}` : null;
		return response(200, { messages: pages[place] ?? [], next }, { date });
	}, memory);
	const context = Object.assign(connection.context, {
		getExecutionCancelSignal: () => cancelling.signal,
	});
	run = startRun(context as unknown as IExecuteFunctions, memory);
});

/** A row of the message that is looked for, unless `more` says otherwise. */
const row = (handle: string, more: Fields = {}): Fields => ({
	message_handle: handle,
	to: ANNA,
	content: 'hello',
	is_outbound: true,
	date_sent: date(0),
	...more,
});

/** A date by the service's clock: so long after the request went out. */
const date = (afterMs: number) => new Date(NOW_MS + aheadMs + afterMs).toISOString();

const older = (handle: string) =>
	row(handle, { content: 'older', date_sent: date(-3 * MINUTE_MS) });

/** Looks for a message; returns the handle of the row that was found, or `undated`. */
const find = async (request = REQUEST, known: Partial<LostAnswer> = {}) => {
	const lost: LostAnswer = {
		sinceMs: NOW_MS,
		outcome: { kind: 'unanswered', code: 'ECONNRESET' },
		...known,
	};
	const entry = newEntry();
	const found = await findLost(run, { request, entry, lost, itemIndex: 0 });
	return found === 'found' ? entry.message?.message_handle : found;
};

/** Lets another send get a message as its answer. */
const markSent = (handle: string) =>
	run.memory.part(Ledger).markSent(newEntry(), { message_handle: handle });

const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

describe('a message whose answer was lost is found in the history', () => {
	test('with what the row says', async () => {
		pages = [[row('m1', { service: 'SMS', status: 'SENT' })]];
		const lost: LostAnswer = { sinceMs: NOW_MS, outcome: { kind: 'unanswered', code: '' } };

		const entry = newEntry();
		expect(await findLost(run, { request: REQUEST, entry, lost, itemIndex: 0 })).toBe('found');
		expect(entry).toMatchObject({
			state: 'sent',
			message: row('m1', { service: 'SMS', status: 'SENT' }),
		});
	});

	test.each<[string, Fields]>([
		['with its number written in another way', { to: '+1 (555) 123-0001' }],
		['with its number without its plus', { to: '15551230001' }],
		['with its text kept in another way', { content: ' hello\r\n' }],
		['where the row does not say who wrote it', { is_outbound: undefined }],
		['while it is queued and has no date', { status: 'QUEUED', date_sent: null }],
		[
			'while it is queued, where the service names no dates',
			{ status: 'QUEUED', date_sent: undefined },
		],
		['while it is queued, where no date can be read', { status: 'QUEUED', date_sent: 'now' }],
		['where it failed without a date', { status: 'ERROR', date_sent: null }],
		['where it failed without a status and a date', { error_message: 'no', date_sent: null }],
		['where its date is a Unix time', { status: 'SENT', date_sent: NOW_MS / 1_000 }],
	])('also %s', async (_, more) => {
		pages = [[row('m1', more)]];
		expect(await find()).toBe('m1');
	});

	test('where its text contains a secret, which no row shows', async () => {
		const { apiKey } = await run.context.getCredentials('twoWayMessagingApi');
		const content = `our key is ${String(apiKey)}`;
		pages = [[row('m1', { content })]];
		expect(await find({ number: ANNA, content })).toBe('m1');
	});

	test('by its media, whatever URL the service gives the file', async () => {
		pages = [[row('m1', { content: null, media_url: 'https://service.example/file' })]];
		expect(await find({ number: ANNA, media_url: 'https://ours.example/photo.jpg' })).toBe('m1');
	});

	test.each([
		['a text and a file', 'hello'],
		['a file alone', undefined],
	])('where rows say nothing of media, as §2.2 shows them: %s', async (_, content) => {
		pages = [[row('m1', { content: content ?? null, media_url: undefined })]];
		const media_url = 'https://ours.example/photo.jpg';
		expect(await find({ number: ANNA, content, media_url })).toBe('m1');
	});

	test.each([
		['minutes behind', -4 * MINUTE_MS],
		['minutes ahead', 4 * MINUTE_MS],
	])('where the service’s clock is %s', async (_, offsetMs) => {
		aheadMs = offsetMs;
		pages = [[row('m1')]];
		expect(await find()).toBe('m1');
	});

	test('on a later page, with some older rows above it', async () => {
		pages = [[older('m3'), row('m2', { content: 'another' })], [row('m1')]];
		expect(await find()).toBe('m1');
	});

	test('without a date below two older rows, as they may stand out of order', async () => {
		pages = [[older('m3'), older('m2'), row('m1', { status: 'QUEUED', date_sent: null })]];
		expect(await find()).toBe('m1');
	});

	test('without a date below three messages that were accepted since', async () => {
		const handles = ['m4', 'm3', 'm2'];
		for (const handle of handles) markSent(handle);
		pages = [
			[...handles.map((handle) => row(handle)), row('m1', { status: 'QUEUED', date_sent: null })],
		];
		expect(await find()).toBe('m1');
	});

	test('as the newest of the rows that may be it', async () => {
		pages = [[row('m2'), row('m1')]];
		expect(await find()).toBe('m2');
		expect(await find()).toBe('m1');
		expect(await find()).toBeUndefined();
	});
});

describe('a row of the history is not ours', () => {
	test.each<[string, Fields]>([
		['with another number', { to: '+15551230002' }],
		['without a number', { to: undefined }],
		['with another text', { content: 'hello!' }],
		['with media where none was sent', { media_url: 'https://service.example/file' }],
		['that a customer wrote', { is_outbound: false }],
	])('as one %s is another’s', async (_, more) => {
		pages = [[row('m1', more)]];
		expect(await find()).toBeUndefined();
	});

	test.each([null, ''])(
		'that says that it has no media, by %j, where some was sent',
		async (none) => {
			pages = [[row('m1', { media_url: none })]];
			const request = { ...REQUEST, media_url: 'https://ours.example/photo.jpg' };
			expect(await find(request)).toBeUndefined();
		},
	);

	test('that is more than half a minute older than the request', async () => {
		pages = [[row('m1', { date_sent: date(-30 * SECOND_MS - 1) })]];
		expect(await find(REQUEST, { serviceOffsetMs: 0 })).toBeUndefined();

		pages = [[row('m1', { date_sent: date(-30 * SECOND_MS) })]];
		expect(await find(REQUEST, { serviceOffsetMs: 0 })).toBe('m1');
	});

	test.each([
		['minutes behind', -4 * MINUTE_MS],
		['minutes ahead', 4 * MINUTE_MS],
	])('that is a minute older, where the service’s clock is %s', async (_, offsetMs) => {
		aheadMs = offsetMs;
		pages = [[row('m1', { date_sent: date(-MINUTE_MS) })]];
		expect(await find()).toBeUndefined();
	});

	test('that is older by the clocks of the first look, although n8n’s clock was set right since', async () => {
		aheadMs = 10 * MINUTE_MS;
		const earlier = row('m1', { date_sent: date(-5 * MINUTE_MS) });
		const finding = find();
		while (looks.length === 0) await turn();
		nowMs += aheadMs;
		aheadMs = 0;
		pages = [[earlier]];

		expect(await finding).toBeUndefined();
	});

	test('without a date below three older ones', async () => {
		pages = [[older('m4'), older('m3'), older('m2'), row('m1', { date_sent: null })]];
		expect(await find()).toBeUndefined();
	});

	test('without a date below three that were accepted before', async () => {
		const handles = ['m4', 'm3', 'm2'];
		for (const handle of handles) markSent(handle);
		pages = [[...handles.map((handle) => row(handle)), row('m1', { date_sent: null })]];
		expect(await find(REQUEST, { sinceMs: NOW_MS + 1 })).toBeUndefined();
	});

	test('that another send got as its answer', async () => {
		markSent('m1');
		pages = [[row('m1')]];
		expect(await find()).toBeUndefined();
	});
});

describe('a message that was sent and does not say when proves nothing', () => {
	test.each<[string, Fields]>([
		['SENT, and dated null', { status: 'SENT', date_sent: null }],
		['SENT, and not dated', { status: 'SENT', date_sent: undefined }],
		['SENT, and dated so that nobody can read it', { status: 'SENT', date_sent: 'now' }],
		[
			'SENT, and dated with the zero of a clock',
			{ status: 'SENT', date_sent: '0001-01-01T00:00:00Z' },
		],
		['DELIVERED, and dated null', { status: 'DELIVERED', date_sent: null }],
		['without a status, and dated null', { date_sent: null }],
	])('such as one that is %s', async (_, more) => {
		pages = [[row('m1', more)]];
		expect(await find()).toBe('undated');
		expect(looks).toHaveLength(3);
	});

	test.each<[string, Fields]>([
		['to the minute', { date_sent: '2026-01-01T00:00Z' }],
		['to the minute, with an offset', { date_sent: '2026-01-01T03:00+03:00' }],
		['to the minute, in the basic form', { date_sent: '20260101T0000' }],
		['to the minute before', { date_sent: '2025-12-31T23:59Z' }],
		['to the day', { date_sent: '2026-01-01' }],
		['to the day before, which ends later in the west', { date_sent: '2025-12-31' }],
		['to the day, and queued', { date_sent: '2026-01-01', status: 'QUEUED' }],
		['to the day, and failed', { date_sent: '2026-01-01', status: 'ERROR' }],
	])('nor does one whose date says when only %s', async (_, more) => {
		nowMs += 20 * SECOND_MS;
		pages = [[older('m4'), older('m3'), older('m2'), row('m1', { status: 'SENT', ...more })]];
		const known = { sinceMs: NOW_MS + 20 * SECOND_MS, serviceOffsetMs: 0 };
		expect(await find(REQUEST, known)).toBe('undated');
	});

	test.each([
		['minute', '2025-12-31T23:58Z'],
		['day', '2025-12-30'],
	])('unless the %s of its date had ended before the request', async (_, dateSent) => {
		pages = [[row('m1', { status: 'SENT', date_sent: dateSent })]];
		expect(await find(REQUEST, { serviceOffsetMs: 0 })).toBeUndefined();
	});

	test('and a row below it that is dated is taken', async () => {
		pages = [[row('m2', { status: 'SENT', date_sent: null }), row('m1')]];
		expect(await find()).toBe('m1');
	});

	test('and is taken where the whole history counts', async () => {
		pages = [[row('m1', { status: 'SENT', date_sent: null })]];
		expect(await find(REQUEST, { sinceMs: 0 })).toBe('m1');
	});

	test('and is in no doubt where another send got it as its answer', async () => {
		markSent('m1');
		pages = [[row('m1', { status: 'SENT', date_sent: null })]];
		expect(await find()).toBeUndefined();
	});

	test('and is no longer in doubt once a look shows its date', async () => {
		pages = [[row('m1', { status: 'SENT', date_sent: null })]];
		const finding = find();
		while (looks.length === 0) await turn();
		pages = [[row('m1', { status: 'SENT' })]];
		expect(await finding).toBe('m1');
	});
});

describe('the search', () => {
	test('looks three times, as a message may take a moment to appear', async () => {
		expect(await find()).toBeUndefined();
		expect(looks.map(({ atMs }) => atMs)).toEqual([250, 1_250, 4_250]);
	});

	test('ends with a page of older rows, and not with one of them', async () => {
		pages = [
			[older('m5'), row('m4', { content: 'another' })],
			[older('m3'), older('m2')],
			[row('m1')],
		];
		expect(await find()).toBeUndefined();
		expect(looks.slice(0, 2).map(({ query }) => query)).toEqual([
			{ limit: 100 },
			{ limit: 100, before: '1' },
		]);
		expect(looks).toHaveLength(6);
	});

	test('reads a thousand rows at most', async () => {
		pages = Array.from({ length: 50 }, (_, place) => [row(`m${place}`, { content: 'another' })]);
		expect(await find()).toBeUndefined();
		expect(looks).toHaveLength(3 * 10);
	});

	test('fails where the history cannot be read', async () => {
		pages = ['no rows' as unknown as Fields[]];
		await expect(find()).rejects.toThrow('could not be understood');
	});
});

describe('an identical message that is on its way', () => {
	/** Lets an identical message be on its way until the test ends it. */
	const sendAlike = () => {
		let end = () => {};
		const work = new Promise<void>((resolve) => (end = resolve));
		void inTurnOfAlike(run, REQUEST, async () => await work);
		return { end };
	};

	test('may get a row as its answer, which is not taken from it', async () => {
		pages = [[row('m2'), row('m1')]];
		const { end } = sendAlike();
		const finding = find();
		while (sleptMs.slice(-3).join() !== '200,200,200') await turn();
		expect(looks).toEqual([]);
		markSent('m2');
		end();
		expect(await finding).toBe('m1');
	});

	test('is not waited for any longer when the execution is cancelled', async () => {
		sendAlike();
		const finding = find();
		while (sleptMs.slice(-3).join() !== '200,200,200') await turn();
		cancelling.abort();
		await expect(finding).rejects.toThrow('The execution was canceled');
	});
});
