import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { enterLane, Lanes, type Route } from '../../nodes/TwoWayMessaging/transport/pacing';
import type { Answer, Caller } from '../../nodes/TwoWayMessaging/transport/request';

const NOW_MS = Date.UTC(2026, 0, 1, 12);
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

const answer = (status: number, headers: Answer['headers']): Answer => ({
	kind: 'answer',
	status,
	headers,
	body: {},
});

const refused = (waitMs: number): Answer =>
	answer(429, { 'retry-after': String(waitMs / SECOND_MS) });

/** The answer to the only request that was under way, after which so many may follow. */
const accepted = (remaining: number): Answer =>
	answer(201, { 'x-ratelimit-remaining': String(remaining) });

let nowMs: number;
let readings: number;
/** How long each wait was that the clock was asked for. */
let sleptMs: number[];
let warnings: string[];
let cancelling: AbortController;
let send: Route;
let read: Route;

/** The time of a test's clock; a test that waits without end fails. */
const readTime = () => {
	if ((readings += 1) > 100_000) throw new Error('waits without end');
	return nowMs;
};

/** A clock on which a wait takes no time, and its own time passes. */
const clock: Clock = {
	nowMs: readTime,
	sleep: async (durationMs) => {
		sleptMs.push(durationMs);
		nowMs += durationMs;
	},
};

/** A clock on which no wait ends. */
const stoppedClock: Clock = { nowMs: readTime, sleep: async () => await new Promise(() => {}) };

const caller = {
	getNode: () => ({ name: 'Send it' }),
	getExecutionCancelSignal: () => cancelling.signal,
	logger: { warn: (message: string) => warnings.push(message) },
} as unknown as Caller;

const enter = async (route: Route, by = clock) => await enterLane({ caller, clock: by }, route);

const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

beforeEach(() => {
	nowMs = NOW_MS;
	readings = 0;
	sleptMs = [];
	warnings = [];
	cancelling = new AbortController();
	const lanes = new Lanes();
	send = lanes.routeOf('a', 'sendMessage');
	read = lanes.routeOf('a');
});

describe('§8.1 a request', () => {
	test('goes out at once where there is a place', async () => {
		await enter(send);

		expect(sleptMs).toEqual([]);
		expect(send.tryEnter(nowMs)).toBe(false);
	});

	test('waits as long as the service asks, and not longer', async () => {
		await enter(send);
		send.leave(refused(7 * SECOND_MS), nowMs);

		await enter(send);

		expect(nowMs).toBe(NOW_MS + 7 * SECOND_MS);
	});

	test.each([
		['its own limit', () => send],
		['the limit of all', () => read],
	])('goes out as soon as a place of %s is given back', async (_, first) => {
		await enter(first());
		const second = enter(first(), stoppedClock);
		await turn();

		first().leave(accepted(1), nowMs);

		await second;
	});

	test('goes out as soon as another kind of request gives a place of the limit of all back', async () => {
		await enter(read);
		read.leave(accepted(1), nowMs);
		await enter(send);
		const reading = enter(read, stoppedClock);
		await turn();

		send.leave(undefined, nowMs);

		await reading;
	});

	test('looks five times a second for a place, as what is under way may never end', async () => {
		await enter(read);
		const looking = enter(read, {
			nowMs: readTime,
			sleep: async (durationMs) => {
				sleptMs.push(durationMs);
				if (sleptMs.length === 3) cancelling.abort();
			},
		});

		await expect(looking).rejects.toThrow('The execution was canceled');
		expect(sleptMs).toEqual([200, 200, 200]);
	});

	test('takes no place when its execution was cancelled before', async () => {
		cancelling.abort();

		await expect(enter(send)).rejects.toThrow('The execution was canceled');
		expect(send.tryEnter(nowMs)).toBe(true);
	});

	test('ends its wait when its execution is cancelled', async () => {
		await enter(send);
		send.leave(refused(MINUTE_MS), nowMs);
		const waiting = enter(send, {
			nowMs: readTime,
			sleep: async () => cancelling.abort(),
		});

		await expect(waiting).rejects.toThrow('The execution was canceled');
	});
});

describe('§8.1 a wait that the service asks for is told in the log', () => {
	const waitFor = async (durationMs: number) => {
		await enter(send);
		send.leave(refused(durationMs), nowMs);
		await enter(send);
	};

	test('when it is longer than five minutes', async () => {
		await waitFor(5 * MINUTE_MS);
		expect(warnings).toEqual([]);
	});

	test.each([
		[6, '6 minutes, until 2026-01-01T12:06:00.000Z'],
		[119, '119 minutes, until 2026-01-01T13:59:00.000Z'],
		[120, '2 hours, until 2026-01-01T14:00:00.000Z'],
	])('with how long it is and what ends it: %d minutes', async (minutes, words) => {
		await waitFor(minutes * MINUTE_MS);

		expect(warnings).toEqual([
			`Send it: the service asks to wait ${words}; the node waits that long, unless the execution is stopped or its workflow has the setting Timeout Workflow`,
		]);
	});

	test('once, however many requests were under way and were refused one after the other', async () => {
		await enter(send);
		send.leave(accepted(3), nowMs);
		for (let request = 0; request < 3; request += 1) await enter(send);
		const waiting: Array<Promise<void>> = [];
		for (let request = 0; request < 3; request += 1) {
			send.leave(refused(10 * MINUTE_MS), nowMs);
			waiting.push(enter(send, stoppedClock));
			nowMs += 1;
		}

		expect(warnings).toHaveLength(1);
	});

	test('again when it lasts longer than was told', async () => {
		await enter(send);
		send.leave(accepted(2), nowMs);
		await enter(send);
		await enter(send);
		send.leave(refused(10 * MINUTE_MS), nowMs);
		void enter(send, stoppedClock);
		send.leave(refused(60 * MINUTE_MS), nowMs);
		void enter(send, stoppedClock);
		expect(warnings).toHaveLength(1);

		nowMs += 10 * MINUTE_MS;
		void enter(send, stoppedClock);

		expect(warnings).toEqual([
			expect.stringContaining('wait 10 minutes'),
			expect.stringContaining('wait 50 minutes'),
		]);
	});

	test('once, although a limit that is closed for a moment keeps the request out as well', async () => {
		await enter(send);
		send.leave(answer(201, { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '2' }), nowMs);
		await enter(send);
		await enter(read);
		read.leave(refused(10 * MINUTE_MS), nowMs);
		void enter(read, stoppedClock);
		send.leave(refused(7 * SECOND_MS), nowMs);
		void enter(send, stoppedClock);

		expect(warnings).toEqual([expect.stringContaining('wait 10 minutes')]);
	});
});
