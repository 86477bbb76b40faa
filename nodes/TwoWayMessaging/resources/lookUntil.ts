import { pause, type Waiter } from '../transport/pause';

/** When to look. */
export type Schedule = {
	/** The pause before each look. */
	pausesMs: readonly number[];
	/** With a time limit the last pause repeats until the time is over; without one, each pause is used once. */
	atMostMs?: number;
};

/** What a look has shown. */
export type Look<Found> = {
	/** What was looked for; absent where another look is needed. */
	found?: Found;
	/** How long the service asks to wait before the next look. */
	askedPauseMs?: number;
};

/**
 * Looks again and again, with a pause before each look, until a look finds what is looked for:
 *
 * ```ts
 * const row = await lookUntil(connection, { pausesMs: [250, 1_000] }, async () => ({ found: await findRow() }));
 * ```
 *
 * A first pause of zero means one look whatever the time limit is.
 *
 * @returns undefined when the last look has found nothing
 * @throws NodeOperationError when the execution is cancelled meanwhile, and whatever a look throws
 */
export async function lookUntil<Found>(
	waiter: Waiter,
	{ pausesMs, atMostMs }: Schedule,
	look: () => Promise<Look<Found>>,
): Promise<Found | undefined> {
	const untilMs = waiter.clock.nowMs() + (atMostMs ?? Number.POSITIVE_INFINITY);
	let askedMs = 0;
	for (let looks = 0; ; looks += 1) {
		const pauseMs = pausesMs[looks] ?? (atMostMs === undefined ? undefined : pausesMs.at(-1));
		if (pauseMs === undefined) return undefined;
		const leftMs = untilMs - waiter.clock.nowMs();
		// Written so that a limit that is not a number ends the looks, and does not let them follow without a pause.
		if (!(leftMs > 0) && pauseMs > 0) return undefined;
		await pause(waiter, Math.min(Math.max(pauseMs, askedMs), leftMs));
		const { found, askedPauseMs = 0 } = await look();
		if (found !== undefined) return found;
		askedMs = askedPauseMs;
	}
}
