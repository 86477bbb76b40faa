import { sleep } from 'n8n-workflow';

/** The time, and the way to wait. A test passes a clock of its own, so that nothing has to be replaced. */
export type Clock = {
	/** Unix time in milliseconds. */
	nowMs(): number;
	sleep(durationMs: number): Promise<void>;
};

export const systemClock: Clock = {
	nowMs: () => Date.now(),
	sleep: async (durationMs) => await sleep(durationMs),
};
