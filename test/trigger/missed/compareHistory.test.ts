import type { Standing } from '../../../nodes/TwoWayMessaging/trigger/eventStandings';
import {
	beginHistory,
	carryHistory,
	compareHistory,
	readFromMs,
	type HistoryInput,
} from '../../../nodes/TwoWayMessaging/trigger/missed/compareHistory';
import { placeRows } from '../../../nodes/TwoWayMessaging/trigger/missed/placeRows';
import type { HistoryState } from '../../../nodes/TwoWayMessaging/trigger/savedState';

const NOW_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;

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

const input = (rows: Row[], changes: Partial<HistoryInput> = {}): HistoryInput => ({
	rows: placeRows(rows, NOW_MS),
	standingOf: () => 'new',
	mayBegin: () => true,
	isWanted: () => true,
	deferred: new Set(),
	nowMs: NOW_MS,
	oldestMs: NOW_MS - 24 * HOUR_MS,
	openFromMs: NOW_MS - 24 * HOUR_MS,
	graceMs: 30_000,
	...changes,
});
const state = (changes: Partial<HistoryState> = {}): HistoryState => ({
	sinceMs: NOW_MS - 10 * HOUR_MS,
	excluded: [],
	open: {},
	latest: [],
	...changes,
});
const due = (rows: Row[], from = state(), changes: Partial<HistoryInput> = {}) =>
	compareHistory(from, input(rows, changes)).due.map(({ name }) => name.split(':')[1]);

describe('the place of a row', () => {
	const placed = (rows: Row[]) => placeRows(rows, NOW_MS).map(({ placedMs }) => NOW_MS - placedMs);

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

	test('rows without a handle are left out', () => {
		expect(placed([row('', 5), row('a', 5)])).toEqual([5]);
	});
});

describe('due are', () => {
	test('new events, oldest first, and neither settled ones nor those under way', () => {
		const stands: Record<string, Standing> = { 'receive:b': 'settled', 'receive:c': 'underWay' };
		const rows = [row('d', 40_000), row('c', 50_000), row('b', 60_000), row('a', 70_000)];
		expect(due(rows, state(), { standingOf: (name) => stands[name] ?? 'new' })).toEqual(['a', 'd']);
	});

	test.each<[string, Partial<HistoryState>, Partial<HistoryInput>]>([
		['no longer in view', { sinceMs: NOW_MS - HOUR_MS + 1 }, {}],
		['older than Recover Up to (Hours)', {}, { oldestMs: NOW_MS - HOUR_MS + 1 }],
		['there before the workflow listened', { excluded: ['a'] }, {}],
		['not wanted', {}, { isWanted: () => false }],
	])('no events that are %s', (_, from, changes) => {
		expect(due([row('a', HOUR_MS)])).toEqual(['a']);
		expect(due([row('a', HOUR_MS)], state(from), changes)).toEqual([]);
	});

	test('outbound rows that have reached a final state, wherever they stand', () => {
		const open = state({ open: { held: NOW_MS - 20 * HOUR_MS } });
		const rows = (status: string) => [outboundRow('held', 20 * HOUR_MS, status)];
		expect(due(rows('QUEUED'), open)).toEqual([]);
		for (const status of ['SENT', 'DELIVERED', 'ERROR']) {
			expect(due(rows(status), open)).toEqual(['held']);
		}
	});

	test('rows without is_outbound, whose direction their status shows (§3.1)', () => {
		const plan = compareHistory(
			state(),
			input([
				{ message_handle: 'in', status: 'RECEIVED' },
				{ message_handle: 'out', status: 'SENT' },
			]),
		);
		expect(plan.deferred.sort()).toEqual(['in', 'out']);
		const kinds = placeRows([{ message_handle: 'x', status: 'SENT' }], NOW_MS);
		expect(kinds).toMatchObject([{ event: { kind: 'outbound' } }]);
	});
});

describe('the state for the next check', () => {
	/** `count` settled rows, a second excluded, the newest first. */
	const many = (count: number) =>
		Array.from({ length: count }, (_, at) => row(`m${at}`, HOUR_MS + at * 1_000));
	const allSettled = { standingOf: () => 'settled' as const };

	test('keeps so many settled rows in view that a late row among them is found', () => {
		const { sinceMs } = compareHistory(state(), input(many(500), allSettled)).state;
		expect(sinceMs).toBe(NOW_MS - HOUR_MS - 400_000);
		expect(compareHistory(state(), input(many(400), allSettled)).state.sinceMs).toBe(
			state().sinceMs,
		);
	});

	test.each<Standing>(['new', 'underWay'])(
		'keeps a row in view that is %s, however many rows come after it',
		(standing) => {
			const rows = [...many(1_000), row('waiting', 2 * HOUR_MS)];
			const standingOf = (name: string) => (name === 'receive:waiting' ? standing : 'settled');
			const { sinceMs } = compareHistory(state(), input(rows, { standingOf })).state;
			expect(sinceMs).toBeLessThanOrEqual(NOW_MS - 2 * HOUR_MS);
		},
	);

	test('names an outbound row that is on its way, and does not keep older rows in view for it', () => {
		const rows = [...many(1_000), outboundRow('held', null, 'QUEUED'), row('old', 2 * HOUR_MS)];
		const next = compareHistory(state(), input(rows, allSettled)).state;
		expect(next.sinceMs).toBe(NOW_MS - HOUR_MS - 400_000);
		// It is as young as the row before it may be.
		const latestMs = NOW_MS - HOUR_MS - 999_000;
		expect(next.open).toEqual({ held: latestMs });
		expect(readFromMs(next, { oldestMs: 0, openFromMs: 0 })).toBe(latestMs);
		const later = compareHistory(next, input([outboundRow('held', 0, 'SENT')], allSettled)).state;
		expect(later.open).toEqual({});
	});

	test('names outbound rows for as long as Recover Up to (Hours), and at most a thousand', () => {
		const gone = state({ open: { held: NOW_MS - 25 * HOUR_MS } });
		expect(compareHistory(gone, input([])).state.open).toEqual({});
		const rows = Array.from({ length: 1_500 }, (_, at) => outboundRow(`o${at}`, null, 'QUEUED'));
		const { open } = compareHistory(state(), input(rows)).state;
		expect(Object.keys(open)).toHaveLength(1_000);
	});

	test('no longer names an excluded row when its time alone excludes it', () => {
		const rows = [...many(500), row('before', 10 * HOUR_MS)];
		const from = state({ excluded: ['before'] });
		expect(compareHistory(from, input(many(300), allSettled)).state.excluded).toEqual(['before']);
		expect(compareHistory(from, input(rows, allSettled)).state.excluded).toEqual([]);
	});

	test('never goes back in time', () => {
		const from = state({ sinceMs: NOW_MS - 1_000 });
		expect(compareHistory(from, input(many(500), allSettled)).state.sinceMs).toBe(NOW_MS - 1_000);
	});
});

describe('the first look at a history', () => {
	test('takes every row as known, and waits for outbound rows on their way', () => {
		const rows = [outboundRow('held', null, 'QUEUED'), row('b', 5_000), row('a', 9_000)];
		const begun = beginHistory(input(rows));
		expect(begun).toMatchObject({ sinceMs: NOW_MS - 5_000, excluded: ['b'] });
		expect(due(rows, begun)).toEqual([]);
		expect(due([outboundRow('held', 0, 'SENT'), ...rows.slice(1)], begun, { graceMs: 0 })).toEqual([
			'held',
		]);
	});

	test('takes no row from an empty history', () => {
		expect(beginHistory(input([]))).toMatchObject({ sinceMs: 0, excluded: [] });
	});

	test('starts now when the clock of the service is ahead', () => {
		const rows = [row('b', -HOUR_MS), row('a', -HOUR_MS / 2)];
		const begun = beginHistory(input(rows));
		expect(due(rows, begun, { deferred: new Set(['a', 'b']) })).toEqual([]);
		const later = [row('c', -HOUR_MS), ...rows];
		expect(due(later, begun, { deferred: new Set(['c']) })).toEqual(['c']);
	});
});

test('a workflow that is published again excludes the rows that were settled before, and no others', () => {
	const rows = [row('c', 40_000), row('b', 50_000), row('a', 60_000)];
	const carried = carryHistory(state(), input(rows, { mayBegin: (name) => name !== 'receive:b' }));
	expect(carried.excluded).toEqual(['b']);
	expect(due(rows, carried)).toEqual(['a', 'c']);
});
