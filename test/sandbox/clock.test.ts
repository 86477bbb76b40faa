import fc from 'fast-check';
import { Clock } from '../../sandbox/src';

describe('The clock', () => {
	test('runs timers in the order of their time, and two of the same time in the order in which they were set', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 60 }), async (delays) => {
				const clock = Clock.stopped(0);
				const ran: Array<[number, number]> = [];
				delays.forEach((delay, n) => clock.after(delay, () => ran.push([clock.now(), n])));
				await clock.advance(20);
				const expected = delays
					.map((delay, n): [number, number] => [delay, n])
					.sort(([a, m], [b, n]) => a - b || m - n);
				expect(ran).toEqual(expected);
			}),
		);
	});

	test('runs a timer that another timer sets on the way, at its own time', async () => {
		const clock = Clock.stopped(0);
		const ran: number[] = [];
		const again = () => {
			ran.push(clock.now());
			clock.after(10, again);
		};
		clock.after(10, again);
		await clock.advance(35);
		expect(ran).toEqual([10, 20, 30]);
		expect(clock.now()).toBe(35);
	});

	test('does not run a timer that was cancelled', async () => {
		const clock = Clock.stopped(0);
		let ran = false;
		clock.after(5, () => {
			ran = true;
		})();
		await clock.advance(10);
		expect(ran).toBe(false);
	});

	test('waits on the way until what has started settles, so that it can set its next timer', async () => {
		const clock = Clock.stopped(0);
		const ran: number[] = [];
		let pending = Promise.resolve();
		clock.after(10, () => {
			pending = new Promise((resolve) => setImmediate(resolve)).then(() => {
				clock.after(10, () => ran.push(clock.now()));
			});
		});
		await clock.advance(100, async () => await pending);
		expect(ran).toEqual([20]);
	});

	test('advances twice in a row when it is told so twice at once', async () => {
		const clock = Clock.stopped(0);
		await Promise.all([clock.advance(10), clock.advance(10)]);
		expect(clock.now()).toBe(20);
	});

	test('fires by itself while it runs, and leaves the receivers’ time alone when it is advanced', async () => {
		const clock = Clock.running();
		await new Promise<void>((resolve) => clock.after(1, resolve));
		await clock.advance(43_200_000);
		expect(clock.now() - Date.now()).toBeGreaterThan(43_199_000);
		expect(Math.abs(clock.receiverNow() - Date.now())).toBeLessThan(1_000);
		clock.stop();
	});

	test('fires an earlier timer first, even if it was set later', async () => {
		const clock = Clock.running();
		const ran: string[] = [];
		clock.after(3_600_000, () => ran.push('in an hour'));
		await new Promise<void>((resolve) =>
			clock.after(1, () => {
				ran.push('now');
				resolve();
			}),
		);
		expect(ran).toEqual(['now']);
		clock.stop();
	});
});
