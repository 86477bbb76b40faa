import { Queue } from '../nodes/TwoWayMessaging/queue';

/** Work that lasts until the test ends it, and what has begun so far. */
function begin(queue: Queue) {
	const begun: string[] = [];
	const ends = new Map<string, () => void>();
	const work = (
		key: string,
		name: string,
		untilTurn?: (before: Promise<unknown>) => Promise<void>,
	) =>
		queue.inTurn(
			key,
			async () => {
				begun.push(name);
				await new Promise<void>((resolve) => ends.set(name, resolve));
				return name;
			},
			untilTurn,
		);
	const end = async (name: string) => {
		ends.get(name)?.();
		await new Promise((resolve) => setImmediate(resolve));
	};
	return { begun, work, end };
}

describe('work with one key', () => {
	test('goes one after the other, in the order in which it came, and beside that with another key', async () => {
		const { begun, work, end } = begin(new Queue());
		const all = ['a', 'b', 'c'].map(async (name) => await work('key', name));
		void work('other', 'beside');
		expect(begun).toEqual(['a', 'beside']);
		await end('a');
		expect(begun).toEqual(['a', 'beside', 'b']);
		await end('b');
		await end('c');
		expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
	});

	test('goes on behind what has failed', async () => {
		const queue = new Queue();
		const failing = queue.inTurn('key', async () => await Promise.reject(new Error('no')));
		const next = queue.inTurn('key', async () => await Promise.resolve('done'));
		await expect(failing).rejects.toThrow('no');
		expect(await next).toBe('done');
	});

	test('does not go on too early behind a turn that was given up', async () => {
		const { begun, work, end } = begin(new Queue());
		void work('key', 'a');
		const givenUp = work('key', 'b', async () => await Promise.reject(new Error('cancelled')));
		void work('key', 'c');
		await expect(givenUp).rejects.toThrow('cancelled');
		expect(begun).toEqual(['a']);
		await end('a');
		expect(begun).toEqual(['a', 'c']);
	});
});
