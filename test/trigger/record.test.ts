import fc from 'fast-check';
import { Recorder } from '../../nodes/TwoWayMessaging/trigger/record';

/** A table as n8n's: read, then written back a moment later, whoever else did so meanwhile. */
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
	test('tells who is first, of those at the same moment too', async () => {
		const { write } = startTable();
		const recorder = new Recorder();
		const [one, other] = await Promise.all([
			recorder.record(['a', 'b'], write),
			recorder.record(['b', 'c'], write),
		]);
		expect([...one]).toEqual(['a', 'b']);
		expect([...other]).toEqual(['c']);
		expect([...(await recorder.record(['a', 'd'], write))]).toEqual(['d']);
	});

	test('writes many that come together in few groups, one at a time', async () => {
		const { write, writes } = startTable();
		const recorder = new Recorder();
		const keys = Array.from({ length: 200 }, (_, at) => `k${at}`);
		const firsts = await Promise.all(keys.map(async (key) => await recorder.record([key], write)));
		expect(firsts.every((first) => first.size === 1)).toBe(true);
		expect(writes.flat().sort()).toEqual([...keys].sort());
		expect(writes.length).toBeLessThanOrEqual(2);
	});

	test('who comes while a group is written waits for the next one', async () => {
		const { write, writes } = startTable();
		const recorder = new Recorder();
		let others: Promise<unknown> | undefined;
		await recorder.record(['a'], async (keys) => {
			others ??= Promise.all(['b', 'c'].map(async (key) => await recorder.record([key], write)));
			await new Promise((resolve) => setTimeout(resolve, 60));
			return await write(keys);
		});
		await others;
		expect(writes).toEqual([['a'], ['b', 'c']]);
	});

	test('a write that fails is told to everybody in the group, and the next group is written', async () => {
		const { write } = startTable();
		const recorder = new Recorder();
		const fail = async () => await Promise.reject(new Error('disk full'));
		const group = await Promise.allSettled([
			recorder.record(['a'], fail),
			recorder.record(['b'], fail),
		]);
		expect(group.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		expect([...(await recorder.record(['a'], write))]).toEqual(['a']);
	});

	test('each key is first once, however the groups fall', async () => {
		const calls = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }));
		await fc.assert(
			fc.asyncProperty(calls, async (asked) => {
				const { write } = startTable();
				const recorder = new Recorder();
				const firsts = await Promise.all(
					asked.map(async (keys) => [...(await recorder.record(keys, write))]),
				);
				expect(firsts.flat().sort()).toEqual([...new Set(asked.flat())].sort());
			}),
			{ numRuns: 30 },
		);
	});

	describe('as every write costs the whole list', () => {
		beforeEach(() => void jest.useFakeTimers());
		afterEach(() => void jest.useRealTimers());

		test('a group is written once nobody joins it any more', async () => {
			const { write, writes } = startTable();
			const recorder = new Recorder();
			for (const key of ['a', 'b', 'c']) {
				void recorder.record([key], write);
				await jest.advanceTimersByTimeAsync(30);
				expect(writes).toEqual([]);
			}
			await jest.advanceTimersByTimeAsync(100);
			expect(writes).toEqual([['a', 'b', 'c']]);
		});

		test('nobody waits for more than a second, however many keep joining', async () => {
			const { write, writes } = startTable();
			const recorder = new Recorder();
			for (let at = 0; at < 105; at += 1) {
				void recorder.record([`k${at}`], write);
				await jest.advanceTimersByTimeAsync(10);
			}
			expect(writes[0]).toHaveLength(100);
		});
	});
});
