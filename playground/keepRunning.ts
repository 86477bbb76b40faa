import { runStep, type Log } from './progress';
import type { RestartableN8n } from './restartableN8n';
import { Trouble } from './trouble';

/** An n8n that ends more often than this in that time would do so for ever. */
const MOST_RESTARTS = 3;
const WITHIN_MINUTES = 10;

/**
 * Starts an n8n again whenever it ends although nobody stopped it, so that the phone and its conversations, which are in
 * this process, stay. It gives up when n8n ends a fourth time in ten minutes.
 *
 * @param signal ends this; nothing is started again after it
 * @returns what to tell people when it has given up
 */
export const keepRunning = async (
	n8n: RestartableN8n,
	log: Log,
	signal: AbortSignal,
	now: () => number = Date.now,
): Promise<Trouble> => {
	let endedAt: number[] = [];
	let end = n8n.nextEnd();
	for (;;) {
		const trouble = await end;
		signal.throwIfAborted();
		endedAt = [...endedAt.filter((at) => now() - at < WITHIN_MINUTES * 60_000), now()];
		if (endedAt.length > MOST_RESTARTS) return giveUp(n8n, trouble);
		log(`  ${trouble.happened} It is started again; the phone keeps its conversations.`);
		end = n8n.nextEnd();
		try {
			await runStep(log, `Starting ${n8n.name} again`, async () => await n8n.start(signal));
		} catch (error) {
			if (!(error instanceof Trouble)) throw error;
			end = Promise.resolve(error);
		}
	}
};

const giveUp = ({ name }: RestartableN8n, { happened, whatToDo, lastLines }: Trouble): Trouble =>
	new Trouble(
		`${happened} ${name} had been started again ${MOST_RESTARTS} times in ${WITHIN_MINUTES} minutes.`,
		whatToDo,
		lastLines,
	);
