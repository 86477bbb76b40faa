import { Listeners, type Listener } from '../../waiting/listeners';
import { isQuestion } from '../../waiting/question';
import { WaitingList } from '../../waiting/waitingList';
import { saveItem } from '../inbox';
import { readSaved, writeInto, writeSaved, type TriggerCall } from '../nodeMemory';
import { Starter } from '../starter';

/** How long a question waits at most until it is saved: with many executions under way, n8n may take its time. */
const SAVED_WITHIN_MS = 2_000;

/** Saves the questions of a node, one time after the other; who comes meanwhile shares the next time. */
class QuestionSaver {
	private saving?: Promise<void>;

	private next?: Promise<void>;

	async save(once: () => Promise<void>): Promise<void> {
		this.next ??= (this.saving ?? Promise.resolve()).then(async () => {
			this.next = undefined;
			this.saving = once().finally(() => (this.saving = undefined));
			await this.saving;
		});
		await this.next;
	}
}

/**
 * Lets this trigger receive answers by text from now on. The first time in a process, it also takes over the
 * questions that an earlier process has saved.
 */
export function listenForAnswers(
	call: TriggerCall,
	{ account, credential }: Pick<Listener, 'account' | 'credential'>,
): void {
	const waitingList = call.processMemory.part(WaitingList);
	// Nothing else of the call is kept for as long as the workflow listens.
	const { clock, memory } = call;
	const save = async () =>
		await memory.part(QuestionSaver).save(async () => {
			if (memory.data) writeInto(memory.data, { questions: waitingList.questionsOf(account) });
			// n8n saves what a trigger has written when an execution starts, so one starts, which ends without an item.
			const saved = memory.part(Starter).startWith(saveItem());
			await Promise.race([saved.catch(() => false), clock.sleep(SAVED_WITHIN_MS)]);
		});
	const listener = { account, save, ...(credential && { credential }) };
	const before = call.processMemory.part(Listeners).add(call.nodeKey, listener);
	if (!before) waitingList.restore((readSaved(call.context, 'questions') ?? []).filter(isQuestion));
	if (before?.account !== account) waitingList.followKeyPair(account, credential);
}

/** The same, for the account that the trigger is registered with, if it is registered for texts. */
export function listenAsRegistered(call: TriggerCall): void {
	const registration = readSaved(call.context, 'registration');
	// It may have listened before, by polling, the end of which n8n does not tell.
	if (!registration?.events.includes('receive')) return stopListening(call);
	listenForAnswers(call, registration);
}

/** Lets this trigger receive no more answers. */
export function stopListening({ processMemory, nodeKey }: TriggerCall): void {
	processMemory.part(Listeners).markStopped(nodeKey);
}

/** Writes the questions of this process where n8n saves them with the next execution. */
export function saveQuestions(call: TriggerCall): void {
	const { nodeKey, processMemory } = call;
	const listener = processMemory.part(Listeners).find(nodeKey);
	if (!listener) return;
	writeSaved(call, { questions: processMemory.part(WaitingList).questionsOf(listener.account) });
}
