import type { Arrival } from '../../../nodes/TwoWayMessaging/trigger/handover';
import {
	Bursts,
	MOST_WAIT_MS,
	type Burst,
} from '../../../nodes/TwoWayMessaging/trigger/texts/bursts';
import { TestClock } from '../../support/testClock';

const QUIET_MS = 5_000;

let nowMs: number;
let bursts: Bursts;

const text = (content: string): Arrival => ({ item: { json: { content } }, index: 0 });
const join = (conversation: string, name: string, content = name) =>
	bursts.join(conversation, name, text(content));
const contentsOf = (burst: Burst) => bursts.end(burst).map(({ item }) => item.json.content);

/** A burst that the text `a` of Anna has just begun. */
const begun = (): Burst => {
	const burst = join('anna', 'a');
	if (!burst) throw new Error('No execution waits for the first text');
	return burst;
};

beforeEach(() => {
	nowMs = 0;
	bursts = new Bursts(new TestClock(() => nowMs));
});

describe('the texts of one conversation', () => {
	test('become one burst: the execution of the first waits, and gets all of them in the order they came', () => {
		const burst = begun();
		expect(join('anna', 'c')).toBeUndefined();
		expect(join('anna', 'b')).toBeUndefined();
		expect(contentsOf(burst)).toEqual(['a', 'c', 'b']);
	});

	test('wait no longer because the clock is set back', () => {
		nowMs = 3_600_000;
		const burst = begun();
		nowMs = 1_000;
		expect(bursts.leftMs(burst, QUIET_MS)).toBe(QUIET_MS);
		nowMs = 4_000;
		expect(bursts.leftMs(burst, QUIET_MS)).toBe(2_000);
		nowMs = 6_000;
		expect(bursts.leftMs(burst, QUIET_MS)).toBe(0);
	});

	test('are not in one burst with those of another conversation', () => {
		const burst = begun();
		expect(join('ben', 'b')).toBeDefined();
		expect(contentsOf(burst)).toEqual(['a']);
	});

	test('wait until no text has come for the quiet time', () => {
		const burst = begun();
		expect(bursts.leftMs(burst, QUIET_MS)).toBe(5_000);
		nowMs = 4_000;
		expect(bursts.leftMs(burst, QUIET_MS)).toBe(1_000);
		join('anna', 'b');
		expect(bursts.leftMs(burst, QUIET_MS)).toBe(5_000);
		nowMs = 9_000;
		expect(bursts.leftMs(burst, QUIET_MS)).toBe(0);
	});

	test('wait two minutes in all and no longer, however often the customer writes', () => {
		const burst = begun();
		for (; bursts.leftMs(burst, QUIET_MS) > 0; nowMs += 4_000) join('anna', `${nowMs}`);
		expect(MOST_WAIT_MS).toBe(120_000);
		expect(nowMs).toBe(MOST_WAIT_MS);
	});

	test('are in the burst once, however often they come, and a repetition does not start the wait again', () => {
		const burst = begun();
		nowMs = 4_000;
		join('anna', 'a', 'again');
		expect(bursts.leftMs(burst, QUIET_MS)).toBe(1_000);
		expect(contentsOf(burst)).toEqual(['a']);
	});

	test('begin another burst after the end of one', () => {
		contentsOf(begun());
		const next = join('anna', 'b');
		expect(next && contentsOf(next)).toEqual(['b']);
	});
});

test('the texts of a burst whose execution has ended join the next text, which waits as long as a first one', () => {
	const burst = begun();
	join('anna', 'b');
	expect(bursts.hasExecution('anna')).toBe(true);
	bursts.abandon(burst);
	expect(bursts.hasExecution('anna')).toBe(false);
	nowMs = 200_000;
	const next = join('anna', 'c');
	if (!next) throw new Error('No execution waits');
	expect(bursts.leftMs(next, QUIET_MS)).toBe(QUIET_MS);
	expect(contentsOf(next)).toEqual(['a', 'b', 'c']);
});
