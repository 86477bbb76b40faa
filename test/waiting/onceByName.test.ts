import { OnceByName } from '../../nodes/TwoWayMessaging/waiting/onceByName';

let once: OnceByName;
let done: string[];

beforeEach(() => {
	once = new OnceByName();
	done = [];
});

const run = async (name: string, isDone = true) =>
	await once.run(name, async () => {
		done.push(name);
		return await Promise.resolve(isDone);
	});

test('what is asked for once more, at the same time or later, is not done again and has the same result', async () => {
	expect(await Promise.all([run('a'), run('a')])).toEqual([true, true]);
	expect(await run('a')).toBe(true);
	expect(done).toEqual(['a']);
});

test('a name is known while its work is under way and when it is done, and not when it did not work', async () => {
	const running = run('a', false);
	expect(once.has('a')).toBe(true);
	expect(await running).toBe(false);
	expect(once.has('a')).toBe(false);

	expect(await run('a')).toBe(true);
	expect(once.has('a')).toBe(true);
	expect(done).toEqual(['a', 'a']);
});

test('work that throws is done again by those who wait for it, as they were not stopped', async () => {
	const stopped = once.run('a', async () => {
		await Promise.resolve();
		throw new Error('The execution was cancelled');
	});
	const other = run('a');
	await expect(stopped).rejects.toThrow('cancelled');
	expect(await other).toBe(true);
	expect(done).toEqual(['a']);
});

describe('a name is remembered', () => {
	const runMany = async (count: number) => {
		for (let place = 0; place < count; place += 1) await run(`${place}`);
		done.length = 0;
	};

	test('although a thousand came, with it', async () => {
		await runMany(1_000);
		await run('0');
		expect(done).toEqual([]);
	});

	test('until a thousand others came, so that memory stays small', async () => {
		await runMany(1_001);
		await run('0');
		expect(done).toEqual(['0']);
	});
});
