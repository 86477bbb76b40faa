import {
	lookUntil,
	type Look,
	type Schedule,
} from '../../nodes/TwoWayMessaging/resources/lookUntil';
import type { Caller } from '../../nodes/TwoWayMessaging/transport/request';
import { SkippingClock } from '../support/testClock';

/** Looks until `look` finds something; returns what it finds, and when it has looked. */
async function looksOf(schedule: Schedule, look: (looks: number) => Look<string>) {
	const clock = new SkippingClock();
	const times: number[] = [];
	const caller = {} as Caller;
	const found = await lookUntil({ caller, clock }, schedule, async () => {
		times.push(clock.nowMs());
		return look(times.length);
	});
	return { found, times };
}

describe('looking until something is found', () => {
	test('ends with the look that finds it', async () => {
		const { found, times } = await looksOf({ pausesMs: [100, 200, 300] }, (looks) =>
			looks === 2 ? { found: 'row' } : {},
		);

		expect(found).toBe('row');
		expect(times).toEqual([100, 300]);
	});

	test('uses each pause once where there is no time limit', async () => {
		const { found, times } = await looksOf({ pausesMs: [100, 200] }, () => ({}));

		expect(found).toBeUndefined();
		expect(times).toEqual([100, 300]);
	});

	test('repeats the last pause until the time is over, and looks a last time then', async () => {
		const { times } = await looksOf({ pausesMs: [100, 400], atMostMs: 1_000 }, () => ({}));

		expect(times).toEqual([100, 500, 900, 1_000]);
	});

	test('waits longer where the service asks for it, but never beyond the time limit', async () => {
		const asked = [700, 9_000];
		const { times } = await looksOf({ pausesMs: [0, 100], atMostMs: 1_000 }, (looks) => ({
			askedPauseMs: asked[looks - 1],
		}));

		expect(times).toEqual([0, 700, 1_000]);
	});

	test('looks once without any time to wait where the first pause is zero, else not at all', async () => {
		const withoutPause = await looksOf({ pausesMs: [0, 100], atMostMs: 0 }, () => ({}));
		const withPause = await looksOf({ pausesMs: [100], atMostMs: 0 }, () => ({}));

		expect(withoutPause.times).toEqual([0]);
		expect(withPause.times).toEqual([]);
	});

	test('never looks again without a pause, also where the time limit is not a number', async () => {
		const { times } = await looksOf({ pausesMs: [0, 100], atMostMs: Number.NaN }, (looks) => {
			if (looks > 10) throw new Error('looks without end');
			return {};
		});

		expect(times).toEqual([0]);
	});

	test('ends with what a look throws', async () => {
		const looking = looksOf({ pausesMs: [100] }, () => {
			throw new Error('no connection');
		});

		await expect(looking).rejects.toThrow('no connection');
	});
});
