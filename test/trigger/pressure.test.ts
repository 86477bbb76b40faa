import { Pressure } from '../../nodes/TwoWayMessaging/trigger/pressure';
import type { Clock } from '../../nodes/TwoWayMessaging/clock';

/** A process in which every pause takes this much longer than asked. */
const busyFor = (delayMs: number) => {
	const clock: Clock & { ms: number } = {
		ms: 0,
		nowMs: () => clock.ms,
		sleep: async (durationMs) => {
			await Promise.resolve();
			clock.ms += durationMs + delayMs;
		},
	};
	return { clock, pressure: new Pressure(clock) };
};

describe('requests press', () => {
	test('when executions were handed over that have not begun', async () => {
		const { pressure } = busyFor(0);
		pressure.markRequest();
		expect(await pressure.isHigh(1)).toBe(false);
		expect(await pressure.isHigh(2)).toBe(true);
	});

	test('when another one comes in the same moment', async () => {
		const { pressure } = busyFor(0);
		pressure.markRequest();
		const isHigh = pressure.isHigh(0);
		pressure.markRequest();
		expect(await isHigh).toBe(true);
	});

	test('when the process has been busy for long at a time', async () => {
		expect(await busyFor(19).pressure.isHigh(0)).toBe(false);
		expect(await busyFor(20).pressure.isHigh(0)).toBe(true);
	});
});

describe('answers are due', () => {
	test('while requests come and the process is busy', async () => {
		const { clock, pressure } = busyFor(50);
		expect(pressure.areAnswersDue()).toBe(false);
		pressure.markRequest();
		await pressure.isHigh(0);
		expect(pressure.areAnswersDue()).toBe(true);
		clock.ms += 150;
		expect(pressure.areAnswersDue()).toBe(false);
	});

	test('not where requests come one after the other and the process has time', async () => {
		const { pressure } = busyFor(1);
		pressure.markRequest();
		await pressure.isHigh(0);
		expect(pressure.areAnswersDue()).toBe(false);
	});
});
