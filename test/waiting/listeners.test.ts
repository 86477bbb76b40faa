import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { Listeners } from '../../nodes/TwoWayMessaging/waiting/listeners';

const NOW_MS = Date.UTC(2026, 0, 1);
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
		listeners.remove('webhook');
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
