import type { Message } from '../../message';
import { Rounds } from '../../queue';
import { Listeners } from '../../waiting/listeners';
import { WaitingList } from '../../waiting/waitingList';
import type { EventContent } from '../event';
import { judge } from '../filters';
import { readSaved, type Registration, type TriggerCall } from '../nodeMemory';
import { Starter } from '../starter';

/** How long a question waits at most until it is saved: with many executions under way, n8n may take its time. */
const SAVED_WITHIN_MS = 2_000;

/** Executions that save the questions of a node. */
class Saves extends Rounds<void> {}

/**
 * Lets this trigger receive answers by text from now on, if it listens to texts. The first time in a process, it also takes over
 * the questions that an earlier process has saved.
 *
 * @param registered as whom it listens, and to what
 */
export function listenForAnswers(
	call: TriggerCall,
	registered?: Pick<Registration, 'account' | 'events'>,
): void {
	// It may have listened before, by polling, the end of which n8n does not tell.
	if (!registered?.events.includes('receive')) return stopListening(call);
	const { account } = registered;
	// Nothing else of the call is kept for as long as the workflow listens.
	const { clock, memory, nodeKey } = call;
	const save = async () =>
		await memory.part(Saves).join(async () => {
			// n8n saves what a trigger has written when an execution starts, so one starts, which ends without an item.
			const saved = memory.part(Starter).startWith({ isForSaving: true });
			await Promise.race([saved.catch(() => false), clock.sleep(SAVED_WITHIN_MS)]);
		});
	const listeners = call.processMemory.part(Listeners);
	const { name: workflow = '' } = call.context.getWorkflow();
	const { filters } = call.settings;
	const mayStart = (message: Message) => judge({ kind: 'receive', message }, filters) !== 'fails';
	listeners.set(nodeKey, { account, workflow, mayStart, save });
	if (!memory.knowsQuestions) {
		call.processMemory.part(WaitingList).restore(readSaved(call.context, 'questions') ?? []);
	}
	memory.knowsQuestions = true;
}

/** Lets this trigger receive no more answers. */
export function stopListening({ processMemory, nodeKey }: TriggerCall): void {
	processMemory.part(Listeners).delete(nodeKey);
}

/** Which other workflows start for the same texts, so that a customer may get two answers; undefined where none does. */
export function whoElseHears(
	call: TriggerCall,
	account: string,
	events: EventContent[],
): string | undefined {
	const names: string[] = [];
	for (const [key, other] of call.processMemory.part(Listeners)) {
		if (key === call.nodeKey || other.account !== account) continue;
		const hears = (one: EventContent) => one.kind === 'receive' && other.mayStart(one.message);
		if (events.some(hears)) names.push(`'${other.workflow}'`);
	}
	if (names.length === 0) return undefined;
	return `${names.join(', ')} ${names.length === 1 ? 'hears' : 'hear'} this line, too: if more than one answers, unpublish all but one, or give each its own lines under 'Filters'.`;
}

/** A text of anybody to each line of which every text starts the workflow. */
export function textsHeard({ settings: { filters, kinds } }: TriggerCall) {
	const lines = filters.lines.length > 0 ? filters.lines : [[]];
	return lines.flatMap((names) => {
		const message = { from: '*', to: names.at(-1), line_handle: names[0], content: '*' };
		const event = { kind: 'receive', message } as const;
		const isHeard = kinds.includes('receive') && judge(event, filters) !== 'fails';
		return isHeard ? [event] : [];
	});
}
