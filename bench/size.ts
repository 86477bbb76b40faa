/** Whether each bench only shows that it runs: one small round, whose values say nothing. */
export const IS_SMOKE = process.argv.includes('--smoke');

/** How much a bench measures, and how little shows that it runs. */
export const size = (full: number, small: number): number => (IS_SMOKE ? small : full);
