import { Queue, Rounds } from '../nodes/TwoWayMessaging/queue';
import { turns } from './support/turns';

/** Work that lasts until the test ends it, and what has begun so far. */
function begin(queue: Queue) {
	const begun: string[] = [];
	const ends = new Map<string, () => void>();
	const work = async (key: string, name: string) =>
		await queue.inTurn(key, async () => {
			begun.push(name);
			await new Promise<void>((resolve) => ends.set(name, resolve));
			return name;
		});
	const end = async (name: string) => {
		ends.get(name)?.();
		await turns(1);
	};
	return { begun, work, end };
}

describe('work with one key', () => {
	test('goes one after the other, in the order in which it came, and beside that with another key', async () => {
		const { begun, work, end } = begin(new Queue());
		const all = ['a', 'b'].map(async (name) => await work('key', name));
		void work('other', 'beside');
		expect(begun).toEqual(['a', 'beside']);
		await end('a');
		all.push(work('key', 'c'));
		expect(begun).toEqual(['a', 'beside', 'b']);
		for (const name of ['b', 'c']) await end(name);
		expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
		void work('key', 'behind all, at once');
		expect(begun.at(-1)).toBe('behind all, at once');
	});

	test('goes on behind what has failed', async () => {
		const queue = new Queue();
		const failing = queue.inTurn('key', async () => await Promise.reject(new Error('no')));
		const next = queue.inTurn('key', async () => await Promise.resolve('done'));
		await expect(failing).rejects.toThrow('no');
		expect(await next).toBe('done');
	});
});

describe('a round of work', () => {
	test('is shared by all who come before it begins, and waits for the round before', async () => {
		const rounds = new Rounds<string>();
		const begun: string[] = [];
		const ends: Array<() => void> = [];
		const join = async (name: string) =>
			await rounds.join(async () => {
				begun.push(name);
				await new Promise<void>((resolve) => ends.push(resolve));
				return name;
			});
		const first = [join('a'), join('shares a')];
		await turns(1);
		const second = [join('b'), join('shares b')];
		await turns(1);
		expect(begun).toEqual(['a']);
		ends[0]?.();
		await turns(1);
		expect(begun).toEqual(['a', 'b']);
		ends[1]?.();
		expect(await Promise.all([...first, ...second])).toEqual(['a', 'a', 'b', 'b']);
	});

	test('that fails, or whose turn does not come, keeps no later one back', async () => {
		const rounds = new Rounds<string>();
		const refuse = async () => await Promise.reject(new Error('no'));
		await expect(rounds.join(refuse)).rejects.toThrow('no');
		await expect(rounds.join(async () => 'never', refuse)).rejects.toThrow('no');
		expect(await rounds.join(async () => 'done')).toBe('done');
	});
});
