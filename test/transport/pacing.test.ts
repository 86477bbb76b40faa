import { Lanes } from '../../nodes/TwoWayMessaging/transport/pacing';
import type { Answer } from '../../nodes/TwoWayMessaging/transport/request';

describe('§8.1 a send, which counts for its own limit and for that of all requests,', () => {
	const LIMITS = { own: 60, all: 300, higher: 500 };

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

	let lanes: Lanes;
	let send: ReturnType<Lanes['routeOf']>;
	let upload: typeof send;
	let read: typeof send;

	/** Lets one request through. */
	const pass = (route: typeof send, answer: Answer, nowMs = 0) => {
		expect(route.tryEnter(nowMs)).toBe(true);
		route.leave(answer, nowMs);
	};

	const entered = (route: typeof send, nowMs = 0) =>
		Array.from({ length: 10 }, () => route.tryEnter(nowMs)).filter(Boolean).length;

	beforeEach(() => {
		lanes = new Lanes();
		send = lanes.routeOf('a', 'sendMessage');
		upload = lanes.routeOf('a', 'media');
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
		pass(read, showing('all', 3));
		pass(send, showing('own', 0, 429));

		expect(entered(read)).toBe(3);
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

	test('knows the limit of all by its size, also before any other request has shown it', () => {
		pass(send, showing('own', 59));
		pass(send, showing('all', 299));
		pass(send, showing('all', 0, 429));

		expect(read.tryEnter(6_999)).toBe(false);
		expect(read.tryEnter(7_000)).toBe(true);
	});

	test('knows the limit of all from other requests, also where its own limit is higher', () => {
		pass(read, showing('all', 200));
		pass(send, showing('higher', 499));
		pass(send, showing('all', 0, 429));

		expect(read.tryEnter(6_999)).toBe(false);
	});

	test('does not take its own limit for that of all while only its own is known', () => {
		pass(send, showing('own', 59));
		pass(send, showing('own', 0, 429));

		expect(read.tryEnter(0)).toBe(true);
	});

	test('does not take a limit without a name for that of all', () => {
		pass(send, showing('own', 59));
		pass(send, { kind: 'answer', status: 429, headers: { 'retry-after': '7' }, body: {} });

		expect(read.tryEnter(0)).toBe(true);
	});

	test('knows what is left of its own limit after a refusal by the limit of all', () => {
		pass(send, showing('own', 59));
		pass(read, showing('all', 100));
		pass(send, showing('all', 0, 429));
		pass(read, showing('all', 100), 7_000);

		expect(entered(send, 7_000)).toBe(10);
	});

	test('is as fast as the limit of all lets it be where every answer shows that one', () => {
		pass(read, showing('all', 200));
		pass(send, showing('all', 199));

		expect(entered(send)).toBe(10);
	});

	test('is let in as long as something is left of the limit of all', () => {
		pass(send, showing('own', 59));
		pass(read, showing('all', 2));

		expect(entered(send)).toBe(2);
	});

	test('uses none of the limit of all where no answer came', () => {
		pass(send, showing('own', 59));
		pass(read, showing('all', 3));
		send.tryEnter(0);
		send.leave(undefined, 0);

		expect(entered(read)).toBe(3);
	});

	test('closes the limit of all for the rest of a second when it has used the last one', () => {
		pass(send, showing('own', 59));
		pass(read, showing('all', 2), 100);
		pass(send, showing('own', 58), 350);
		expect(read.closedForMs(350)).toBe(0);
		pass(send, showing('own', 57), 350);

		expect(read.tryEnter(1_099)).toBe(false);
		expect(read.tryEnter(1_100)).toBe(true);
	});

	test('asks alone whether the limit of all is open again', () => {
		pass(send, showing('own', 59));
		pass(read, showing('all', 0, 429));

		expect(entered(send, 7_000)).toBe(1);
	});

	test('does not wait for an upload while nothing is known of the limit of all', () => {
		expect(upload.tryEnter(0)).toBe(true);
		expect(send.tryEnter(0)).toBe(true);
	});

	test('does not wait where only the limit of uploads is closed', () => {
		pass(upload, showing('own', 0, 429));

		expect(send.tryEnter(0)).toBe(true);
	});

	test('does not wait for the limits of another account', () => {
		pass(read, showing('all', 0, 429));

		expect(lanes.routeOf('b', 'sendMessage').tryEnter(0)).toBe(true);
	});

	test('keeps its own place for later when the limit of all keeps it out', () => {
		pass(send, showing('own', 1));
		pass(read, showing('all', 0, 429));
		expect(entered(send, 6_999)).toBe(0);

		expect(send.tryEnter(7_000)).toBe(true);
	});

	test('waits for the limit that is closed longest', () => {
		pass(send, showing('own', 59));
		pass(read, showing('all', 0, 429), 1_000);
		expect(send.closedForMs(1_000)).toBe(7_000);
		expect(read.closedForMs(1_000)).toBe(7_000);

		const other = lanes.routeOf('b', 'sendMessage');
		pass(other, showing('own', 0, 429), 1_000);
		expect(other.closedForMs(1_000)).toBe(7_000);
		expect(lanes.routeOf('b').closedForMs(1_000)).toBe(0);
	});
});
