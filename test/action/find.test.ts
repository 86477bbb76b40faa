import { findLost } from '../../nodes/TwoWayMessaging/action/sending/find';
import {
	inTurnOfAlike,
	Ledger,
	newEntry,
	type LostAnswer,
} from '../../nodes/TwoWayMessaging/action/sending/ledger';
import type { SendRequest } from '../../nodes/TwoWayMessaging/contract';
import type { Fields } from '../../nodes/TwoWayMessaging/message';
import type { Connection } from '../../nodes/TwoWayMessaging/service/request';
import { MINUTE_MS, SECOND_MS } from '../support/times';
import { turns } from '../support/turns';
import { NOW_MS, REQUEST, SendingService } from './sendingService';

const { number: ANNA } = REQUEST;
const WITH_MEDIA = { ...REQUEST, media_url: 'https://ours.example/photo.jpg' };
const MEDIA_ALONE = { number: ANNA, media_url: WITH_MEDIA.media_url };

let service: SendingService;
let connection: Connection;

beforeEach(async () => {
	service = new SendingService();
	connection = await service.startRun();
});

const show = (...pages: unknown[]) => (service.pages = pages);
const row = (handle: string, more?: Fields) => service.row(handle, more);
const date = (afterMs: number) => service.date(afterMs);

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
	const found = await findLost(connection, { request, entry, lost });
	return found === 'found' ? entry.message?.message_handle : found;
};

const markSent = (handle: string) =>
	connection.memory.part(Ledger).markSent(newEntry(), { message_handle: handle });

/** What a row says of itself, and the message that is looked for. */
type Case = [string, Fields, SendRequest?];

describe('a row of the history is the message whose answer was lost', () => {
	test('and all that it says is known then', async () => {
		const sent = row('m1', { service: 'SMS', status: 'SENT' });
		show([sent]);
		const lost: LostAnswer = { sinceMs: NOW_MS, outcome: { kind: 'unanswered', code: '' } };
		const entry = newEntry();
		expect(await findLost(connection, { request: REQUEST, entry, lost })).toBe('found');
		expect(entry).toMatchObject({ state: 'sent', message: sent });
	});

	test.each<Case>([
		['its number is written in another way', { to: '+1 (555) 123-0001' }],
		['its number has no plus', { to: '15551230001' }],
		['its text is kept with other spaces around it', { content: ' hello\r\n' }],
		[
			'its text is kept in another Unicode form',
			{ content: 'Café' },
			{ ...REQUEST, content: 'Cafe\u0301' },
		],
		[
			'its text is kept with other line ends',
			{ content: '1\n2\n3' },
			{ ...REQUEST, content: '1\r\n2\r3' },
		],
		['it does not say who wrote it', { is_outbound: undefined }],
		['it is queued and dated null', { status: 'QUEUED', date_sent: null }],
		['it is queued and not dated', { status: 'QUEUED', date_sent: undefined }],
		['it is queued, and no date can be read', { status: 'QUEUED', date_sent: 'now' }],
		['it failed and has no date', { status: 'ERROR', date_sent: null }],
		['it failed and has no status and no date', { error_message: 'no', date_sent: null }],
		['its date is a Unix time', { status: 'SENT', date_sent: NOW_MS / 1_000 }],
		['its media has a URL of the service', { media_url: 'https://a.example/1' }, WITH_MEDIA],
		['it does not speak of the media (§2.2)', {}, WITH_MEDIA],
		['it speaks of nothing, as only media was sent', { content: null }, MEDIA_ALONE],
	])('also if %s', async (...[, more, request]) => {
		show([row('m1', more)]);
		expect(await find(request)).toBe('m1');
	});

	test('if its text contains a secret, which no row shows', async () => {
		const { apiKey } = await connection.context.getCredentials('twoWayMessagingApi');
		const content = `our key is ${String(apiKey)}`;
		show([row('m1', { content })]);
		expect(await find({ number: ANNA, content })).toBe('m1');
	});

	test.each([
		['behind', -4 * MINUTE_MS],
		['ahead', 4 * MINUTE_MS],
	])('if it is of the time of the request, by a clock that is minutes %s', async (_, offsetMs) => {
		service.aheadMs = offsetMs;
		show([row('m1', { date_sent: date(-MINUTE_MS) })]);
		expect(await find()).toBeUndefined();
		show([row('m1')]);
		expect(await find()).toBe('m1');
	});

	test('on a later page, with some older rows above it', async () => {
		show([older('m3'), row('m2', { content: 'another' })], [row('m1')]);
		expect(await find()).toBe('m1');
	});

	test('as the newest of the rows that may be it', async () => {
		show([row('m2'), row('m1')]);
		expect([await find(), await find(), await find()]).toEqual(['m2', 'm1', undefined]);
	});
});

describe('a row of the history is another’s', () => {
	test.each<Case>([
		['is to another number', { to: '+15551230002' }],
		['is to no number', { to: undefined }],
		['has another text', { content: 'hello!' }],
		['has media where none was sent', { media_url: 'https://service.example/file' }],
		['says with null that it has no media', { media_url: null }, WITH_MEDIA],
		['says with an empty text that it has no media', { media_url: '' }, WITH_MEDIA],
		['was written by a customer', { is_outbound: false }],
	])('if it %s', async (...[, more, request]) => {
		show([row('m1', more)]);
		expect(await find(request)).toBeUndefined();
	});

	test('if it is more than half a minute older than the request', async () => {
		show([row('m1', { date_sent: date(-30 * SECOND_MS - 1) })]);
		expect(await find(REQUEST, { serviceOffsetMs: 0 })).toBeUndefined();

		show([row('m1', { date_sent: date(-30 * SECOND_MS) })]);
		expect(await find(REQUEST, { serviceOffsetMs: 0 })).toBe('m1');
	});

	test('if it is older by the clocks of the first look, although n8n’s clock was set right since', async () => {
		service.aheadMs = 10 * MINUTE_MS;
		const earlier = row('m1', { date_sent: date(-5 * MINUTE_MS) });
		const finding = find();
		while (service.looks.length === 0) await turns(1);
		service.clock.ms += service.aheadMs;
		service.aheadMs = 0;
		show([earlier]);

		expect(await finding).toBeUndefined();
	});

	test('if it has no date and stands below three older ones, as two may be out of order', async () => {
		show([older('m3'), older('m2'), row('m1', { status: 'ERROR', date_sent: null })]);
		expect(await find()).toBe('m1');
		show([older('m5'), older('m4'), older('m3'), row('m6', { date_sent: null })]);
		expect(await find()).toBeUndefined();
	});

	test('if it has no date and stands below three that were accepted before', async () => {
		const handles = ['m4', 'm3', 'm2'];
		for (const handle of handles) markSent(handle);
		show([...handles.map((handle) => row(handle)), row('m1', { date_sent: null })]);
		expect(await find(REQUEST, { sinceMs: NOW_MS + 1 })).toBeUndefined();
		expect(await find()).toBe('undated');
	});

	test('if another send got it as its answer, whether it says when or not', async () => {
		markSent('m2');
		markSent('m1');
		show([row('m2', { status: 'SENT', date_sent: null }), row('m1')]);
		expect(await find()).toBeUndefined();
	});
});

describe('a row that was sent and does not say when proves nothing', () => {
	test.each<Case>([
		['SENT, and dated null', { status: 'SENT', date_sent: null }],
		['SENT, and not dated', { status: 'SENT', date_sent: undefined }],
		['SENT, and dated so that nobody can read it', { status: 'SENT', date_sent: 'now' }],
		['SENT, and dated with a clock’s zero', { status: 'SENT', date_sent: '0001-01-01T00:00:00Z' }],
		['DELIVERED, and dated null', { status: 'DELIVERED', date_sent: null }],
		['without a status, and dated null', { date_sent: null }],
	])('such as one that is %s', async (_, more) => {
		show([row('m1', more)]);
		expect(await find()).toBe('undated');
		expect(service.looks).toHaveLength(3);
	});

	test.each(['2026-01-01T00:00Z', '2026-01-01'])(
		'nor does one whose date does not say the second: %s',
		async (dateSent) => {
			show([row('m1', { status: 'SENT', date_sent: dateSent })]);
			expect(await find()).toBe('undated');
		},
	);

	test('and a row below it that is dated is taken', async () => {
		show([row('m2', { status: 'SENT', date_sent: null }), row('m1')]);
		expect(await find()).toBe('m1');
	});

	test('and is taken where the whole history counts', async () => {
		show([row('m1', { status: 'SENT', date_sent: null })]);
		expect(await find(REQUEST, { sinceMs: 0 })).toBe('m1');
	});

	test('and is no longer in doubt once a look shows its date', async () => {
		show([row('m1', { status: 'SENT', date_sent: null })]);
		const finding = find();
		while (service.looks.length === 0) await turns(1);
		show([row('m1', { status: 'SENT' })]);
		expect(await finding).toBe('m1');
	});
});

describe('the search', () => {
	test('looks three times, as a message may take a moment to appear', async () => {
		expect(await find()).toBeUndefined();
		expect(service.looks.map(({ atMs }) => atMs)).toEqual([250, 1_250, 4_250]);
	});

	test('ends with a page of older rows, and not with one of them', async () => {
		show([older('m5'), row('m4', { content: 'another' })], [older('m3'), older('m2')], [row('m1')]);
		expect(await find()).toBeUndefined();
		expect(service.looks.slice(0, 2).map(({ query }) => query)).toEqual([
			{ limit: 100 },
			{ limit: 100, before: '1' },
		]);
		expect(service.looks).toHaveLength(6);
	});

	test('reads a thousand rows at most', async () => {
		show(...Array.from({ length: 50 }, (_, place) => [row(`m${place}`, { content: 'another' })]));
		expect(await find()).toBeUndefined();
		expect(service.looks).toHaveLength(3 * 10);
	});

	test('fails where the history cannot be read', async () => {
		show('no rows');
		await expect(find()).rejects.toThrow('could not be understood');
	});
});

test('an identical message that is on its way may get a row as its answer, which is not taken from it', async () => {
	show([row('m2'), row('m1')]);
	let end = () => {};
	const work = new Promise<void>((resolve) => (end = resolve));
	void inTurnOfAlike(connection, REQUEST, async () => await work);
	const finding = find();
	await turns();
	expect(service.looks).toEqual([]);
	markSent('m2');
	end();
	expect(await finding).toBe('m1');
});
