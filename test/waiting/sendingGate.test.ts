import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import {
	newSending,
	SendingGate,
	type Sending,
} from '../../nodes/TwoWayMessaging/waiting/sendingGate';

const MINUTE_MS = 60_000;

let nowMs = 0;

const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

const clock: Clock = { nowMs: () => nowMs, sleep: turn };

let gate: SendingGate;

beforeEach(() => {
	nowMs = Date.UTC(2026, 0, 1);
	gate = new SendingGate(clock);
});

/** Lets messages wait for what is being sent; says how many have passed. */
const pass = (sendings: Sending[], count = 1) => {
	let passed = 0;
	const all = Array.from({ length: count }, async () => {
		await gate.pass(() => sendings);
		passed += 1;
	});
	return { count: () => passed, all: Promise.all(all) };
};

test('a message waits while a question is being sent, and for the next one that is sent meanwhile', async () => {
	const [first, second] = [newSending(), newSending()];
	const sendings = [first, second];
	expect(gate.isClosed(sendings)).toBe(true);
	const { count } = pass(sendings);

	sendings.shift();
	first.end();
	await turn();
	expect(count()).toBe(0);

	sendings.shift();
	second.end();
	await turn();
	expect(count()).toBe(1);
	expect(gate.isClosed(sendings)).toBe(false);
});

test('a message waits for three minutes at most', async () => {
	const { all, count } = pass([newSending()]);
	nowMs += 3 * MINUTE_MS - 1;
	await turn();
	await turn();
	expect(count()).toBe(0);

	nowMs += 1;

	await all;
	expect(count()).toBe(1);
});

test('no more than a thousand messages wait', async () => {
	const sending = newSending();
	const { all } = pass([sending], 999);
	expect(gate.isClosed([sending])).toBe(true);
	const last = pass([sending]);
	expect(gate.isClosed([sending])).toBe(false);

	nowMs += 3 * MINUTE_MS;
	await Promise.all([all, last.all]);

	expect(gate.isClosed([sending])).toBe(true);
});
