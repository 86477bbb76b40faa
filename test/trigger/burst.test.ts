import { Bursts, leftMs, MOST_WAIT_MS } from '../../nodes/TwoWayMessaging/trigger/burst';

const QUIET_MS = 5_000;

/** The bursts of one process, and the one that the text `a` has just begun. */
const begun = (atMs = 0) => {
	const bursts = new Bursts<string>();
	const burst = bursts.join('anna', 'a', 'A', atMs);
	if (!burst) throw new Error('The first text has nobody who waits for it');
	return { bursts, burst };
};

describe('the texts of one conversation', () => {
	test('meet: the first one waits, the others are left to it, and it gets them as they came', () => {
		const { bursts, burst } = begun();
		expect(bursts.join('anna', 'c', 'C', 1_000)).toBeUndefined();
		expect(bursts.join('anna', 'b', 'B', 2_000)).toBeUndefined();
		expect(bursts.end(burst)).toEqual(['A', 'C', 'B']);
	});

	test('do not meet those of another one', () => {
		const { bursts, burst } = begun();
		const other = bursts.join('ben', 'b', 'B', 1_000);
		expect(other).toBeDefined();
		expect(bursts.end(burst)).toEqual(['A']);
	});

	test('wait until nothing has come for the quiet time', () => {
		const { bursts, burst } = begun(10_000);
		expect(leftMs(burst, QUIET_MS, 10_000)).toBe(5_000);
		expect(leftMs(burst, QUIET_MS, 14_000)).toBe(1_000);
		bursts.join('anna', 'b', 'B', 14_000);
		expect(leftMs(burst, QUIET_MS, 14_000)).toBe(5_000);
		expect(leftMs(burst, QUIET_MS, 19_000)).toBe(0);
	});

	test('wait two minutes in all and no longer, however often somebody writes', () => {
		const { bursts, burst } = begun();
		let atMs = 0;
		for (; leftMs(burst, QUIET_MS, atMs) > 0; atMs += 4_000)
			bursts.join('anna', `${atMs}`, '', atMs);
		expect(MOST_WAIT_MS).toBe(120_000);
		expect(atMs).toBe(MOST_WAIT_MS);
	});

	test('are there once, however often they come, and a repetition makes nobody wait anew', () => {
		const { bursts, burst } = begun();
		bursts.join('anna', 'a', 'again', 4_000);
		expect(leftMs(burst, QUIET_MS, 4_000)).toBe(1_000);
		expect(bursts.end(burst)).toEqual(['A']);
	});

	test('begin another burst after the end of one', () => {
		const { bursts, burst } = begun();
		bursts.end(burst);
		const next = bursts.join('anna', 'b', 'B', 6_000);
		expect(next && bursts.end(next)).toEqual(['B']);
	});
});

describe('a burst whose execution cannot wait any more', () => {
	test('is taken along by the next text, which waits as long as a first one does', () => {
		const { bursts, burst } = begun();
		bursts.join('anna', 'b', 'B', 1_000);
		expect(bursts.isAwaited('anna')).toBe(true);
		bursts.leave(burst);
		expect(bursts.isAwaited('anna')).toBe(false);
		const next = bursts.join('anna', 'c', 'C', 200_000);
		if (!next) throw new Error('Nobody waits');
		expect(leftMs(next, QUIET_MS, 200_000)).toBe(QUIET_MS);
		expect(bursts.end(next)).toEqual(['A', 'B', 'C']);
	});
});
