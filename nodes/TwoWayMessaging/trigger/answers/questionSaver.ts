import type { IPollFunctions } from 'n8n-workflow';
import type { Clock } from '../../clock';
import { executionStarter } from '../../n8n/startExecution';
import { reasonOf } from '../../reasonOf';
import { WaitingList } from '../../waiting/waitingList';
import { toItem } from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { writeQuestions } from '../writeSaved';

/** Questions that are asked within this time are saved together, as each time takes an execution without items. */
const SAVED_EVERY_MS = 2_000;

/** When a node's questions were saved, and what is about to save them. */
class LastSave {
	private atMs = Number.NEGATIVE_INFINITY;

	private due?: () => Promise<void>;

	constructor(private readonly clock: Clock) {}

	/** Saves at once, or a moment after the last time together with whatever comes until then. */
	async saveSoon(save: () => Promise<void>): Promise<void> {
		const isDue = this.due !== undefined;
		// Of an earlier activation n8n would save what that has left.
		this.due = save;
		if (isDue) return;
		const waitMs = this.atMs + SAVED_EVERY_MS - this.clock.nowMs();
		// A clock that is set back would make it wait for as long.
		if (waitMs > 0) await this.clock.sleep(Math.min(waitMs, SAVED_EVERY_MS));
		this.atMs = this.clock.nowMs();
		const { due } = this;
		this.due = undefined;
		await due?.();
	}
}

/**
 * Lets a trigger that polls save its questions between two checks. n8n saves what a check has written only when an execution
 * starts, so one starts, which ends without an item.
 *
 * ```ts
 * const save = questionSaver(call, account); // in a check
 * save?.(); // whenever a question is asked
 * ```
 *
 * @returns undefined in an n8n that lets no check start executions: there the next check saves them
 */
export function questionSaver(
	{ caller, memory, processMemory }: TriggerCall<IPollFunctions>,
	account: string,
): (() => void) | undefined {
	const start = executionStarter(caller);
	if (!start) return undefined;
	const { logger } = caller;
	// Once a check has ended, n8n gives it no static data any more.
	const data = caller.getWorkflowStaticData('node');
	const save = async () => {
		const questions = processMemory.part(WaitingList).questionsOf(account);
		const takeBack = writeQuestions(data, questions);
		if (!takeBack) return;
		try {
			await start([toItem({ kind: 'save' })]);
		} catch (thrown) {
			takeBack();
			logger.debug(`Saving a question between two checks: ${reasonOf(thrown)}`);
		}
	};
	return () => void memory.part(LastSave).saveSoon(save);
}
