import fc from 'fast-check';
import { systemClock } from '../../../nodes/TwoWayMessaging/clock';
import { BegunList } from '../../../nodes/TwoWayMessaging/trigger/start/begunList';

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
		const list = new BegunList(systemClock);
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
		const list = new BegunList(systemClock);
		const keys = Array.from({ length: 200 }, (_, at) => `k${at}`);
		const firsts = await Promise.all(keys.map(async (key) => await list.add([key], write)));
		expect(firsts.every((first) => first.size === 1)).toBe(true);
		expect(writes.flat().sort()).toEqual([...keys].sort());
		expect(writes.length).toBeLessThanOrEqual(2);
	});

	test('adds a name that comes while a group is written to the next one', async () => {
		const { write, writes } = startTable();
		const list = new BegunList(systemClock);
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
		const list = new BegunList(systemClock);
		const fail = async () => await Promise.reject(new Error('disk full'));
		const group = await Promise.allSettled([list.add(['a'], fail), list.add(['b'], fail)]);
		expect(group.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		expect([...(await list.add(['a'], write))]).toEqual(['a']);
	});

	test('gives each name to one caller, however the groups fall', async () => {
		const calls = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }));
		await fc.assert(
			fc.asyncProperty(calls, async (asked) => {
				const { write } = startTable();
				const list = new BegunList(systemClock);
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
				await jest.advanceTimersByTimeAsync(30);
				expect(writes).toEqual([]);
			}
			await jest.advanceTimersByTimeAsync(100);
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
			await jest.advanceTimersByTimeAsync(30);
			void list.add(['b'], write, mayJoin);
			await jest.advanceTimersByTimeAsync(15);
			expect(writes).toEqual([['a', 'b']]);
		});

		test('writes a group after a second at the latest, however many names keep joining', async () => {
			const { write, writes } = startTable();
			const list = new BegunList(systemClock);
			for (let at = 0; at < 105; at += 1) {
				void list.add([`k${at}`], write);
				await jest.advanceTimersByTimeAsync(10);
			}
			expect(writes[0]).toHaveLength(100);
		});
	});
});
