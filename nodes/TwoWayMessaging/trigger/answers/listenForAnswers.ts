import type { IWebhookFunctions } from 'n8n-workflow';
import { Listeners, type Listener } from '../../waiting/listeners';
import { WaitingList } from '../../waiting/waitingList';
import type { TriggerCall } from '../nodeMemory';
import { readSaved } from '../savedState';
import { writeSaved } from '../writeSaved';

/**
 * Lets this trigger receive answers by text from now on. The first time in a process, it also takes over the
 * questions that an earlier process has saved.
 */
export function listenForAnswers(call: TriggerCall, listener: Omit<Listener, 'seenAtMs'>): void {
	const { account, credential } = listener;
	const waitingList = call.processMemory.part(WaitingList);
	const before = call.processMemory.part(Listeners).add(call.nodeKey, listener);
	if (!before) waitingList.restore(readSaved(call.caller, 'questions') ?? []);
	if (before?.account !== account) waitingList.followKeyPair(account, credential);
}

/** The same, for the account and the URL that the trigger is registered with, if it is registered for texts. */
export function listenAsRegistered(call: TriggerCall): void {
	const registration = readSaved(call.caller, 'registration');
	// It may have listened before, by polling, the end of which n8n does not tell.
	if (!registration?.events.includes('receive')) return stopListening(call);
	const { account, credential, url } = registration;
	listenForAnswers(call, { account, url, ...(credential && { credential }) });
}

/** Lets this trigger receive no more answers. */
export function stopListening({ processMemory, nodeKey }: TriggerCall): void {
	processMemory.part(Listeners).markStopped(nodeKey);
}

/** The account that the trigger receives answers for; undefined when it receives none. */
export function listenedAccount({ processMemory, nodeKey }: TriggerCall): string | undefined {
	return processMemory.part(Listeners).find(nodeKey)?.account;
}

/** The same, for a webhook that may be the first call of all in this process. */
export function accountOfWebhook(call: TriggerCall<IWebhookFunctions>): string | undefined {
	const account = listenedAccount(call);
	if (account !== undefined) return account;
	listenAsRegistered(call);
	// A trigger for other events receives no answers, and may still tell that a question could not be sent.
	return listenedAccount(call) ?? readSaved(call.caller, 'registration')?.account;
}

/**
 * Writes the questions of this process into the saved state.
 *
 * @returns whether other questions were saved before
 */
export function saveQuestions(call: TriggerCall): boolean {
	const account = listenedAccount(call);
	if (account === undefined) return false;
	const questions = call.processMemory.part(WaitingList).questionsOf(account);
	const saved = readSaved(call.caller, 'questions') ?? [];
	const isChanged = JSON.stringify(questions) !== JSON.stringify(saved);
	if (isChanged) writeSaved(call, { questions });
	return isChanged;
}
