import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 100;

/**
 * Waits until `look` finds something, and returns it. After a minute it throws an error that names `what`.
 *
 *     const answer = await waitUntil('an answer', async () => (await readAnswers())[0]);
 */
export const waitUntil = async <Found>(
	what: string,
	look: () => Promise<Found | undefined>,
	withinMs = 60_000,
): Promise<Found> => {
	const giveUpAt = Date.now() + withinMs;
	for (;;) {
		const found = await look();
		if (found !== undefined) return found;
		if (Date.now() > giveUpAt) throw new Error(`${what} did not come within ${withinMs / 1000} s`);
		await pause(LOOK_EVERY_MS);
	}
};
