import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { Listeners } from '../../nodes/TwoWayMessaging/waiting/listeners';

const NOW_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
const URL = 'https://n8n.example/webhook';

let listeners: Listeners;
let nowMs: number;

const clock: Clock = { nowMs: () => nowMs, sleep: async () => {} };

beforeEach(() => {
	nowMs = NOW_MS;
	listeners = new Listeners(clock);
});

describe('a trigger listens', () => {
	test('while it has a URL, or has polled within a day', () => {
		listeners.add('webhook', { account: 'a', url: URL });
		listeners.add('stopped', { account: 'a' });
		nowMs += DAY_MS - 1;
		expect(listeners.of('a')).toHaveLength(2);

		nowMs += 1;
		listeners.add('polls', { account: 'a' });
		listeners.add('other', { account: 'b' });

		expect(listeners.of('a')).toHaveLength(2);
		listeners.markStopped('webhook');
		expect(listeners.of('a')).toEqual([{ account: 'a', seenAtMs: nowMs }]);
	});

	test('with the account, the credential and the URL that it named last', () => {
		listeners.add('webhook', { account: 'a', credential: 'c' });
		listeners.add('webhook', { account: 'b', url: URL });
		expect(listeners.find('webhook')).toEqual({ account: 'b', url: URL, seenAtMs: NOW_MS });
		expect(listeners.find('other')).toBeUndefined();
	});
});

test('adding a trigger tells what was known of it, so that saved questions are read once', () => {
	const trigger = { account: 'a', credential: 'c' };
	expect(listeners.add('webhook', trigger)).toBeUndefined();
	expect(listeners.add('webhook', { account: 'b' })).toEqual({ ...trigger, seenAtMs: NOW_MS });
});

describe('triggers may be missing', () => {
	/** Unless a test says so, n8n was loaded three minutes before it first had to do with a trigger. */
	const isMissing = (loadedMs = -3 * MINUTE_MS) => listeners.mayBeMissing(NOW_MS + loadedMs);

	test('for twenty seconds at the start of n8n, until its workflows are active', () => {
		const loadedMs = -3 * MINUTE_MS + 1;
		nowMs += 19_999;
		expect(isMissing(loadedMs)).toBe(true);
		nowMs += 1;
		expect(isMissing(loadedMs)).toBe(false);
	});

	test('not where n8n has been running for minutes when the first question is asked', () => {
		expect(isMissing()).toBe(false);
	});

	test('for ten seconds after one has stopped listening, as it may be published again', () => {
		listeners.add('webhook', { account: 'a', url: URL });
		listeners.markStopped('webhook');
		nowMs += 9_999;
		expect(isMissing()).toBe(true);
		nowMs += 1;
		expect(isMissing()).toBe(false);
	});

	test('not where one stops that did not listen', () => {
		listeners.markStopped('webhook');
		expect(isMissing()).toBe(false);
	});
});
