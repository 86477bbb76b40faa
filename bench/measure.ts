/** What a piece of work took. Memory is this process's resident set, in bytes. */
export type Measured<Result> = {
	result: Result;
	wallMs: number;
	/** Processor time of the whole process. */
	cpuMs: number;
	/** The most memory it held beyond what it held before the work. */
	peakGrowthBytes: number;
	/** The most memory it has held since it began. */
	peakBytes: number;
};

/**
 * Measures a piece of work in this process, which must have been started with `--expose-gc`.
 *
 * The operating system keeps a process's peak since its start, so measure the memory of one piece of work
 * in each process, and the greatest.
 */
export async function measure<Result>(work: () => Promise<Result>): Promise<Measured<Result>> {
	if (!global.gc) throw new Error('Measuring needs --expose-gc');
	global.gc();
	const floorBytes = process.memoryUsage.rss();
	const cpuBefore = process.cpuUsage();
	const startedMs = performance.now();
	const result = await work();
	const wallMs = performance.now() - startedMs;
	const { user, system } = process.cpuUsage(cpuBefore);
	const peakBytes = process.resourceUsage().maxRSS * 1_024;
	return {
		result,
		wallMs,
		cpuMs: (user + system) / 1_000,
		peakGrowthBytes: peakBytes - floorBytes,
		peakBytes,
	};
}

/** The middle one of the values; the mean of the two middle ones where their count is even. */
export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
	if (low === undefined || high === undefined) throw new Error('Nothing has no median');
	return (low + high) / 2;
}

/** All values, so that a reader sees how far they lie apart. */
export const spread = (values: number[], digits = 0): string =>
	values.map((value) => value.toFixed(digits)).join(', ');
