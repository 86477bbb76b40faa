import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { Listeners } from '../../nodes/TwoWayMessaging/waiting/listeners';

const NOW_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

let listeners: Listeners;
let nowMs: number;

const clock: Clock = { nowMs: () => nowMs, sleep: async () => {} };

beforeEach(() => {
	nowMs = NOW_MS;
	listeners = new Listeners(clock);
});

/** A trigger that says when it saves. */
const trigger = (account: string, more: { credential?: string; saved?: string[] } = {}) => ({
	account,
	...(more.credential && { credential: more.credential }),
	save: async () => void more.saved?.push(account),
});

test('a trigger listens until it stops, with the account and the credential that it named last', () => {
	listeners.add('one', trigger('a', { credential: 'c' }));
	listeners.add('other', trigger('b'));
	expect(listeners.of('a')).toMatchObject([{ account: 'a', credential: 'c' }]);
	listeners.add('one', trigger('b'));
	expect([listeners.of('a'), listeners.of('b')]).toMatchObject([[], [{}, {}]]);
	expect(listeners.find('one')).toEqual({ account: 'b', save: expect.any(Function) });
	listeners.markStopped('one');
	expect([listeners.of('b'), listeners.find('one')]).toMatchObject([[{}], undefined]);
});

test('adding a trigger tells what was known of it, so that saved questions are read once', () => {
	expect(listeners.add('one', trigger('a', { credential: 'c' }))).toBeUndefined();
	expect(listeners.add('one', trigger('b'))).toMatchObject({ account: 'a', credential: 'c' });
});

test('one of the triggers that receive the texts of an account saves its questions', async () => {
	const saved: string[] = [];
	listeners.add('stopped', trigger('a', { saved }));
	listeners.markStopped('stopped');
	listeners.add('one', trigger('a', { saved }));
	listeners.add('other', trigger('a', { saved }));
	listeners.add('of another account', trigger('b', { saved }));
	await listeners.save('a');
	expect(saved).toEqual(['a']);
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
		listeners.add('webhook', trigger('a'));
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
