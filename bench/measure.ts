/** What a piece of work has cost. Memory is the resident set of this process, in bytes. */
export type Measured<Result> = {
	result: Result;
	wallMs: number;
	/** Processor time of the whole process. */
	cpuMs: number;
	/** The peak memory minus the memory before the work. */
	peakGrowthBytes: number;
	/** The peak memory since the process started. */
	peakBytes: number;
};

/**
 * Measures a piece of work in this process, which must have been started with `--expose-gc`.
 *
 * The operating system keeps the peak since the start of a process. So measure the memory of only one piece of work in
 * each process: the largest one.
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

/** The median of the values: the middle one, or the mean of the two middle ones. */
export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
	if (low === undefined || high === undefined) throw new Error('An empty list has no median');
	return (low + high) / 2;
}

/** Lists all values, which shows how far they are apart. */
export const spread = (values: number[], digits = 0): string =>
	values.map((value) => value.toFixed(digits)).join(', ');
