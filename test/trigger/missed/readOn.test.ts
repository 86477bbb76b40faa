import fc from 'fast-check';
import type { IPollFunctions, WorkflowActivateMode } from 'n8n-workflow';
import { CheckedActivations } from '../../../nodes/TwoWayMessaging/n8n/activation';
import type { Fields } from '../../../nodes/TwoWayMessaging/message';
import { ProcessMemory } from '../../../nodes/TwoWayMessaging/processMemory';
import { EventStandings } from '../../../nodes/TwoWayMessaging/trigger/eventStandings';
import { CheckMemory } from '../../../nodes/TwoWayMessaging/trigger/missed/checkMemory';
import { compareHistory } from '../../../nodes/TwoWayMessaging/trigger/missed/compareHistory';
import { excludedName } from '../../../nodes/TwoWayMessaging/trigger/missed/excludedName';
import { readOn, type ReadingLimits } from '../../../nodes/TwoWayMessaging/trigger/missed/readOn';
import { triggerCall } from '../../../nodes/TwoWayMessaging/trigger/nodeMemory';
import type { CheckState, HistoryState } from '../../../nodes/TwoWayMessaging/trigger/savedState';
import type { TriggerSettings } from '../../../nodes/TwoWayMessaging/trigger/settings';
import { TestClock } from '../../support/testClock';
import { connectionTo, response } from '../../transport/caller';

const NOW_MS = Date.UTC(2026, 0, 10);
const SECOND_MS = 1_000;
const HOUR_MS = 60 * 60 * SECOND_MS;

/** A text, as the history shows it. */
const text = (handle: string, agoMs: number): Fields => ({
	message_handle: handle,
	date_sent: new Date(NOW_MS - agoMs).toISOString(),
	is_outbound: false,
	status: 'RECEIVED',
});
const texts = (count: number, agoMs = HOUR_MS) =>
	Array.from({ length: count }, (_, at) => text(`t${at}`, agoMs + at * SECOND_MS));

const history = (changes: Partial<HistoryState> = {}): HistoryState => ({
	sinceMs: NOW_MS - 5 * HOUR_MS,
	excluded: [],
	open: {},
	latest: [],
	...changes,
});

type World = {
	/** Newest first. */
	rows?: Fields[];
	/** What the last check of another process has left. */
	saved?: HistoryState;
	/** What the last check of this process has left. */
	last?: HistoryState;
	account?: string;
	activation?: WorkflowActivateMode;
	/** Whether the activation has had a check. */
	isChecked?: boolean;
	settings?: Partial<TriggerSettings>;
	settled?: string[];
	underWay?: string[];
	isWanted?: boolean;
	limits?: ReadingLimits;
	/** The time of n8n. */
	nowMs?: number;
	/** The time that the service tells with its answers, if any. */
	serviceMs?: number | null;
};

async function read(world: World) {
	const { rows = [], saved, last, account, activation = 'init', isChecked = false } = world;
	const memory = new ProcessMemory(new TestClock(() => world.nowMs ?? NOW_MS));
	const { connection, asked } = await connectionTo(({ qs }) => {
		const from = qs?.before
			? rows.findIndex(({ message_handle: handle }) => handle === qs.before) + 1
			: 0;
		const { serviceMs } = world;
		const headers = typeof serviceMs === 'number' && { date: new Date(serviceMs).toUTCString() };
		return response(200, { messages: rows.slice(from, from + Number(qs?.limit)) }, headers || {});
	}, memory);
	const { accountId } = connection.settings;
	const left = (of: HistoryState): CheckState => ({
		account: account ?? accountId,
		history: of,
		lines: { l1: { blockedAt: null } },
	});
	const warnings: string[] = [];
	const staticData = { ...(saved && { check: left(saved) }) };
	const caller = {
		getWorkflow: () => ({ id: 'w1' }),
		getNode: () => ({ id: 'n1', name: 'Trigger', parameters: {} }),
		getActivationMode: () => activation,
		getWorkflowStaticData: () => staticData,
		logger: { warn: (message: string) => warnings.push(message) },
	} as unknown as IPollFunctions;
	const call = triggerCall(caller, memory);
	if (last) call.memory.part(CheckMemory).last = left(last);
	if (isChecked) call.memory.part(CheckedActivations).markChecked(caller);
	const standings = call.memory.part(EventStandings);
	for (const handle of world.underWay ?? []) standings.markHandedOver(`receive:${handle}`);
	for (const handle of world.settled ?? []) standings.markSettled(`receive:${handle}`);
	const settings = {
		receiveBy: 'webhook',
		recoverHours: 24,
		...world.settings,
	} as TriggerSettings;
	const isWanted = () => world.isWanted ?? true;
	const reading = await readOn(call, connection, settings, isWanted, world.limits);
	return { ...reading, warnings, requests: asked.length };
}

const handlesIn = ({ input }: Awaited<ReturnType<typeof read>>) =>
	input.rows.map(({ handle }) => handle);

describe('the history starts over', () => {
	const rows = texts(2);

	test('where nothing is known of it: it goes on behind its newest row', async () => {
		const reading = await read({ rows });
		expect(reading).toMatchObject({ isNew: true, state: { latest: ['t0', 't1'] } });
		expect(reading.state.sinceMs).toBe(NOW_MS - HOUR_MS);
		expect(reading.lines).toBeUndefined();
	});

	test('but for what this process has in hand, and has not begun', async () => {
		const world: World = { rows: texts(3), activation: 'activate', underWay: ['t1'] };
		const { state } = await read(world);
		expect(state).toMatchObject({
			sinceMs: NOW_MS - HOUR_MS - SECOND_MS,
			excluded: [excludedName('receive:t0')],
		});
		expect((await read({ ...world, settled: ['t1'] })).state.sinceMs).toBe(NOW_MS - HOUR_MS);
	});

	test('where a person activates the workflow, whatever is known', async () => {
		const reading = await read({ rows, saved: history(), activation: 'activate' });
		expect(reading.isNew).toBe(true);
		expect(reading.state.sinceMs).toBe(NOW_MS - HOUR_MS);
	});

	test('where another account has it', async () => {
		const saved = history({ latest: ['gone'] });
		expect((await read({ rows, saved, account: 'another' })).isNew).toBe(true);
	});

	test('and costs one request, however long it is', async () => {
		const { requests } = await read({ rows: texts(2_000) });
		expect(requests).toBe(1);
	});

	test('and is read back until now, where the clock of the service is ahead', async () => {
		const ahead = texts(600, -HOUR_MS);
		const reading = await read({ rows: [...ahead, ...texts(600).map(renamed)] });
		expect(reading.requests).toBe(2);
		expect(reading.state.excluded).toHaveLength(600);
	});
});

const renamed = (row: Fields): Fields => ({ ...row, message_handle: `old ${row.message_handle}` });

describe('the history goes on', () => {
	const rows = texts(2);

	test.each(['init', 'update'] as const)('after the activation "%s"', async (activation) => {
		const reading = await read({ rows, saved: history(), activation });
		expect(reading).toMatchObject({
			isNew: false,
			state: history(),
			lines: { l1: { blockedAt: null } },
		});
	});

	test('from one check to the next', async () => {
		const reading = await read({ rows, last: history(), activation: 'activate', isChecked: true });
		expect(reading).toMatchObject({ isNew: false, state: history() });
	});

	test('under another key pair that shows one of the newest rows', async () => {
		const saved = history({ latest: ['t1'] });
		expect((await read({ rows, saved, account: 'another' })).isNew).toBe(false);
	});

	test('and is read to a little behind the place where the last check stopped', async () => {
		const rows = texts(3_000, 0);
		const { requests } = await read({ rows, last: history({ sinceMs: NOW_MS - 700 * SECOND_MS }) });
		expect(requests).toBe(2);
	});

	test('and excludes what is settled only where it is published again', async () => {
		const world = { rows, saved: history(), settled: ['t1'] };
		expect((await read({ ...world, activation: 'update' })).state.excluded).toEqual([
			excludedName('receive:t1'),
		]);
		expect((await read({ ...world, activation: 'init' })).state.excluded).toEqual([]);
	});

	test('and events stand in it as they do in this process', async () => {
		const { input } = await read({ rows, saved: history(), settled: ['t1'] });
		expect(['receive:t0', 'receive:t1'].map(input.standingOf)).toEqual(['new', 'settled']);
		expect(['receive:t0', 'receive:t1'].map(input.isOver)).toEqual([false, true]);
	});

	test('with so many settled rows in view that a late row among them is found', async () => {
		const { input } = await read({ rows });
		expect(input.view).toEqual({ texts: 400, rows: 2_000 });
	});
});

describe('rows without a readable date', () => {
	const nameOf = ({ message_handle: handle }: Fields) => excludedName(`receive:${String(handle)}`);
	const undated = (count: number, name: string) =>
		texts(count).map((row, at) => ({ ...row, message_handle: `${name}${at}`, date_sent: null }));
	const known = undated(20, 'old');
	const saved = history({ sinceMs: 0, latest: ['old0', 'old1'], excluded: known.map(nameOf) });

	test.each([150, 700, 1_500])(
		'are all read, down to one that the last check knew: %d of them',
		async (count) => {
			const rows = [...undated(count, 'new'), ...known];
			const { state, input } = await read({ rows, saved });
			const { due } = compareHistory(state, input);
			expect(new Set(due.map(({ name }) => name)).size).toBe(count);
			expect(due.map(({ name }) => name)).not.toContain('receive:old0');
		},
	);

	test('are not read to the end of a long history', async () => {
		const rows = [...undated(700, 'new'), ...known, ...undated(5_000, 'older')];
		const older = undated(5_000, 'older').map(nameOf);
		const everKnown = { ...saved, excluded: [...saved.excluded, ...older] };
		expect((await read({ rows, saved: everKnown })).requests).toBe(2);
		expect((await read({ rows })).requests).toBe(1);
		expect((await read({ rows, saved: everKnown, account: 'another' })).requests).toBe(1);
	});
});

describe('a webhook has 30 seconds', () => {
	test.each<[string, World]>([
		['at a check', { last: history(), isChecked: true }],
		['at the first check of a workflow that is published again', { activation: 'update' }],
		['at the first check of a workflow that a person activates', { activation: 'activate' }],
		['at a check of an n8n that has started long ago', { isChecked: true }],
	])('%s', async (_, world) => {
		expect((await read(world)).input.graceMs).toBe(30_000);
	});

	test.each<[string, World]>([
		['as none is on its way to an n8n that has just started', { activation: 'init' }],
		['as none comes where the node polls', { settings: { receiveBy: 'polling' }, isChecked: true }],
	])('but none where there is none: %s', async (_, world) => {
		expect((await read(world)).input.graceMs).toBe(Number.NEGATIVE_INFINITY);
	});
});

describe('Recover Up to (Hours)', () => {
	const settings = { recoverHours: 2 };
	const old = history({ sinceMs: NOW_MS - 10 * HOUR_MS });

	test('bounds the first check of a process, and no later one', async () => {
		expect((await read({ settings })).input.oldestMs).toBe(NOW_MS - 2 * HOUR_MS);
		const later = await read({ settings, last: old });
		expect(later.input.oldestMs).toBe(0);
		expect(later.state).toEqual(old);
		expect(later.warnings).toEqual([]);
	});

	test('leaves out for good what is older', async () => {
		const newer = await read({ settings, saved: old, rows: [text('new', HOUR_MS)] });
		expect(newer.state).toMatchObject({ sinceMs: NOW_MS - 2 * HOUR_MS, excluded: [] });
		// Nothing is known to be later than the newest row: n8n's clock may be ahead.
		const older = await read({ settings, saved: old, rows: [text('old', 5 * HOUR_MS)] });
		expect(older.state).toMatchObject({
			sinceMs: NOW_MS - 5 * HOUR_MS,
			excluded: [excludedName('receive:old')],
		});
		const recent = history({ sinceMs: NOW_MS - HOUR_MS });
		expect((await read({ settings, saved: recent })).state.sinceMs).toBe(NOW_MS - HOUR_MS);
	});

	test('leaves out nothing by a clock alone, where no row has a date', async () => {
		const row = { ...text('a', 0), date_sent: null };
		const reading = await read({ settings, saved: old, rows: [row] });
		expect(reading.state).toMatchObject({ sinceMs: old.sinceMs, excluded: [] });
	});

	test('counts for outbound rows that wait only where it is more than 72 hours', async () => {
		expect((await read({ settings })).input.openFromMs).toBe(NOW_MS - 72 * HOUR_MS);
		const long = await read({ settings: { recoverHours: 100 } });
		expect(long.input.openFromMs).toBe(NOW_MS - 100 * HOUR_MS);
	});

	describe('says in the log what it leaves out', () => {
		const row = text('a', 5 * HOUR_MS);
		const warningsOf = async (world: World) =>
			(await read({ rows: [row], saved: old, settings, ...world })).warnings;

		test('with the number of events and of hours', async () => {
			expect(await warningsOf({ rows: [row, text('b', 6 * HOUR_MS)] })).toEqual([
				'Trigger: left out at least 2 events that are older than 2 hours and came while n8n was away',
			]);
		});

		test('from the very moment at which the last check stopped', async () => {
			const saved = history({ sinceMs: NOW_MS - 5 * HOUR_MS });
			expect(await warningsOf({ saved })).toHaveLength(1);
		});

		test.each<[string, World]>([
			['is no older than that', { rows: [text('a', 2 * HOUR_MS)] }],
			['came before the last check stopped', { rows: [text('a', 11 * HOUR_MS)] }],
			['was excluded before', { saved: { ...old, excluded: [excludedName('receive:a')] } }],
			['is not wanted', { isWanted: false }],
			['has no final state', { rows: [{ ...row, is_outbound: true, status: 'QUEUED' }] }],
			['is a row that the last check knew', { saved: { ...old, latest: ['a'] } }],
			[
				'is older than a row that the last check knew',
				{ rows: [text('known', HOUR_MS), row], saved: { ...old, latest: ['known'] } },
			],
			['is not there', { rows: [] }],
		])('and nothing of what %s', async (_, world) => {
			expect(await warningsOf(world)).toEqual([]);
		});

		test('of the rows that are newer than those the last check knew', async () => {
			const rows = [text('b', 4 * HOUR_MS), row, text('c', 6 * HOUR_MS)];
			const saved = { ...old, latest: ['a'] };
			expect((await warningsOf({ rows, saved })).join()).toContain('at least 1 events');
		});
	});
});

describe('of a history with more rows than a check keeps', () => {
	const limits = { view: { texts: 20, rows: 100 }, mostRows: 1_000 };
	const rows = texts(2_600, 0);
	const last = history({ sinceMs: NOW_MS - 2_500 * SECOND_MS });
	const world = { rows, last, limits, isChecked: true };
	/** The older rows, of which a check keeps the oldest. */
	const older = rows.slice(300).map(({ message_handle: handle }) => String(handle));

	test('the oldest rows come first', async () => {
		const reading = await read(world);
		expect(handlesIn(reading)).toHaveLength(1_000);
		expect(handlesIn(reading).at(-1)).toBe('t2599');
		expect(reading.state).toEqual(last);
	});

	test('the newer ones come where all of the oldest have begun', async () => {
		const reading = await read({ ...world, settled: older });
		expect(handlesIn(reading)[0]).toBe('t0');
		expect(reading.state.sinceMs).toBeGreaterThan(last.sinceMs);
	});

	test('the oldest ones are kept while one of them has not begun', async () => {
		const settled = older.filter((name) => name !== 't2300');
		const reading = await read({ ...world, settled });
		expect(handlesIn(reading)).not.toContain('t0');
		expect(reading.state).toEqual(last);
	});

	test('the check ends while the oldest of them may still begin', async () => {
		const reading = await read({ ...world, underWay: older });
		expect(handlesIn(reading)).not.toContain('t0');
		expect(reading.state).toEqual(last);
	});

	test('20,000 rows are kept', async () => {
		const many = texts(20_600, 0);
		const reading = await read({ rows: many, last: history({ sinceMs: 0 }), isChecked: true });
		expect(handlesIn(reading)).toHaveLength(20_000);
	});
});

describe('whatever the clocks do from check to check,', () => {
	const MINUTE_MS = 60 * SECOND_MS;
	const offMs = fc
		.constantFrom(0, -0.5, 0.5, -10, 10, -60, 60, -3_000, 3_000)
		.map((minutes) => minutes * MINUTE_MS);
	const clocks = fc.record({ n8n: offMs, service: fc.option(offMs) });
	const isDated = fc.boolean();

	test('nothing from before publishing comes, and everything after it comes once', async () => {
		const world = fc.record({
			old: fc.array(isDated, { maxLength: 12 }),
			published: clocks,
			checks: fc.array(fc.record({ texts: fc.array(isDated, { maxLength: 3 }), clocks }), {
				minLength: 1,
				maxLength: 10,
			}),
		});
		await fc.assert(
			fc.asyncProperty(world, async ({ old, published, checks }) => {
				let timeMs = NOW_MS;
				const rows: Fields[] = [];
				const add = (handle: string, hasDate: boolean, agoMs = 0) =>
					rows.unshift({
						...text(handle, NOW_MS - timeMs + agoMs),
						...(!hasDate && { date_sent: null }),
					});
				for (const [at, hasDate] of old.entries()) {
					add(`old${at}`, hasDate, (old.length - at) * MINUTE_MS);
				}
				const started: string[] = [];
				const check = async ({ n8n, service }: typeof published, last?: HistoryState) => {
					const { state, input, isNew } = await read({
						rows,
						last,
						activation: 'activate',
						isChecked: last !== undefined,
						settings: { receiveBy: 'polling' },
						settled: started,
						limits: { view: { texts: 2, rows: 4 }, mostRows: 1_000 },
						nowMs: timeMs + n8n,
						serviceMs: service === null ? null : timeMs + service,
					});
					expect(isNew).toBe(last === undefined);
					const plan = compareHistory(state, input);
					started.push(...plan.due.map(({ name }) => name.replace('receive:', '')));
					return plan.state;
				};
				// Where no row tells the time, only a clock can, and texts with a date that come later are measured by it.
				const isTold = old.length === 0 || old.includes(true);
				const aheadMs = published.service ?? published.n8n;
				fc.pre(isTold || aheadMs <= 0);

				let state = await check(published);
				const wanted: string[] = [];
				for (const { texts: added, clocks: told } of checks) {
					timeMs += MINUTE_MS;
					for (const hasDate of added) {
						const handle = `new${wanted.length}`;
						add(handle, hasDate);
						wanted.push(handle);
					}
					state = await check(told, state);
				}

				expect([...started].sort()).toEqual(wanted.sort());
			}),
			{ numRuns: 300 },
		);
	});
});
