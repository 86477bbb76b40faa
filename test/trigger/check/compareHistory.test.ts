import fc from 'fast-check';
import {
	beginHistory,
	compareHistory,
	placeRows,
	readFromMs,
	type HistoryInput,
} from '../../../nodes/TwoWayMessaging/trigger/check/compareHistory';
import { toMessage } from '../../../nodes/TwoWayMessaging/message';
import type { EventState } from '../../../nodes/TwoWayMessaging/trigger/inbox';
import {
	NodeMemory,
	rowDigest,
	type HistoryState,
} from '../../../nodes/TwoWayMessaging/trigger/nodeMemory';
import { TestClock } from '../../support/testClock';
import { HOUR_MS } from '../../support/times';

const NOW_MS = Date.UTC(2026, 0, 1);
type Row = { message_handle?: string; date_sent?: string | null; status?: string };

const row = (handle: string, agoMs: number | null, more: Row & { is_outbound?: boolean } = {}) => ({
	message_handle: handle,
	date_sent: agoMs === null ? null : new Date(NOW_MS - agoMs).toISOString(),
	is_outbound: false,
	status: 'RECEIVED',
	...more,
});
const outboundRow = (handle: string, agoMs: number | null, status: string) =>
	row(handle, agoMs, { status, is_outbound: true });

/** `count` texts, a second between them, the newest first and an hour old. */
const many = (count: number) =>
	Array.from({ length: count }, (_, at) => row(`m${at}`, HOUR_MS + at * 1_000));

const place = (rows: Row[]) =>
	placeRows(
		rows.map((body) => ({ message: toMessage(body), body })),
		NOW_MS,
	);

const input = (rows: Row[], changes: Partial<HistoryInput> = {}): HistoryInput => ({
	rows: place(rows),
	kinds: ['receive', 'outbound'],
	stateOf: () => 'unknown',
	isWanted: () => true,
	nowMs: NOW_MS,
	oldestMs: NOW_MS - 24 * HOUR_MS,
	openFromMs: NOW_MS - 24 * HOUR_MS,
	...changes,
});
const state = (changes: Partial<HistoryState> = {}): HistoryState => ({
	sinceMs: NOW_MS - 10 * HOUR_MS,
	settled: [],
	open: {},
	latest: [],
	...changes,
});
const digests = (...names: string[]) => names.map(rowDigest);

/** How events stand in the inbox, by handle. */
const standing = (states: Record<string, EventState>, others: EventState = 'unknown') => ({
	stateOf: (name: string) => states[name.split(':')[1] ?? ''] ?? others,
});
const allBegun = standing({}, 'begun');

const found = (rows: Row[], from = state(), changes: Partial<HistoryInput> = {}) =>
	compareHistory(from, input(rows, changes)).found.map(({ name }) => name.split(':')[1]);
const stateAfter = (rows: Row[], from = state(), changes: Partial<HistoryInput> = {}) =>
	compareHistory(from, input(rows, changes)).state;

describe('the place of a row', () => {
	const placed = (rows: Row[]) => place(rows).map(({ placedMs }) => NOW_MS - placedMs);

	test('is its own time; without one, the time of the next older row, else of the next newer one, else now', () => {
		expect(placed([row('c', null), row('b', 5), row('a', null)])).toEqual([5, 5, 5]);
		expect(placed([row('a', null)])).toEqual([0]);
	});

	test.each([
		['not a date', 'yesterday'],
		['more than a day ahead', new Date(NOW_MS + 25 * HOUR_MS).toISOString()],
	])('does not follow a time that is %s', (_, date_sent) => {
		expect(placed([row('b', 0, { date_sent }), row('a', 7)])).toEqual([7, 7]);
	});

	test('follows a time that is up to a day ahead, as clocks and phones differ', () => {
		expect(placed([row('b', -24 * HOUR_MS), row('a', 7)])).toEqual([-24 * HOUR_MS, 7]);
	});
});

describe('a check finds', () => {
	const a = [row('a', HOUR_MS)];
	const undated = [row('a', null)];
	const held = (status: string) => [outboundRow('held', 20 * HOUR_MS, status)];
	const open = { open: { held: NOW_MS - 20 * HOUR_MS } };
	const five = ['e', 'd', 'c', 'b', 'a'].map((handle, at) => row(handle, (at + 1) * 1_000));
	const inHand = standing({ b: 'begun', c: 'waiting', d: 'handed' });

	const beganMs = (sinceMs: number) => ({ sinceMs });

	type Case = [string, Row[], string[], Partial<HistoryState>?, Partial<HistoryInput>?];
	test.each<Case>([
		['what is new, not what has begun or is in the inbox', five, ['a', 'e'], {}, inHand],
		['the oldest first, however rows are listed', [row('a', 60), row('b', 50)], ['a', 'b']],
		['of one time, the lowest first', [row('b', 40), row('a', 40)], ['a', 'b']],
		['the very moment at which the view ends', a, ['a'], beganMs(NOW_MS - HOUR_MS)],
		['rows without a date, though clocks differ', undated, ['a'], beganMs(NOW_MS + HOUR_MS)],
		['nothing that is no longer in view', a, [], beganMs(NOW_MS - HOUR_MS + 1)],
		['nothing older than Look Back at Most (Hours)', a, [], {}, { oldestMs: NOW_MS - HOUR_MS + 1 }],
		['nothing that was settled before', a, [], { settled: digests('receive:a') }],
		['nothing that is not wanted', a, [], {}, { isWanted: () => false }],
		['nothing of a kind that the node does not listen to', a, [], {}, { kinds: ['outbound'] }],
		['nothing from before of a kind that it did not listen to', a, [], {}, { lastKinds: [] }],
		['no outbound row on its way', held('QUEUED'), [], open],
		['an outbound row that is SENT', held('SENT'), ['held'], open],
		['an outbound row that is DELIVERED', held('DELIVERED'), ['held'], open],
		['an outbound row that has failed', held('ERROR'), ['held'], open],
	])('in a history: %s', (_, rows, handles, from = {}, changes = {}) => {
		expect(found(rows, state(from), changes)).toEqual(handles);
	});

	const ofNewKind = { lastKinds: [] };
	test.each<[string, Partial<HistoryInput>, string[]]>([
		['nothing that nobody wanted then', { isWanted: () => false }, []],
		['nothing of a kind that was new then', ofNewKind, []],
		['what of such a kind was in the inbox', { ...ofNewKind, ...standing({ a: 'handed' }) }, ['a']],
	])('with the next check, whatever is lost: %s', (_, changes, handles) => {
		expect(found(a, stateAfter(a, state(), changes))).toEqual(handles);
	});

	test('rows without is_outbound, whose direction their status shows (§3.1)', () => {
		const rows = ['RECEIVED', 'SENT'].map((status) => ({ message_handle: 'x', status }));
		const kinds = compareHistory(state(), input(rows)).found.map(({ event }) => event.kind);
		expect(kinds.sort()).toEqual(['outbound', 'receive']);
	});
});

describe('a check keeps in view', () => {
	/** How many texts, or other rows, the view holds behind what has not begun. */
	const inView = (rows: Row[], states: Record<string, EventState> = {}) => {
		const { sinceMs } = stateAfter(rows, state(), standing(states, 'begun'));
		return place(rows).filter(({ placedMs }) => placedMs >= sinceMs).length;
	};

	test('400 texts, also where few rows are texts; of more than 2,000 rows, those', () => {
		expect(inView(many(500))).toBe(401);
		expect(inView(many(400))).toBe(400);
		expect(inView(many(500).reverse())).toBe(401);
		const own = Array.from({ length: 2_500 }, (_, at) => outboundRow(`o${at}`, at * 1_000, 'SENT'));
		expect(inView(own)).toBe(2_001);
		expect(inView([...own.slice(0, 1_500), ...many(500)])).toBe(1_901);
	});

	test.each<EventState>(['unknown', 'waiting', 'handed'])(
		'400 texts behind the oldest that has not begun and is %s, in whatever order they are listed',
		(unbegun) => {
			expect(inView(many(500), { m50: unbegun, m9: unbegun })).toBe(452);
			const [m0, m1, ...older] = many(500);
			expect(inView([m1!, m0!, ...older], { m1: unbegun })).toBe(403);
			expect(inView(many(500), { m450: unbegun })).toBe(500);
		},
	);

	test('no older rows for an outbound row that is known to be on its way', () => {
		const held = outboundRow('held', HOUR_MS + 99_500, 'SENT');
		const rows = [...many(100), held, ...many(500).slice(100)];
		const from = state({ open: { held: NOW_MS - HOUR_MS - 99_500 } });
		const { sinceMs } = stateAfter(rows, from, standing({ held: 'handed' }, 'begun'));
		expect(sinceMs).toBe(NOW_MS - HOUR_MS - 400_000);
	});

	test('every text that has not begun, however texts come and executions hang or are lost', () => {
		const check = fc.record({
			texts: fc.nat({ max: 600 }),
			fates: fc.array(fc.constantFrom('begins', 'begins', 'hangs', 'is lost'), {
				minLength: 1,
				maxLength: 7,
			}),
		});
		fc.assert(
			fc.property(fc.array(check, { minLength: 2, maxLength: 5 }), (checks) => {
				const rows: Row[] = [];
				const states: Record<string, EventState> = {};
				let known = state({ sinceMs: 0 });
				const run = (fates: string[]) => {
					const changes = { oldestMs: 0, ...standing(states) };
					const plan = compareHistory(known, input([...rows].reverse(), changes));
					known = plan.state;
					for (const [at, { handle }] of plan.found.entries()) {
						const fate = fates[at % fates.length];
						if (fate === 'begins') states[handle] = 'begun';
						if (fate === 'hangs') states[handle] = 'handed';
					}
				};
				for (const { texts, fates } of checks) {
					for (let at = 0; at < texts; at += 1) {
						rows.push(row(`t${rows.length}`, 9_000_000 - rows.length * 1_000));
					}
					run(fates);
				}
				for (const [handle, stands] of Object.entries(states)) {
					if (stands === 'handed') states[handle] = 'unknown';
				}
				run(['begins']);
				expect(Object.values(states).filter((stands) => stands === 'begun')).toHaveLength(
					rows.length,
				);
			}),
			{ numRuns: 30 },
		);
	});

	test('nothing by a clock, which may be ahead and hide what comes, and nothing that was out of view', () => {
		const undated = Array.from({ length: 500 }, (_, at) => row(`m${at}`, null));
		expect(stateAfter(undated, state(), allBegun).sinceMs).toBe(state().sinceMs);
		const from = state({ sinceMs: NOW_MS - 1_000 });
		expect(stateAfter(many(500), from, allBegun).sinceMs).toBe(NOW_MS - 1_000);
	});
});

describe('a check waits for an outbound row', () => {
	test('from where it was first seen until it begins, and keeps no other rows in view for it', () => {
		const rows = [...many(1_000), outboundRow('held', null, 'QUEUED'), row('old', 2 * HOUR_MS)];
		const next = stateAfter(rows, state(), allBegun);
		expect(next.sinceMs).toBe(NOW_MS - HOUR_MS - 400_000);
		// It is as young as the row before it may be.
		const latestMs = NOW_MS - HOUR_MS - 999_000;
		expect(next.open).toEqual({ held: latestMs });
		expect(readFromMs(next, { oldestMs: 0, openFromMs: 0 })).toBe(latestMs);
		const sent = [outboundRow('held', 0, 'SENT')];
		expect(stateAfter(sent, next).open).toEqual({ held: latestMs });
		expect(stateAfter(sent, next, allBegun).open).toEqual({});
		const settled = [...next.settled, ...digests('outbound:held')];
		expect(stateAfter(sent, { ...next, settled }).open).toEqual({});
	});

	test('also where a reading did not reach it', () => {
		const open = { held: NOW_MS - 2 * HOUR_MS };
		expect(stateAfter([], state({ open })).open).toEqual(open);
		const rows = [row('a', HOUR_MS), outboundRow('held', null, 'QUEUED')];
		expect(stateAfter(rows, state({ open })).open).toEqual(open);
	});

	test('up to the very moment from which on it is given up', () => {
		const openFromMs = NOW_MS - 24 * HOUR_MS;
		const open = { held: openFromMs };
		expect(stateAfter([], state({ open })).open).toEqual(open);
		expect(stateAfter([], state({ open }), { openFromMs: openFromMs + 1 }).open).toEqual({});
		const from = (fromMs: number) =>
			readFromMs(state({ open }), { oldestMs: 0, openFromMs: fromMs });
		expect([from(openFromMs), from(openFromMs + 1)]).toEqual([openFromMs, state().sinceMs]);
	});

	test.each<[string, Partial<HistoryInput>]>([
		['that the node does not want', { isWanted: () => false }],
		['where it listens to texts only', { kinds: ['receive'] }],
	])('not %s', (_, changes) => {
		const rows = [outboundRow('a', null, 'QUEUED')];
		expect(stateAfter(rows).open).toEqual({ a: NOW_MS });
		expect(stateAfter(rows, state(), changes).open).toEqual({});
	});

	test('among the newest thousand', () => {
		const rows = Array.from({ length: 1_001 }, (_, at) => outboundRow(`o${at}`, at * 10, 'QUEUED'));
		const { open } = stateAfter(rows.reverse());
		expect(Object.keys(open)).toHaveLength(1_000);
		expect(open).not.toHaveProperty('o1000');
	});
});

describe('a check remembers', () => {
	test('the ten newest rows, and those of before where there are none', () => {
		expect(stateAfter(many(12)).latest).toEqual(many(10).map((one) => one.message_handle));
		expect(stateAfter([], state({ latest: ['a'] })).latest).toEqual(['a']);
	});

	test('what is settled for as long as it is in view, down to the very moment at which the view ends', () => {
		const settled = digests('receive:m0', 'receive:m400', 'receive:m401');
		const next = stateAfter(many(402), state({ settled }), allBegun);
		expect(next.sinceMs).toBe(NOW_MS - HOUR_MS - 400_000);
		expect(next.settled).toEqual(expect.arrayContaining(settled.slice(0, 2)));
		expect(next.settled).not.toContain(settled[2]);
	});

	test('what is settled and has no date until a row behind it shows its age, also when the clock is set back', () => {
		const rows = [row('new', null), row('before', null)];
		const from = state({ sinceMs: NOW_MS + HOUR_MS, settled: digests('receive:before') });
		expect(stateAfter(rows, from).settled).toEqual(digests('receive:before'));
		expect(stateAfter([row('newer', 0), ...rows], from).settled).toEqual([]);
	});

	test('at most 2,500 settled rows, in 25 KB of what n8n reads with every event', () => {
		const names = Array.from({ length: 3_000 }, (_, at) => `receive:5f0c1a52-7c51-4b0e-${at}`);
		const memory = new NodeMemory(new TestClock());
		memory.check = { account: 'a', kinds: [], history: state() };
		memory.settle(names);
		const { settled } = memory.check.history;
		expect(new Set(settled).size).toBe(2_500);
		expect(settled).toContain(rowDigest(names.at(-1)!));
		expect(JSON.stringify(settled).length).toBeLessThanOrEqual(25_001);
	});
});

describe('the first look at a history', () => {
	const rows = [row('c', 4_000), row('b', 6_000), row('a', 9_000)];
	const begin = (of: Row[], changes: Partial<HistoryInput> = {}, publishedMs = Infinity) =>
		beginHistory(input(of, changes), publishedMs);

	test('brings none of its rows, but for those that are dated after the publishing', () => {
		expect(found(rows, begin(rows))).toEqual([]);
		expect(found(rows, begin(rows, {}, NOW_MS - 6_000))).toEqual(['b', 'c']);
		const undated = [row('none', null), ...rows];
		expect(found(undated, begin(undated, {}, NOW_MS - 5_000))).toEqual(['c']);
	});

	test('brings what is in the inbox, should it be lost', () => {
		const begun = begin(rows, standing({ c: 'handed', b: 'waiting', a: 'begun' }));
		expect(found(rows, begun)).toEqual(['b', 'c']);
	});

	test('brings a row that comes later, unless it is dated before the workflow listened', () => {
		const late = (agoMs: number) => found([row('late', agoMs), ...rows], begin(rows));
		expect([late(5_000), late(5_001)]).toEqual([['late'], []]);
	});

	test('waits for outbound rows on their way', () => {
		const begun = begin([outboundRow('held', null, 'QUEUED'), ...rows]);
		expect(found([outboundRow('held', 0, 'SENT'), ...rows], begun)).toEqual(['held']);
	});

	test('hides nothing that comes where the rows are dated ahead', () => {
		const ahead = [row('b', -HOUR_MS), row('a', -HOUR_MS / 2)];
		expect(found([row('c', 0), ...ahead], begin(ahead))).toEqual(['c']);
	});
});

describe('what is older than Look Back at Most (Hours) when n8n starts', () => {
	const rows = ['d', 'c', 'b', 'a'].map((handle, at) => row(handle, (at + 1) * HOUR_MS));
	const leaveOut = (changes: Partial<HistoryInput> = {}, from: Partial<HistoryState> = {}) =>
		compareHistory(state(from), input(rows, { oldestMs: NOW_MS - 2 * HOUR_MS, ...changes }));

	test('is left out for good, and counted', () => {
		const { found: now, leftOut, state: next } = leaveOut(standing({}));
		expect(now.map(({ handle }) => handle)).toEqual(['c', 'd']);
		expect(leftOut).toBe(2);
		const late = row('late', 3 * HOUR_MS);
		expect(found([late, ...rows], next, { oldestMs: 0 })).toEqual(['c', 'd']);
	});

	test.each<[string, Partial<HistoryInput>, Partial<HistoryState>]>([
		['in the inbox or has begun', standing({ a: 'begun', b: 'waiting' }), {}],
		['unwanted', { isWanted: () => false }, {}],
		['of another kind', { kinds: ['outbound'] }, {}],
		['settled', {}, { settled: digests('receive:a', 'receive:b') }],
		['out of view', {}, { sinceMs: NOW_MS - 2 * HOUR_MS }],
	])('is not counted where it is %s', (_, changes, from) => {
		expect(leaveOut(changes, from).leftOut).toBe(0);
	});

	test('hides nothing that comes, where n8n’s clock is ahead', () => {
		const { state: next } = leaveOut({ oldestMs: NOW_MS + 9 * HOUR_MS });
		expect(found([row('e', 0), ...rows], next)).toEqual(['e']);
	});
});
