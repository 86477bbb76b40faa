import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { RateLimiter } from '../../nodes/TwoWayMessaging/service/limits';
import {
	retryAfterMs,
	type Answer,
	type Outcome,
} from '../../nodes/TwoWayMessaging/service/outcome';
import type { Waiter } from '../../nodes/TwoWayMessaging/service/pause';
import type { Clock } from '../../sandbox/src';
import { RequestLimiter } from '../../sandbox/src/requestLimiter';
import { SkippedTime, SkippingClock } from '../support/testClock';
import { turns } from '../support/turns';
import { MINUTE_MS, SECOND_MS } from '../support/times';

const SEND = PATHS.sendMessage;
const READ = PATHS.messages;
const LIMITS = { all: 300, sendMessage: 60, media: 30, lookup: 20 };

/** Makes a request again until the service lets it in, as `sendRequest` does. */
async function pass(
	waiter: Waiter,
	path: string,
	request: () => Promise<Outcome>,
	process = limiter,
): Promise<void> {
	for (;;) {
		const leave = await process.enter(waiter, path);
		const outcome = await request();
		leave(outcome);
		if (outcome.kind !== 'answer' || outcome.status !== 429) return;
	}
}

/** An answer that says what is left; a refusal where it says how long to wait. */
const answer = (left?: number, { size, wait }: { size?: number; wait?: string } = {}): Answer => ({
	kind: 'answer',
	status: wait === undefined ? 201 : 429,
	headers: {
		...(left !== undefined && { 'x-ratelimit-remaining': String(left) }),
		...(size !== undefined && { 'x-ratelimit-limit': String(size) }),
		...(wait && { 'retry-after': wait }),
	},
	body: {},
});
const refusal = (wait: string, size?: number) => answer(0, { size, wait });

let cancelling: AbortController;
let limiter: RateLimiter;

const waiterBy = (clock: Waiter['clock']): Waiter => {
	const getExecutionCancelSignal = () => cancelling.signal;
	const context = { getNode: () => ({ name: 'Send it' }), getExecutionCancelSignal };
	return { context: context as unknown as Waiter['context'], clock };
};

beforeEach(() => {
	cancelling = new AbortController();
	limiter = new RateLimiter();
});

describe('§8.1 within a limit of the service', () => {
	/** The service's own limiter, on a clock on which only waits and requests take time. */
	function startWorld(limits = LIMITS, requestMs = 40) {
		const clock = new SkippedTime(undefined, () => 0);
		const now = () => clock.nowMs();
		const counts = new RequestLimiter({ now } as Clock, limits, MINUTE_MS);
		/** When the service has refused a request, by the window in which it did. */
		const refusals = new Map<number, number>();
		const request = (path: string) => async (): Promise<Outcome> => {
			await clock.sleep(requestMs / 2);
			const scope = path === SEND ? 'sendMessage' : null;
			const { limit: size, remaining, retryAfterSeconds } = counts.admit('a', scope);
			if (retryAfterSeconds !== null) {
				const window = Math.floor(clock.nowMs() / MINUTE_MS);
				refusals.set(window, (refusals.get(window) ?? 0) + 1);
			}
			// Answers overtake each other.
			await clock.sleep(requestMs * (remaining % 3));
			return answer(remaining, { size, wait: retryAfterSeconds?.toString() });
		};
		const inARow = async (path: string, times: number, process = limiter) => {
			for (let sent = 0; sent < times; sent += 1) {
				await pass(waiterBy(clock), path, request(path), process);
			}
		};
		const mostRefusals = () => Math.max(0, ...refusals.values());
		return { clock, inARow, mostRefusals };
	}

	test.each([1, 5, 40])(
		'requests of %d executions use the whole allowance, and are refused once a window at most',
		async (executions) => {
			const { clock, inARow, mostRefusals } = startWorld();
			const each = 600 / executions;
			const all = Array.from({ length: executions }, async () => await inARow(SEND, each));

			await Promise.all(all);

			expect((9 * MINUTE_MS) / clock.nowMs()).toBeGreaterThan(0.97);
			expect(mostRefusals()).toBeLessThanOrEqual(1);
		},
	);

	test('sends and reads share the limit of all requests, and are refused three times a window at most', async () => {
		const { clock, inARow, mostRefusals } = startWorld({ ...LIMITS, all: 50 });
		const all = [1, 2, 3].flatMap(() => [inARow(SEND, 50), inARow(READ, 50)]);
		await Promise.all(all);
		expect((5 * MINUTE_MS) / clock.nowMs()).toBeGreaterThan(0.97);
		expect(mostRefusals()).toBeLessThanOrEqual(3);
	});

	test('requests of two processes, which know nothing of each other, use most of the allowance', async () => {
		const { clock, inARow } = startWorld();
		const processes = [new RateLimiter(), new RateLimiter()];
		await Promise.all(processes.map(async (one) => await inARow(SEND, 300, one)));
		expect((9 * MINUTE_MS) / clock.nowMs()).toBeGreaterThan(0.9);
	});

	test('requests that are slower than the limit are never refused, however long they go on', async () => {
		const { inARow, mostRefusals } = startWorld(LIMITS, 2_500);
		const all = [1, 2].map(async () => await inARow(SEND, 200));
		await Promise.all(all);
		expect(mostRefusals()).toBe(0);
	});
});

describe('§8.1 a request', () => {
	const out: Array<(outcome: Outcome) => void> = [];
	let clock: SkippingClock;

	const answered = async (path: string, ...answers: Answer[]) =>
		await pass(waiterBy(clock), path, async () => answers.shift()!);

	/** Begins some requests; as many go out at once as there is room for. */
	const begin = async (path: string, count: number) => {
		const before = out.length;
		const stopped = { nowMs: () => clock.ms, sleep: async () => await new Promise<void>(() => {}) };
		for (let one = 0; one < count; one += 1) {
			void pass(
				waiterBy(stopped),
				path,
				async () => await new Promise((resolve) => out.push(resolve)),
			);
		}
		await turns();
		return out.length - before;
	};

	/** Has a request refused, and stops the time before it is made again. */
	const refuse = async (path: string, wait: string, size?: number) => {
		await begin(path, 1);
		out.pop()!(refusal(wait, size));
		await turns();
	};

	beforeEach(() => {
		out.length = 0;
		clock = new SkippingClock(Date.UTC(2026, 0, 1, 12));
	});

	test.each([SEND, PATHS.lookup, `/v2${PATHS.media}`])(
		'to %s goes ahead alone while it is not known what is left',
		async (path) => {
			expect(await begin(path, 10)).toBe(1);
		},
	);

	test.each([
		['as many as are left', answer(3), 3],
		['all that come, where the service does not say what is left', answer(), 10],
	])('goes out together with others: %s', async (_, first, count) => {
		await answered(SEND, first);
		expect(await begin(SEND, 10)).toBe(count);
	});

	test.each<[string, Outcome]>([
		['is answered', answer(59)],
		['has brought no answer', { kind: 'unanswered', code: 'ECONNRESET' }],
	])('goes out as soon as the one before it %s', async (_, outcome) => {
		expect(await begin(SEND, 2)).toBe(1);
		out[0]!(outcome);
		await turns();
		expect(out).toHaveLength(2);
	});

	test('waits as long as the service asks, and then goes out alone', async () => {
		const sinceMs = clock.ms;
		await answered(SEND, refusal('7'), answer(5));
		expect(clock.ms - sinceMs).toBe(7 * SECOND_MS);
		await refuse(SEND, '7');
		clock.ms += 7 * SECOND_MS;
		expect(await begin(SEND, 10)).toBe(1);
	});

	test('is not kept waiting by the limit of other requests', async () => {
		await answered(SEND, answer(59, { size: 60 }));
		await refuse(SEND, '7', 60);
		expect([await begin(READ, 10), await begin(PATHS.media, 1)]).toEqual([10, 1]);
	});

	test('of any kind waits where another one was refused by the limit of all', async () => {
		await answered(READ, answer(200, { size: 300 }));
		await answered(SEND, answer(59, { size: 60 }));
		await refuse(SEND, '7', 300);
		expect([await begin(READ, 1), await begin(PATHS.lookup, 1)]).toEqual([0, 0]);
	});

	test.each([
		['names no time', '', 5 * SECOND_MS],
		['names no wait at all', '0', SECOND_MS],
	])('waits for some seconds where the service %s', async (_, wait, waitMs) => {
		const sinceMs = clock.ms;
		await answered(READ, refusal(wait), refusal(wait), answer(1));
		expect(clock.ms - sinceMs).toBe(2 * waitMs);
	});

	test('ends with its execution, also while another one is under way that may never end', async () => {
		await begin(SEND, 1);
		const waiting = answered(SEND, answer(1));
		await turns();
		cancelling.abort();
		await expect(waiting).rejects.toThrow('The execution was canceled');
	});

	test('that can be left out does not go below half of the limit of all, which sends use too', async () => {
		const spare: boolean[] = [];
		for (const left of [150, 149, 151]) {
			await answered(READ, answer(left, { size: 300 }));
			spare.push(limiter.hasToSpare);
		}
		await begin(READ, 2);
		expect([...spare, limiter.hasToSpare]).toEqual([true, false, true, false]);
		for (const end of out) end(answer(151, { size: 300 }));
		await turns();
		expect(limiter.hasToSpare).toBe(true);
		for (const left of [59, 58]) await answered(SEND, answer(left, { size: 60 }));
		expect(limiter.hasToSpare).toBe(false);
	});
});

test.each([
	['whole seconds', '12', 12_000],
	['a date', 'Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
	['a date that begins and ends with digits', '2026-01-01T00:00:30+00:00', 30_000],
	['whole seconds with spaces around them', ' 12 ', 12_000],
	['a date that is over', 'Wed, 31 Dec 2025 00:00:00 GMT', 0],
	['nothing', '', undefined],
	['no number', 'soon', undefined],
	['no header', undefined, undefined],
])('§8.1 Retry-After is read from %s', (_, value, waitMs) => {
	const said = value === undefined ? answer(1) : refusal(value);
	expect(retryAfterMs(said, Date.parse('2026-01-01T00:00:00Z'))).toBe(waitMs);
});
