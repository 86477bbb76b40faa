import { Account, Accounts, earliestDateMs } from '../../nodes/TwoWayMessaging/service/account';
import type { Answer } from '../../nodes/TwoWayMessaging/service/outcome';

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
	let account: Account;

	beforeEach(() => {
		account = new Account();
	});

	test.each([
		['ahead', 4 * MINUTE_MS],
		['behind', -4 * MINUTE_MS],
	])('is known to be %s from the date of an answer', (_, aheadMs) => {
		account.learnClock(answer(NOW_MS + aheadMs), NOW_MS);
		expect(account.clockOffsetMs).toBe(aheadMs);
	});

	test('is that of the last answer that has a date', () => {
		account.learnClock(answer(NOW_MS), NOW_MS);
		account.learnClock(answer(NOW_MS + MINUTE_MS, []), NOW_MS);
		account.learnClock(answer(), NOW_MS);
		expect(account.clockOffsetMs).toBe(MINUTE_MS);
	});

	test('is not that of a proxy, whose page is no JSON', () => {
		account.learnClock(answer(NOW_MS, '<html>'), NOW_MS);
		expect(account.clockOffsetMs).toBeUndefined();
	});
});

test('what one account teaches says nothing of another', () => {
	const accounts = new Accounts();
	expect(accounts.of('a')).toBe(accounts.of('a'));
	expect(accounts.of('a')).not.toBe(accounts.of('b'));
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
