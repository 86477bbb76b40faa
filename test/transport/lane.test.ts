import { Lane, retryAfterMs } from '../../nodes/TwoWayMessaging/transport/lane';
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

const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

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
		lane.leave(accepted(0), 950);

		expect(letIn(lane, 1_099)).toBe(0);
		expect(letIn(lane, 1_100)).toBe(1);
	});

	test('is not closed while something is left', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(accepted(4), 100);
		lane.tryEnter(300);
		lane.leave(accepted(3), 350);

		expect(letIn(lane, 350)).toBe(3);
	});

	test('takes the answer to the request that went ahead for the first of a new window', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(accepted(0), 100);
		lane.tryEnter(700);
		lane.leave(accepted(0), 750);

		expect(lane.closedForMs(750)).toBe(0);
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

	test('ignores it also where the lower number says that nothing is left', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(accepted(6), 0);
		for (let request = 0; request < 4; request += 1) lane.tryEnter(0);
		lane.leave(accepted(0), 0);
		lane.leave(accepted(3), 0);

		expect(letIn(lane, 0)).toBe(0);
	});

	test('ignores it also where it comes last, at the end of a window', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(accepted(5), 0);
		for (let request = 0; request < 5; request += 1) lane.tryEnter(0);
		for (const remaining of [3, 2, 1, 0, 4]) lane.leave(accepted(remaining), 0);

		expect(letIn(lane, 0)).toBe(1);
	});

	test('believes a number that only a new window explains, although others are under way', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(accepted(3), 0);
		for (let request = 0; request < 3; request += 1) lane.tryEnter(0);
		lane.leave(accepted(2), 0);
		lane.leave(accepted(59), 0);

		expect(letIn(lane, 0)).toBe(10);
	});

	test('believes the number in the answer to a request that was alone, as nothing has overtaken it', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(accepted(2), 0);
		lane.tryEnter(0);
		lane.leave(accepted(3), 0);

		expect(letIn(lane, 0)).toBe(3);
	});

	test('counts what is left from the first answer that says so', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(accepted(), 0);
		for (let request = 0; request < 4; request += 1) lane.tryEnter(0);
		lane.leave(accepted(2), 0);

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

	test('waits no longer than the first refusal asks', () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(refused('0'), 0);

		expect(lane.closedForMs(0)).toBe(0);
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
		['a date that begins and ends with digits', '2026-01-01T00:00:30+00:00', 30_000],
		['whole seconds with spaces around them', ' 12 ', 12_000],
		['a date that is over', 'Wed, 31 Dec 2025 00:00:00 GMT', 0],
		['nothing', '', undefined],
		['no number', 'soon', undefined],
	])('is read from %s', (_what, value, waitMs) => {
		expect(retryAfterMs(refused(value), at)).toBe(waitMs);
	});

	test('is not there where the header is absent', () => {
		expect(retryAfterMs(refused(), at)).toBeUndefined();
	});
});

describe('a lane tells', () => {
	test('when a place is given back', async () => {
		const lane = new Lane();
		lane.tryEnter(0);
		const changes: number[] = [];
		const watching = [1, 2].map(async (watcher) => {
			await lane.changed();
			changes.push(watcher);
		});
		await Promise.resolve();
		expect(changes).toEqual([]);

		lane.leave(accepted(1), 0);
		await Promise.all(watching);

		expect(changes).toEqual([1, 2]);
	});

	test('the next change too', async () => {
		const lane = new Lane();
		lane.tryEnter(0);
		lane.leave(accepted(1), 0);
		const next = lane.changed().then(() => 'changed');

		expect(await Promise.race([next, turn()])).toBeUndefined();
		lane.tryEnter(0);
		lane.leave(accepted(1), 0);
		expect(await next).toBe('changed');
	});
});
