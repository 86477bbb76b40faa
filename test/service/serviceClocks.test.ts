import type { Answer } from '../../nodes/TwoWayMessaging/service/request';
import { earliestDateMs, ServiceClocks } from '../../nodes/TwoWayMessaging/service/serviceClocks';

const NOW_MS = Date.UTC(2026, 0, 1);
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

const answer = (dateMs?: number, body: unknown = {}): Answer => ({
	kind: 'answer',
	status: 200,
	headers: dateMs === undefined ? {} : { date: new Date(dateMs).toUTCString() },
	body,
});

describe('the service’s clock', () => {
	let clocks: ServiceClocks;

	beforeEach(() => {
		clocks = new ServiceClocks();
	});

	test.each([
		['ahead', 4 * MINUTE_MS],
		['behind', -4 * MINUTE_MS],
	])('is known to be %s from the date of an answer', (_, aheadMs) => {
		clocks.learn('a', answer(NOW_MS + aheadMs), NOW_MS);
		expect(clocks.offsetMs('a')).toBe(aheadMs);
	});

	test('is that of the last answer that has a date', () => {
		clocks.learn('a', answer(NOW_MS), NOW_MS);
		clocks.learn('a', answer(NOW_MS + MINUTE_MS, []), NOW_MS);
		clocks.learn('a', answer(), NOW_MS);
		expect(clocks.offsetMs('a')).toBe(MINUTE_MS);
	});

	test('is not that of a proxy, whose page is no JSON', () => {
		clocks.learn('a', answer(NOW_MS, '<html>'), NOW_MS);
		expect(clocks.offsetMs('a')).toBeUndefined();
	});

	test('is known of each account by itself', () => {
		clocks.learn('a', answer(NOW_MS), NOW_MS);
		expect(clocks.offsetMs('b')).toBeUndefined();
	});
});

describe('what happens now may be dated', () => {
	test.each([
		['right', 0],
		['minutes behind', -4 * MINUTE_MS],
		['minutes ahead', 4 * MINUTE_MS],
	])('half a minute earlier, where the service’s clock is %s', (_, serviceOffsetMs) => {
		expect(earliestDateMs({ sinceMs: NOW_MS, serviceOffsetMs })).toBe(
			NOW_MS + serviceOffsetMs - 30 * SECOND_MS,
		);
	});

	test('two minutes earlier, where nobody knows the service’s clock', () => {
		expect(earliestDateMs({ sinceMs: NOW_MS })).toBe(NOW_MS - 2 * MINUTE_MS);
	});
});
