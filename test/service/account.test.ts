import { Account, Accounts } from '../../nodes/TwoWayMessaging/service/account';
import type { Answer } from '../../nodes/TwoWayMessaging/service/outcome';
import { MINUTE_MS } from '../support/times';

const NOW_MS = Date.UTC(2026, 0, 1);

const answer = (dateMs?: number, body: unknown = {}): Answer => ({
	kind: 'answer',
	status: 200,
	headers: dateMs === undefined ? {} : { date: new Date(dateMs).toUTCString() },
	body,
});

test.each<[string, Answer[], number | undefined]>([
	['ahead', [answer(NOW_MS + 4 * MINUTE_MS)], 4 * MINUTE_MS],
	['behind', [answer(NOW_MS - 4 * MINUTE_MS)], -4 * MINUTE_MS],
	[
		'as in the last answer that has a date',
		[answer(NOW_MS), answer(NOW_MS + MINUTE_MS, []), answer()],
		MINUTE_MS,
	],
	['unknown from the page of a proxy', [answer(NOW_MS, '<html>')], undefined],
])('the service’s clock is known by the dates of its answers: %s', (_, answers, aheadMs) => {
	const account = new Account();
	for (const one of answers) account.learnClock(one, NOW_MS);
	expect(account.clockOffsetMs).toBe(aheadMs);
});

test('what one account teaches says nothing of another', () => {
	const accounts = new Accounts();
	expect(accounts.of('a')).toBe(accounts.of('a'));
	expect(accounts.of('a')).not.toBe(accounts.of('b'));
});
