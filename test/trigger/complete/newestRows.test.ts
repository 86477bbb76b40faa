import type { Clock } from '../../../nodes/TwoWayMessaging/clock';
import { NewestRows } from '../../../nodes/TwoWayMessaging/trigger/complete/newestRows';
import type { Connection } from '../../../nodes/TwoWayMessaging/transport/request';

let nowMs: number;
let sleptMs: number[];

const clock: Clock = {
	nowMs: () => nowMs,
	sleep: async (durationMs) => {
		sleptMs.push(durationMs);
		nowMs += durationMs;
		await Promise.resolve();
	},
};
/** A connection of which nothing is used but that the limit is needed for other requests. */
const busy = async () =>
	await Promise.resolve({
		lanes: { hasToSpare: () => false },
		settings: { accountId: 'a' },
	} as unknown as Connection);

beforeEach(() => {
	nowMs = 10_000_000;
	sleptMs = [];
});

describe('the newest rows', () => {
	test('are read at most once a second', async () => {
		const rows = new NewestRows(clock);
		await rows.read(busy);
		nowMs += 300;
		await rows.read(busy);
		nowMs += 5_000;
		await rows.read(busy);
		expect(sleptMs).toEqual([700]);
	});

	test('are read after a second also when the clock is set back by an hour', async () => {
		const rows = new NewestRows(clock);
		await rows.read(busy);
		nowMs -= 3_600_000;
		await rows.read(busy);
		expect(sleptMs).toEqual([1_000]);
	});
});
