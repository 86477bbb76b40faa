/** What was thrown because an answer was not complete in time. */
export class DeadlineOver extends Error {
	readonly code = 'ETIMEDOUT';

	constructor() {
		super('The answer was not complete in time');
	}
}

/**
 * Waits for some work, up to a time in milliseconds. The work itself goes on, as n8n lets nobody end its requests; what
 * comes of it later is dropped.
 *
 * The time is the machine's, like that of n8n's own timeouts, and not that of the clock that is passed in.
 *
 * ```ts
 * const response = await withinDeadline(30_000, request(options));
 * ```
 *
 * @throws DeadlineOver, or what the work throws
 */
export async function withinDeadline<Result>(
	durationMs: number,
	work: Promise<Result>,
): Promise<Result> {
	const deadline = AbortSignal.timeout(Math.ceil(durationMs));
	return await new Promise<Result>((resolve, reject) => {
		const giveUp = () => reject(new DeadlineOver());
		deadline.addEventListener('abort', giveUp, { once: true });
		work.then(resolve, reject).finally(() => deadline.removeEventListener('abort', giveUp));
	});
}
