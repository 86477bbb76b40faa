import fc from 'fast-check';
import { systemClock } from '../../../nodes/TwoWayMessaging/clock';
import { BegunList } from '../../../nodes/TwoWayMessaging/trigger/start/begunList';
import { TestClock } from '../../support/testClock';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const TODAY = 20_000;

let nowMs = TODAY * DAY_MS;
const clock = new TestClock(() => nowMs);

beforeEach(() => void (nowMs = TODAY * DAY_MS));

/** A table like n8n's: it is read, and written back a moment later, also over another write. */
function startTable() {
	let stored: string[] = [];
	let writing = 0;
	const writes: string[][] = [];
	const write = async (keys: string[]) => {
		writing += 1;
		if (writing > 1) throw new Error('Two wrote at once');
		const known = new Set(stored);
		await new Promise((resolve) => setImmediate(resolve));
		stored = [...known, ...keys];
		writes.push(keys);
		writing -= 1;
		return keys.filter((key) => !known.has(key));
	};
	return { write, writes };
}

describe('the durable list', () => {
	test('says which names are new to it, also of names that come at the same moment', async () => {
		const { write } = startTable();
		const list = new BegunList(clock);
		const [one, other] = await Promise.all([
			list.add(['a', 'b'], write),
			list.add(['b', 'c'], write),
		]);
		expect([...one]).toEqual(['a', 'b']);
		expect([...other]).toEqual(['c']);
		expect([...(await list.add(['a', 'd'], write))]).toEqual(['d']);
	});

	test('writes many names that come together in few groups, one at a time', async () => {
		const { write, writes } = startTable();
		const list = new BegunList(clock);
		const keys = Array.from({ length: 200 }, (_, at) => `k${at}`);
		const firsts = await Promise.all(keys.map(async (key) => await list.add([key], write)));
		expect(firsts.every((first) => first.size === 1)).toBe(true);
		expect(writes.flat().sort()).toEqual([...keys].sort());
		expect(writes.length).toBeLessThanOrEqual(2);
	});

	test('adds a name that comes while a group is written to the next one', async () => {
		const { write, writes } = startTable();
		const list = new BegunList(clock);
		let others: Promise<unknown> | undefined;
		await list.add(['a'], async (keys) => {
			others ??= Promise.all(['b', 'c'].map(async (key) => await list.add([key], write)));
			await new Promise((resolve) => setTimeout(resolve, 60));
			return await write(keys);
		});
		await others;
		expect(writes).toEqual([['a'], ['b', 'c']]);
	});

	test('says to every waiter of a group that its write has failed, and writes the next group', async () => {
		const { write } = startTable();
		const list = new BegunList(clock);
		const fail = async () => await Promise.reject(new Error('disk full'));
		const group = await Promise.allSettled([list.add(['a'], fail), list.add(['b'], fail)]);
		expect(group.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		expect([...(await list.add(['a'], write))]).toEqual(['a']);
	});

	test('rests when every group is written', async () => {
		const { write } = startTable();
		const watched = new TestClock(() => nowMs);
		const sleep = watched.sleep.bind(watched);
		let waits = 0;
		watched.sleep = async () => {
			waits += 1;
			await (waits < 20 ? sleep() : new Promise(() => {}));
		};
		const list = new BegunList(watched);
		for (const name of ['a', 'b']) {
			expect([...(await list.add([name], write))]).toEqual([name]);
			for (let turns = 0; turns < 30; turns += 1) await sleep();
		}
		expect(waits).toBe(2);
	});

	test('gives each name to one caller, however the groups fall', async () => {
		const calls = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }));
		await fc.assert(
			fc.asyncProperty(calls, async (asked) => {
				const { write } = startTable();
				const list = new BegunList(clock);
				const firsts = await Promise.all(
					asked.map(async (keys) => [...(await list.add(keys, write))]),
				);
				expect(firsts.flat().sort()).toEqual([...new Set(asked.flat())].sort());
			}),
			{ numRuns: 30 },
		);
	});

	describe('as every write costs the whole list', () => {
		beforeEach(() => void jest.useFakeTimers());
		afterEach(() => void jest.useRealTimers());

		test('writes a group when no more names join it', async () => {
			const { write, writes } = startTable();
			const list = new BegunList(systemClock);
			for (const key of ['a', 'b', 'c']) {
				void list.add([key], write);
				await jest.advanceTimersByTimeAsync(100);
				expect(writes).toEqual([]);
			}
			await jest.advanceTimersByTimeAsync(300);
			expect(writes).toEqual([['a', 'b', 'c']]);
		});

		test('writes at once when nobody else may join', async () => {
			const { write, writes } = startTable();
			const list = new BegunList(systemClock);
			void list.add(['a'], write, (waiting) => waiting < 1);
			await jest.advanceTimersByTimeAsync(0);
			expect(writes).toEqual([['a']]);
		});

		test('writes at once when everybody has joined who may', async () => {
			const { write, writes } = startTable();
			const list = new BegunList(systemClock);
			const mayJoin = (waiting: number) => waiting < 2;
			void list.add(['a'], write, mayJoin);
			await jest.advanceTimersByTimeAsync(10);
			void list.add(['b'], write, mayJoin);
			await jest.advanceTimersByTimeAsync(0);
			expect(writes).toEqual([['a', 'b']]);
		});

		test('writes a group after a second at the latest, however many names keep joining', async () => {
			const { write, writes } = startTable();
			const list = new BegunList(systemClock);
			for (let at = 0; at < 110; at += 1) {
				void list.add([`k${at}`], write);
				await jest.advanceTimersByTimeAsync(10);
			}
			expect(writes[0]).toHaveLength(105);
		});
	});
});

describe('the names that the list keeps', () => {
	/** How many names the next write keeps, of which one is the name that it adds. */
	const keptBy = async (list: BegunList) => {
		let kept = 0;
		await list.add(['a'], async (names, maxEntries) => {
			kept = maxEntries;
			return names;
		});
		return kept;
	};

	test('are as many as may be, where the process does not know how many events have begun', async () => {
		expect(await keptBy(new BegunList(clock))).toBe(100_000);
	});

	test('are those of the last eight days, those that come, and 5,000 more', async () => {
		const list = new BegunList(clock);
		list.restore({ [TODAY - 8]: 1, [TODAY - 7]: 20, [TODAY]: 300 });
		list.countBegun(4_000);
		expect(await keptBy(list)).toBe(5_000 + 20 + 300 + 4_000 + 1);
		nowMs += DAY_MS;
		expect(await keptBy(list)).toBe(5_000 + 300 + 4_000 + 1);
		nowMs += 7 * DAY_MS;
		expect(await keptBy(list)).toBe(5_000 + 1);
	});

	test('count each name of a group once', async () => {
		const list = new BegunList(clock);
		list.restore();
		const kept: number[] = [];
		const write = async (names: string[], maxEntries: number) => {
			kept.push(maxEntries);
			return names;
		};
		await Promise.all([list.add(['a', 'b'], write), list.add(['b', 'c'], write)]);
		expect(kept).toEqual([5_003]);
	});

	test('are at most 100,000', async () => {
		const list = new BegunList(clock);
		list.restore({ [TODAY]: 95_000 });
		expect(await keptBy(list)).toBe(100_000);
	});
});

describe('the events of a day', () => {
	test('are counted with those that were saved, in whichever order a process learns of them', () => {
		const list = new BegunList(clock);
		list.countBegun(2);
		list.restore({ [TODAY]: 3, [TODAY - 1]: 5 });
		list.countBegun(4);
		expect(list.countsByDay()).toEqual({ [TODAY]: 9, [TODAY - 1]: 5 });
	});

	test('are taken from what was saved once in a process', () => {
		const list = new BegunList(clock);
		list.restore({ [TODAY]: 3 });
		list.restore({ [TODAY]: 3 });
		expect(list.countsByDay()).toEqual({ [TODAY]: 3 });
	});

	test('are no entry where nothing has begun', () => {
		const list = new BegunList(clock);
		list.countBegun(0);
		expect(list.countsByDay()).toEqual({});
	});

	test('end at midnight, whatever the hour at which they began', () => {
		const list = new BegunList(clock);
		nowMs += DAY_MS - 1;
		list.countBegun(1);
		nowMs += 1;
		list.countBegun(1);
		expect(list.countsByDay()).toEqual({ [TODAY]: 1, [TODAY + 1]: 1 });
	});
});

describe('a check makes n8n save', () => {
	let list: BegunList;
	beforeEach(() => {
		list = new BegunList(clock);
		list.restore();
	});

	test('when 2,000 events have begun since the last time', () => {
		list.countBegun(1_999);
		expect(list.isSaveDue()).toBe(false);
		list.countBegun(1);
		expect(list.isSaveDue()).toBe(true);
		list.markSaved();
		list.countBegun(1_999);
		expect(list.isSaveDue()).toBe(false);
	});

	test('when an event has begun and twelve hours have passed since the last time', () => {
		list.countBegun(1);
		nowMs += 12 * HOUR_MS - 1;
		expect(list.isSaveDue()).toBe(false);
		list.restore();
		nowMs += 1;
		expect(list.isSaveDue()).toBe(true);
		list.markSaved();
		list.countBegun(1);
		nowMs += 12 * HOUR_MS - 1;
		expect(list.isSaveDue()).toBe(false);
		nowMs += 1;
		expect(list.isSaveDue()).toBe(true);
	});

	test('never while no event has begun', () => {
		nowMs += 30 * DAY_MS;
		expect(list.isSaveDue()).toBe(false);
	});
});
