import fc from 'fast-check';
import type { Standing } from '../../../nodes/TwoWayMessaging/trigger/eventStandings';
import {
	beginHistory,
	carryHistory,
	compareHistory,
	readFromMs,
	type HistoryInput,
} from '../../../nodes/TwoWayMessaging/trigger/missed/compareHistory';
import { excludedName } from '../../../nodes/TwoWayMessaging/trigger/missed/excludedName';
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
	isOver: () => false,
	isWanted: () => true,
	deferred: new Set(),
	nowMs: NOW_MS,
	oldestMs: NOW_MS - 24 * HOUR_MS,
	openFromMs: NOW_MS - 24 * HOUR_MS,
	graceMs: 30_000,
	view: { texts: 400, rows: 2_000 },
	...changes,
});
const state = (changes: Partial<HistoryState> = {}): HistoryState => ({
	sinceMs: NOW_MS - 10 * HOUR_MS,
	excluded: [],
	open: {},
	latest: [],
	...changes,
});
const excludedNames = (...names: string[]) => names.map(excludedName);
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

	test('follows a time that is up to a day ahead, as clocks and phones differ', () => {
		expect(placed([row('b', -24 * HOUR_MS), row('a', 7)])).toEqual([-24 * HOUR_MS, 7]);
	});

	test('changes nothing in the order of the rows', () => {
		const rows = [row('c', 1), row('b', 9), row('a', 5)];
		expect(placeRows(rows, NOW_MS).map(({ handle }) => handle)).toEqual(['c', 'b', 'a']);
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

	test('the oldest first also where the service lists rows out of order', () => {
		const rows = [row('b', 50_000), row('c', 40_000), row('a', 60_000)];
		expect(due(rows)).toEqual(['a', 'b', 'c']);
	});

	test('the lowest in the history first where several have the same time', () => {
		expect(due([row('b', 50_000), row('a', 50_000)])).toEqual(['a', 'b']);
	});

	test('rows of the very moment from which on the history is in view', () => {
		expect(due([row('a', HOUR_MS)], state({ sinceMs: NOW_MS - HOUR_MS }))).toEqual(['a']);
	});

	test('rows without a date, also when the clock is set back behind the time from which on the history is in view', () => {
		const from = state({ sinceMs: NOW_MS + HOUR_MS });
		expect(due([row('a', null)], from, { graceMs: Number.NEGATIVE_INFINITY })).toEqual(['a']);
	});

	test('rows as old as the time that a webhook may take; younger ones are left to the next check', () => {
		const { due: now, deferred } = compareHistory(
			state(),
			input([row('young', 29_999), row('old enough', 30_000)]),
		);
		expect(now.map(({ name }) => name)).toEqual(['receive:old enough']);
		expect(deferred).toEqual(['receive:young']);
	});

	test.each<[string, Partial<HistoryState>, Partial<HistoryInput>]>([
		['no longer in view', { sinceMs: NOW_MS - HOUR_MS + 1 }, {}],
		['older than Recover Up to (Hours)', {}, { oldestMs: NOW_MS - HOUR_MS + 1 }],
		['there before the workflow listened', { excluded: excludedNames('receive:a') }, {}],
		['not wanted', {}, { isWanted: () => false }],
	])('no events that are %s', (_, from, changes) => {
		expect(due([row('a', HOUR_MS)])).toEqual(['a']);
		expect(due([row('a', HOUR_MS)], state(from), changes)).toEqual([]);
	});

	test('no events of which a check has seen before that nobody wants them', () => {
		const rows = [row('a', 60_000)];
		const plan = compareHistory(state(), input(rows, { standingOf: () => 'unwanted' }));
		expect([plan.due, plan.unwanted, plan.deferred]).toEqual([[], [], []]);
	});

	test('no events that nobody wants; those that are new are named, so that other filters do not bring them', () => {
		const stands: Record<string, Standing> = { 'receive:b': 'underWay' };
		const rows = [row('b', 50_000), row('a', 60_000)];
		const plan = (isWanted: boolean) =>
			compareHistory(
				state(),
				input(rows, { isWanted: () => isWanted, standingOf: (name) => stands[name] ?? 'new' }),
			);
		expect(plan(false)).toMatchObject({ due: [], unwanted: ['receive:a'] });
		expect(plan(true).unwanted).toEqual([]);
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
		expect(plan.deferred.sort()).toEqual(['outbound:out', 'receive:in']);
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

	describe('with a view of two texts, or of four rows', () => {
		const view = { texts: 2, rows: 4 };
		/** Where the view ends, as the handle of the row there. */
		const endOfView = (
			rows: Row[],
			stands: Record<string, Standing> = {},
			from: Partial<HistoryState> = {},
		) => {
			const standingOf = (name: string) => stands[name.split(':')[1] ?? ''] ?? 'settled';
			const { sinceMs } = compareHistory(state(from), input(rows, { view, standingOf })).state;
			return placeRows(rows, NOW_MS).find(({ placedMs }) => placedMs === sinceMs)?.handle;
		};
		const texts = ['f', 'e', 'd', 'c', 'b', 'a'].map((handle, at) =>
			row(handle, HOUR_MS + at * 1_000),
		);

		test('ends behind two texts that are settled', () => {
			expect(endOfView(texts)).toBe('d');
		});

		test.each<Standing>(['new', 'underWay'])(
			'ends two texts behind the oldest one that has not begun and is %s',
			(standing) => {
				expect(endOfView(texts, { e: standing })).toBe('b');
				expect(endOfView(texts, { f: standing, e: standing })).toBe('b');
				expect(endOfView(texts, { e: standing, d: standing })).toBe('a');
			},
		);

		test('stays where it was when a text has not begun behind which there are not two', () => {
			expect(endOfView(texts, { c: 'underWay' })).toBeUndefined();
		});

		test('goes by the times of texts that the service lists out of order', () => {
			const [f, e, d] = [texts[0]!, texts[1]!, texts[2]!];
			const older = texts.slice(3);
			expect(endOfView([d, f, e, ...older])).toBe('d');
			expect(endOfView([e, d, f, ...older])).toBe('d');
		});

		test('ends behind four rows where few of them are texts', () => {
			const own = ['z', 'y', 'x', 'w', 'v'].map((handle, at) =>
				outboundRow(handle, HOUR_MS / 2 + at * 1_000, 'SENT'),
			);
			expect(endOfView([...own, ...texts])).toBe('v');
			expect(endOfView([...own.slice(0, 3), ...texts])).toBe('e');
			expect(endOfView([...own.slice(0, 1), ...texts])).toBe('d');
		});

		test('does not wait for an outbound row that is known to be on its way', () => {
			const held = outboundRow('held', HOUR_MS + 500, 'SENT');
			const open = { held: NOW_MS - HOUR_MS };
			expect(endOfView([texts[0]!, held, ...texts.slice(1)], { held: 'underWay' }, { open })).toBe(
				'd',
			);
		});

		test('passes no text that has not begun, however texts come and executions hang', () => {
			const checks = fc.array(
				fc.record({
					texts: fc.nat({ max: 6 }),
					/** Which of the events handed over begin before the next check, and which are lost. */
					fates: fc.array(fc.constantFrom('begins', 'begins', 'hangs', 'is lost'), {
						minLength: 1,
						maxLength: 7,
					}),
				}),
				{ minLength: 2, maxLength: 12 },
			);
			fc.assert(
				fc.property(checks, (taken) => {
					const rows: Row[] = [];
					const stands: Record<string, Standing> = {};
					const begun: string[] = [];
					let known = state({ sinceMs: 0 });
					const check = (fates: string[]) => {
						const plan = compareHistory(
							known,
							input([...rows].reverse(), {
								view,
								oldestMs: 0,
								graceMs: Number.NEGATIVE_INFINITY,
								standingOf: (name) => stands[name] ?? 'new',
							}),
						);
						known = plan.state;
						for (const [at, { name }] of plan.due.entries()) {
							const fate = fates[at % fates.length];
							if (fate === 'is lost') continue;
							stands[name] = fate === 'hangs' ? 'underWay' : 'settled';
							if (fate !== 'hangs') begun.push(name);
						}
					};
					for (const { texts: count, fates } of taken) {
						for (let at = 0; at < count; at += 1) {
							rows.push(row(`t${rows.length}`, 1_000_000 - rows.length * 1_000));
						}
						check(fates);
						for (const name of Object.keys(stands)) {
							if (stands[name] === 'underWay' && fates.includes('is lost')) stands[name] = 'new';
						}
					}
					for (const name of Object.keys(stands)) {
						if (stands[name] === 'underWay') stands[name] = 'new';
					}
					check(['begins']);
					expect(begun.sort()).toEqual(rows.map((one) => `receive:${one.message_handle}`).sort());
				}),
			);
		});
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

	test('waits for an outbound row that this reading did not reach, from the place where it was first seen', () => {
		const open = { held: NOW_MS - 2 * HOUR_MS };
		expect(compareHistory(state({ open }), input([])).state.open).toEqual(open);
		const rows = [row('a', HOUR_MS), outboundRow('held', null, 'QUEUED')];
		expect(compareHistory(state({ open }), input(rows)).state.open).toEqual(open);
	});

	test('waits for an outbound row up to the very moment from which on it is given up', () => {
		const open = { held: NOW_MS - 24 * HOUR_MS };
		expect(compareHistory(state({ open }), input([])).state.open).toEqual(open);
		const bounds = { oldestMs: 0, openFromMs: NOW_MS - 24 * HOUR_MS };
		expect(readFromMs(state({ open }), bounds)).toBe(NOW_MS - 24 * HOUR_MS);
		bounds.openFromMs += 1;
		expect(readFromMs(state({ open }), bounds)).toBe(state().sinceMs);
	});

	test('waits for no outbound row that the node does not want', () => {
		const rows = [outboundRow('a', null, 'QUEUED')];
		expect(compareHistory(state(), input(rows)).state.open).toEqual({ a: NOW_MS });
		const unwanted = input(rows, { isWanted: () => false });
		expect(compareHistory(state(), unwanted).state.open).toEqual({});
	});

	test('names the newest outbound rows where there are too many', () => {
		const rows = Array.from({ length: 1_001 }, (_, at) => outboundRow(`o${at}`, at * 10, 'QUEUED'));
		const { open } = compareHistory(state(), input(rows.reverse())).state;
		expect(open).toHaveProperty('o0');
		expect(open).toHaveProperty('o999');
		expect(open).not.toHaveProperty('o1000');
	});

	test('names the ten newest rows, and those of before where there are none', () => {
		const { latest } = compareHistory(state(), input(many(12))).state;
		expect(latest).toEqual(Array.from({ length: 10 }, (_, at) => `m${at}`));
		const from = state({ latest: ['a'] });
		expect(compareHistory(from, input([])).state.latest).toEqual(['a']);
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
		const from = state({ excluded: excludedNames('receive:before') });
		expect(compareHistory(from, input(many(300), allSettled)).state.excluded).toEqual(
			excludedNames('receive:before'),
		);
		expect(compareHistory(from, input(rows, allSettled)).state.excluded).toEqual([]);
	});

	test('still names an excluded row that is in view, down to the very moment at which the view ends', () => {
		const rows = many(402);
		const from = state({ excluded: excludedNames('receive:m0', 'receive:m400', 'receive:m401') });
		const next = compareHistory(from, input(rows, allSettled)).state;
		expect(next.sinceMs).toBe(NOW_MS - HOUR_MS - 400_000);
		expect(next.excluded).toEqual(excludedNames('receive:m0', 'receive:m400'));
	});

	test('still names an excluded row of which no date says how old it is, also when the clock is set back', () => {
		const rows = [row('new', null), row('before', null)];
		const from = state({ sinceMs: NOW_MS + HOUR_MS, excluded: excludedNames('receive:before') });
		expect(compareHistory(from, input(rows)).state.excluded).toEqual(
			excludedNames('receive:before'),
		);
		const dated = compareHistory(from, input([row('newer', 0), ...rows])).state;
		expect(dated.excluded).toEqual([]);
	});

	test('is of rows alone: a clock that is ahead moves nothing', () => {
		const rows = Array.from({ length: 500 }, (_, at) => row(`m${at}`, null));
		const { sinceMs } = compareHistory(state(), input(rows, allSettled)).state;
		expect(sinceMs).toBe(state().sinceMs);
	});

	test('never goes back in time', () => {
		const from = state({ sinceMs: NOW_MS - 1_000 });
		expect(compareHistory(from, input(many(500), allSettled)).state.sinceMs).toBe(NOW_MS - 1_000);
	});
});

describe('the first look at a history', () => {
	const nothing = () => false;

	test('leaves what this process has in hand to the checks, and nothing besides', () => {
		const rows = [row('d', 5_000), row('c', 40_000), row('b', 50_000), row('a', 60_000)];
		const begun = beginHistory(input(rows), (name) => ['receive:b', 'receive:c'].includes(name));
		expect(begun).toMatchObject({ sinceMs: NOW_MS - 50_000, excluded: excludedNames('receive:d') });
		expect(due(rows, begun)).toEqual(['b', 'c']);
	});

	test('takes every row as known, and waits for outbound rows on their way', () => {
		const rows = [outboundRow('held', null, 'QUEUED'), row('b', 5_000), row('a', 9_000)];
		const begun = beginHistory(input(rows), nothing);
		expect(begun).toMatchObject({ sinceMs: NOW_MS - 5_000, excluded: excludedNames('receive:b') });
		expect(due(rows, begun)).toEqual([]);
		expect(due([outboundRow('held', 0, 'SENT'), ...rows.slice(1)], begun, { graceMs: 0 })).toEqual([
			'held',
		]);
	});

	test('takes no row from an empty history', () => {
		expect(beginHistory(input([]), nothing)).toMatchObject({ sinceMs: 0, excluded: [] });
	});

	test('starts now when the clock of the service is ahead', () => {
		const rows = [row('b', -HOUR_MS), row('a', -HOUR_MS / 2)];
		const begun = beginHistory(input(rows), nothing);
		expect(due(rows, begun, { deferred: new Set(['receive:a', 'receive:b']) })).toEqual([]);
		const later = [row('c', -HOUR_MS), ...rows];
		expect(due(later, begun, { deferred: new Set(['receive:c']) })).toEqual(['c']);
	});
});

test('a workflow that is published again excludes the rows that were settled before, and no others', () => {
	const rows = [row('c', 40_000), row('b', 50_000), row('a', 60_000)];
	const carried = carryHistory(state(), input(rows, { isOver: (name) => name === 'receive:b' }));
	expect(carried.excluded).toEqual(excludedNames('receive:b'));
	expect(due(rows, carried)).toEqual(['a', 'c']);
	const late = state({ sinceMs: NOW_MS - 45_000, excluded: excludedNames('receive:x') });
	expect(carryHistory(late, input(rows, { isOver: () => true })).excluded).toEqual(
		excludedNames('receive:x', 'receive:c'),
	);
});

test('a thousand excluded rows take 14 KB of what n8n reads with every event', () => {
	const rows = Array.from({ length: 1_000 }, (_, at) =>
		row(`5f0c1a52-7c51-4b0e-9d0a-${at.toString().padStart(12, '0')}`, HOUR_MS),
	);
	const { excluded } = carryHistory(state(), input(rows, { isOver: () => true }));
	expect(new Set(excluded).size).toBe(1_000);
	expect(JSON.stringify(excluded).length).toBeLessThanOrEqual(14_001);
});
