import { SeenList } from '../../nodes/TwoWayMessaging/trigger/seen';

const limits = { maxEntries: 4, handedForMs: 100, unheardForMs: 300, keptForMs: 1_000 };

describe('the list of events that a process has met', () => {
	test('an event is new once', () => {
		const seen = new SeenList(limits);
		expect(seen.standing('a', 0)).toBe('new');
		seen.hand('a', 0);
		expect(seen.standing('a', 99)).toBe('handed');
		seen.begin('a', 50);
		expect(seen.standing('a', 999)).toBe('settled');
	});

	test('what was handed over and has not begun in time is new again, as often as it takes', () => {
		const seen = new SeenList(limits);
		seen.begin('other', 0);
		for (let nowMs = 0; nowMs < 900; nowMs += 100) {
			expect(seen.standing('a', nowMs)).toBe('new');
			seen.hand('a', nowMs);
		}
	});

	test('what waits in its execution stands as handed over from then on, and shows that executions run here', () => {
		const seen = new SeenList(limits);
		seen.hand('a', 0);
		seen.hold('a', 80);
		expect(seen.standing('a', 179)).toBe('handed');
		for (const nowMs of [180, 280]) {
			expect(seen.standing('a', nowMs)).toBe('new');
			seen.hand('a', nowMs);
		}
	});

	test('what was given back is new at once, but not unknown; what has begun cannot be given back', () => {
		const seen = new SeenList(limits);
		seen.hand('a', 0);
		seen.hold('a', 10);
		seen.giveBack('a', 20);
		expect(seen.standing('a', 20)).toBe('new');
		expect(seen.isKnown('a')).toBe(true);
		seen.begin('a', 30);
		seen.giveBack('a', 40);
		expect(seen.standing('a', 40)).toBe('settled');
	});

	test('where no execution begins in this process, it is handed over twice and then let be', () => {
		const seen = new SeenList(limits);
		seen.hand('a', 0);
		expect(seen.standing('a', 100)).toBe('new');
		seen.hand('a', 100);
		expect(seen.standing('a', 150)).toBe('handed');
		expect(seen.standing('a', 200)).toBe('unheard');
		expect(seen.standing('a', 400)).toBe('abandoned');
	});

	test('once an execution begins in this process, what was let be gets another try', () => {
		const seen = new SeenList(limits);
		for (const nowMs of [0, 100]) seen.hand('a', nowMs);
		seen.begin('other', 150);
		expect(seen.standing('a', 200)).toBe('new');
	});

	test('it is bounded: what was not touched for longest goes first', () => {
		const seen = new SeenList(limits);
		for (const key of ['a', 'b', 'c']) seen.settle(key, 0);
		seen.settle('a', 1);
		for (const key of ['d', 'e']) seen.settle(key, 2);
		expect(seen.size).toBeLessThanOrEqual(4);
		expect(seen.standing('b', 2)).toBe('new');
		expect(seen.standing('a', 2)).toBe('settled');
		expect(seen.standing('e', 2)).toBe('settled');
	});

	test('it ages: what nobody touched for long is forgotten, and takes no room', () => {
		const seen = new SeenList(limits);
		seen.settle('a', 0);
		expect(seen.standing('a', 999)).toBe('settled');
		expect(seen.standing('a', 1_000)).toBe('new');
		seen.settle('b', 1_000);
		seen.settle('c', 2_000);
		seen.settle('d', 3_000);
		expect(seen.size).toBeLessThanOrEqual(2);
	});

	test('after a million events it holds no more than its bound', () => {
		const seen = new SeenList();
		for (let at = 0; at < 1_000_000; at += 1) seen.hand(`receive:${at}`, at);
		expect(seen.size).toBeLessThanOrEqual(50_000);
		expect(seen.standing('receive:999999', 1_000_000)).toBe('handed');
	});
});
