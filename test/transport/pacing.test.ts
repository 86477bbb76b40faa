import { Lane, retryAfterMs } from '../../nodes/TwoWayMessaging/transport/lane';
import { Lanes } from '../../nodes/TwoWayMessaging/transport/pacing';
import type { Answer } from '../../nodes/TwoWayMessaging/transport/request';

const accepted = (remaining?: number): Answer => ({
	kind: 'answer',
	status: 201,
	headers: remaining === undefined ? {} : { 'x-ratelimit-remaining': String(remaining) },
	body: {},
});

const refused = (retryAfter?: string): Answer => ({
	kind: 'answer',
	status: 429,
	headers: { 'x-ratelimit-remaining': '0', 'retry-after': retryAfter },
	body: {},
});

/** How many of ten requests at the same time are let in. */
const letIn = (lane: Lane, nowMs: number) =>
	Array.from({ length: 10 }, () => lane.tryEnter(nowMs)).filter(Boolean).length;

describe('§8.1 a lane', () => {
	test('lets one request ahead while it is not known what is left', () => {
		expect(letIn(new Lane(), 0)).toBe(1);
	});

	test('lets in as many at once as the service says are left', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(accepted(3), 0);

		expect(letIn(lane, 0)).toBe(3);
	});

	test('lets one request ahead again when nothing is left, as only the service knows when a window ends', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(accepted(0), 0);

		expect(letIn(lane, 0)).toBe(1);
	});

	test('lets no request in before the time that a refusal names, and one at that time', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(refused('7'), 1_000);

		expect(letIn(lane, 7_999)).toBe(0);
		expect(letIn(lane, 8_000)).toBe(1);
	});

	test('asks when it opens again at a whole second of the window, as Retry-After is rounded up', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(accepted(1), 100);
		lane.tryEnter(300);
		lane.leave(accepted(0), 350);

		expect(letIn(lane, 1_099)).toBe(0);
		expect(letIn(lane, 1_100)).toBe(1);
	});

	test('forgets what was left before a refusal', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(accepted(5), 0);
		lane.tryEnter(0);
		lane.leave(refused('1'), 0);

		expect(letIn(lane, 1_000)).toBe(1);
	});

	test('is open to all once a new window is seen', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(refused('1'), 0);
		lane.tryEnter(1_000);
		lane.leave(accepted(59), 1_010);

		expect(letIn(lane, 1_010)).toBe(10);
	});

	test('ignores a higher number that a lower one has overtaken', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(accepted(4), 0);
		for (let request = 0; request < 3; request += 1) lane.tryEnter(0);
		lane.leave(accepted(1), 0);
		lane.leave(accepted(3), 0);
		// One is still under way, so the one that is left may be its place.
		expect(letIn(lane, 0)).toBe(0);
	});

	test('is open to all where the service does not say what is left', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(accepted(), 0);

		expect(letIn(lane, 0)).toBe(10);
	});

	test('lets the next request in after one that brought no answer', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(undefined, 0);

		expect(letIn(lane, 0)).toBe(1);
	});

	test('waits longer and longer, up to a minute, where refusals name no time', () => {
		const lane = new Lane();
		const waits = [1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000);
		let nowMs = 0;
		for (const waitMs of waits) {
			expect(lane.tryEnter(nowMs)).toBe(true);
			lane.leave(refused(), nowMs);
			expect(lane.closedForMs(nowMs)).toBe(waitMs);
			nowMs += waitMs;
		}
	});

	test('does not hammer a service whose refusals always name no wait at all', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(refused('0'), 0);
		lane.tryEnter(0);
		lane.leave(refused('0'), 0);

		expect(lane.closedForMs(0)).toBe(1_000);
	});
});

describe('§8.1 Retry-After', () => {
	const at = Date.parse('2026-01-01T00:00:00Z');

	test.each([
		['whole seconds', '12', 12_000],
		['a date', 'Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
		['a date that is over', 'Wed, 31 Dec 2025 00:00:00 GMT', 0],
		['nothing', '', undefined],
		['no number', 'soon', undefined],
	])('is read from %s', (_what, value, waitMs) => {
		expect(retryAfterMs(refused(value), at)).toBe(waitMs);
	});
});

describe('§8.1 a send, which counts for its own limit and for that of all requests,', () => {
	const LIMITS = { own: 60, all: 300 };

	/** An answer that shows one of the two limits. */
	const showing = (limit: keyof typeof LIMITS, remaining: number, status = 201): Answer => ({
		kind: 'answer',
		status,
		headers: {
			'x-ratelimit-limit': String(LIMITS[limit]),
			'x-ratelimit-remaining': String(remaining),
			...(status === 429 && { 'retry-after': '7' }),
		},
		body: {},
	});

	let send: ReturnType<Lanes['routeOf']>;
	let read: typeof send;

	/** Lets one request through. */
	const pass = (route: typeof send, answer: Answer, nowMs = 0) => {
		expect(route.tryEnter(nowMs)).toBe(true);
		route.leave(answer, nowMs);
	};

	const entered = (route: typeof send, nowMs = 0) =>
		Array.from({ length: 10 }, () => route.tryEnter(nowMs)).filter(Boolean).length;

	beforeEach(() => {
		const lanes = new Lanes();
		send = lanes.routeOf('a', 'sendMessage');
		read = lanes.routeOf('a');
	});

	test('waits where another request was refused by the limit of all', () => {
		pass(send, showing('own', 59));
		pass(read, showing('all', 0, 429));

		expect(send.tryEnter(6_999)).toBe(false);
		expect(send.tryEnter(7_000)).toBe(true);
	});

	test('closes the limit of all when that has refused it, and not its own', () => {
		pass(send, showing('own', 59));
		pass(read, showing('all', 2));
		pass(send, showing('all', 0, 429));

		expect(read.tryEnter(6_999)).toBe(false);
		expect(entered(read, 7_000)).toBe(1);
	});

	test('leaves other requests alone when its own limit has refused it', () => {
		pass(send, showing('own', 59));
		pass(read, showing('all', 200));
		pass(send, showing('own', 0, 429));

		expect(entered(read)).toBe(10);
		expect(send.tryEnter(6_999)).toBe(false);
	});

	test('uses one of the limit of all', () => {
		pass(read, showing('all', 3));
		pass(send, showing('own', 59));

		expect(entered(read)).toBe(2);
	});

	test('is as fast as its own limit lets it be while nothing is known of the other', () => {
		pass(send, showing('own', 59));

		expect(entered(send)).toBe(10);
	});

	test('does not keep the first other request from asking what is left', () => {
		pass(send, showing('own', 59));
		send.tryEnter(0);

		expect(entered(read)).toBe(1);
	});

	test('does not open the limit of all when its answer was overtaken by the last one of the window', () => {
		pass(read, showing('all', 2));
		send.tryEnter(0);
		pass(read, showing('all', 0));
		send.leave(showing('own', 59), 0);

		expect(entered(read, 1_000)).toBe(1);
		expect(entered(send, 1_000)).toBe(0);
	});

	test('shows that a new window has begun where the count of the old one says that nothing is left', () => {
		pass(read, showing('all', 1));
		pass(send, showing('own', 59));
		pass(send, showing('own', 58), 1_000);

		expect(entered(send, 1_000)).toBe(10);
	});
});
