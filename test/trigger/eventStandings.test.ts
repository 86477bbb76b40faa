import { EventStandings } from '../../nodes/TwoWayMessaging/trigger/eventStandings';
import { TestClock } from '../support/testClock';

const LIMITS = { maxEvents: 4, beginsWithinMs: 100, silentForMs: 300, rememberedForMs: 1_000 };

let nowMs: number;
let standings: EventStandings;

const clock = new TestClock(() => nowMs);
const standingAt = (atMs: number, name = 'a') => {
	nowMs = atMs;
	return standings.standingOf(name);
};

beforeEach(() => {
	nowMs = 0;
	standings = new EventStandings(clock, LIMITS);
});

describe('how an event stands in a process', () => {
	test('an event is new, then under way, then settled', () => {
		expect(standingAt(0)).toBe('new');
		standings.markHandedOver('a');
		expect(standingAt(99)).toBe('underWay');
		expect(standings.mayBegin('a')).toBe(true);
		standings.markBegun('a');
		expect(standingAt(999)).toBe('settled');
		expect(standings.mayBegin('a')).toBe(false);
	});

	test('an event whose execution has not begun in time is new again, as often as it takes', () => {
		standings.markBegun('other');
		for (let atMs = 0; atMs < 900; atMs += 100) {
			expect(standingAt(atMs)).toBe('new');
			standings.markHandedOver('a');
		}
	});

	test('an event that waits in its execution is under way from then on, and shows that executions run here', () => {
		standings.markHandedOver('a');
		nowMs = 80;
		standings.markWaiting('a');
		expect(standingAt(179)).toBe('underWay');
		for (const atMs of [180, 280]) {
			expect(standingAt(atMs)).toBe('new');
			standings.markHandedOver('a');
		}
	});

	test('an event of which a check has seen what nobody wants may still come by webhook, and is then like any other', () => {
		standings.markUnwanted('a');
		expect(standingAt(999)).toBe('unwanted');
		expect([standings.mayBegin('a'), standings.isKnown('a')]).toEqual([true, true]);
		standings.markHandedOver('a');
		expect(standings.standingOf('a')).toBe('underWay');
		standings.markBegun('a');
		expect(standings.standingOf('a')).toBe('settled');
	});

	test('an event is in hand from when it waits or is handed over until it has begun, and also when it could not begin', () => {
		expect(standings.isInHand('a')).toBe(false);
		standings.markQueued('a');
		expect(standings.isInHand('a')).toBe(true);
		standings.markDropped('a');
		expect(standings.isInHand('a')).toBe(false);
		standings.markHandedOver('a');
		expect(standings.isInHand('a')).toBe(true);
		standings.markNotBegun('a');
		expect(standings.isInHand('a')).toBe(true);
		standings.markBegun('a');
		expect(standings.isInHand('a')).toBe(false);
		standings.markUnwanted('b');
		expect(standings.isInHand('b')).toBe(false);
	});

	test('an event that the checks have given up, or that was forgotten, is in hand no more', () => {
		standings.markHandedOver('a');
		standings.markHandedOver('a');
		nowMs = 299;
		expect(standings.isInHand('a')).toBe(true);
		nowMs = 300;
		expect(standings.isInHand('a')).toBe(false);
		standings.hasExecutions = true;
		expect(standings.isInHand('a')).toBe(true);
		nowMs = 1_000;
		expect(standings.isInHand('a')).toBe(false);
	});

	test('an event that waited and is dropped stands as it did before', () => {
		standings.hasExecutions = true;
		standings.markHandedOver('a');
		nowMs = 100;
		standings.markQueued('a');
		expect(standings.standingOf('a')).toBe('underWay');
		standings.markDropped('a');
		expect(standings.standingOf('a')).toBe('new');
		standings.markQueued('b');
		standings.markDropped('b');
		expect([standings.standingOf('b'), standings.isKnown('b')]).toEqual(['new', false]);
	});

	test('an event of which a check has seen what nobody wants is forgotten like any other', () => {
		standings.markUnwanted('a');
		expect(standingAt(1_000)).toBe('new');
	});

	test('an event that waits for its execution to be started is under way however long that takes', () => {
		standings.markQueued('a');
		expect(standingAt(100_000)).toBe('underWay');
		expect(standings.isKnown('a')).toBe(true);
		standings.markHandedOver('a');
		expect(standingAt(100_100)).toBe('new');
	});

	test('an event whose execution was not started is new at once, also where no execution begins', () => {
		standings.markQueued('a');
		standings.markNotBegun('a');
		expect(standingAt(0)).toBe('new');
	});

	test('an event whose execution ended before it began is new at once, but known; an event that has begun stays settled', () => {
		standings.markHandedOver('a');
		standings.markNotBegun('a');
		expect(standings.standingOf('a')).toBe('new');
		expect(standings.isKnown('a')).toBe(true);
		standings.markBegun('a');
		standings.markNotBegun('a');
		expect(standings.standingOf('a')).toBe('settled');
	});

	test('where no execution begins in this process, an event is handed over twice, and in the end settled', () => {
		standings.markHandedOver('a');
		expect(standingAt(100)).toBe('new');
		standings.markHandedOver('a');
		expect(standingAt(150)).toBe('underWay');
		expect(standingAt(200)).toBe('underWay');
		expect(standingAt(399)).toBe('underWay');
		expect(standingAt(400)).toBe('settled');
		expect(standings.mayBegin('a')).toBe(true);
	});

	test('an event that another process handed over is under way as soon as its execution waits here', () => {
		standings.markWaiting('a');
		expect(standingAt(99)).toBe('underWay');
		standings.markBegun('a');
		expect(standings.standingOf('a')).toBe('settled');
	});

	test('an event that nothing was heard of cannot have failed to begin', () => {
		standings.markNotBegun('a');
		expect(standings.isKnown('a')).toBe(false);
		expect(standings.size).toBe(0);
	});

	test('an event that is not known may begin', () => {
		expect(standings.isKnown('a')).toBe(false);
		expect(standings.mayBegin('a')).toBe(true);
	});

	test('an event that has begun may begin again when it is remembered no more', () => {
		standings.markBegun('a');
		nowMs = 999;
		expect(standings.mayBegin('a')).toBe(false);
		nowMs = 1_000;
		expect(standings.mayBegin('a')).toBe(true);
	});

	test('once an execution begins in this process, an event that was given up gets another try', () => {
		for (const atMs of [0, 100]) {
			nowMs = atMs;
			standings.markHandedOver('a');
		}
		standings.markBegun('other');
		expect(standingAt(200)).toBe('new');
	});
});

describe('the memory of events', () => {
	test('has a bound: it forgets the event first that nothing has touched for longest', () => {
		for (const name of ['a', 'b', 'c']) standings.markSettled(name);
		nowMs = 1;
		standings.markSettled('a');
		nowMs = 2;
		for (const name of ['d', 'e']) standings.markSettled(name);
		expect(standings.size).toBeLessThanOrEqual(4);
		expect(standings.standingOf('b')).toBe('new');
		expect(standings.standingOf('a')).toBe('settled');
		expect(standings.standingOf('e')).toBe('settled');
	});

	test('forgets an event that nothing has touched for long, so that it takes no room', () => {
		standings.markSettled('a');
		expect(standingAt(999)).toBe('settled');
		expect(standingAt(1_000)).toBe('new');
		for (const [name, atMs] of Object.entries({ b: 1_000, c: 2_000, d: 3_000 })) {
			nowMs = atMs;
			standings.markSettled(name);
		}
		expect(standings.size).toBeLessThanOrEqual(2);
	});

	test('counts the events of both halves', () => {
		for (const name of ['a', 'b', 'c', 'd']) standings.markSettled(name);
		expect(standings.size).toBe(4);
	});

	test('drops the older half when half of the time has passed since it last did, and not before', () => {
		nowMs = 100_000;
		standings.markSettled('first');
		standings.markSettled('a');
		nowMs += 499;
		standings.markSettled('b');
		expect(standings.isKnown('first')).toBe(true);
		nowMs += 1;
		standings.markSettled('c');
		expect(standings.isKnown('first')).toBe(false);
		expect(['a', 'b', 'c'].every((name) => standings.isKnown(name))).toBe(true);
	});

	test('lasts as the checks need it: five minutes to begin, an hour without a sign, three days in all', () => {
		const MINUTE_MS = 60_000;
		standings = new EventStandings(clock);
		standings.markHandedOver('a');
		expect(standingAt(5 * MINUTE_MS - 1)).toBe('underWay');
		expect(standingAt(5 * MINUTE_MS)).toBe('new');
		nowMs = 0;
		standings.markHandedOver('a');
		expect(standingAt(60 * MINUTE_MS - 1)).toBe('underWay');
		expect(standingAt(60 * MINUTE_MS)).toBe('settled');
		expect(standingAt(72 * 60 * MINUTE_MS - 1)).toBe('settled');
		expect(standingAt(72 * 60 * MINUTE_MS)).toBe('new');
	});

	test('keeps to its bound after many times as many events', () => {
		standings = new EventStandings(clock);
		for (nowMs = 0; nowMs < 200_000; nowMs += 1) standings.markHandedOver(`receive:${nowMs}`);
		expect(standings.size).toBeLessThanOrEqual(50_000);
		expect(standings.standingOf('receive:199999')).toBe('underWay');
	});
});
