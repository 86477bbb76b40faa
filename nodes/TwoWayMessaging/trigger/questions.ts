import type {
	IDataObject,
	IHookFunctions,
	INodeExecutionData,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { processMemory } from '../processMemory';
import { WaitingList } from '../waiting/waitingList';
import { isQuestion } from '../waiting/announcement';
import type { Question } from '../waiting/question';
import { storedRegistration } from './registration';
import type { TriggerCaller } from './settings';

/**
 * Hears from now on what customers text, for the executions that wait for it. The first time in a process it
 * also takes up the questions that an earlier one has kept.
 *
 * @param url where the trigger is told of questions; absent when it polls
 */
export function listenForAnswers(caller: TriggerCaller, account: string, url?: string): void {
	const listener = { account, ...(url !== undefined && { url }) };
	if (processMemory.part(WaitingList).listen(keyOf(caller), listener))
		processMemory.part(WaitingList).restore(keptQuestions(caller));
}

/** Hears from now on what customers text, where the trigger's webhook is registered for it. */
export function listenIfRegistered(hook: IHookFunctions, isRegistered: boolean): boolean {
	if (isRegistered && hook.getMode() !== 'manual') listenAsRegistered(hook);
	return isRegistered;
}

function listenAsRegistered(caller: TriggerCaller): void {
	const stored = storedRegistration(caller);
	if (stored?.events.includes('receive')) listenForAnswers(caller, stored.account, stored.url);
}

/** The workflow has stopped listening. */
export function stopListening(caller: TriggerCaller): void {
	processMemory.part(WaitingList).stopListening(keyOf(caller));
}

/** The account that the trigger listens for; undefined when it does not. */
export function listenedAccount(caller: TriggerCaller): string | undefined {
	return processMemory.part(WaitingList).listener(keyOf(caller))?.account;
}

/** The same, for a webhook that may be the first call of all in this process. */
export function accountOfWebhook(webhook: IWebhookFunctions): string | undefined {
	const account = listenedAccount(webhook);
	if (account !== undefined) return account;
	listenAsRegistered(webhook);
	return listenedAccount(webhook);
}

/** The questions in the node's static data. */
export function keptQuestions(caller: TriggerCaller): Question[] {
	const { questions } = caller.getWorkflowStaticData('node');
	// Copies, as n8n watches what stands in its data.
	return Array.isArray(questions) ? copied(questions).filter(isQuestion) : [];
}

/**
 * Puts the questions of this process into the node's static data, for n8n to save.
 *
 * @returns whether they were other ones before
 */
export function keepQuestions(caller: TriggerCaller): boolean {
	const account = listenedAccount(caller);
	if (account === undefined) return false;
	const staticData = caller.getWorkflowStaticData('node');
	const questions = processMemory.part(WaitingList).questionsOf(account);
	const isSame = JSON.stringify(questions) === JSON.stringify(staticData.questions ?? []);
	if (!isSame) staticData.questions = copied(questions) as unknown as IDataObject[];
	return !isSame;
}

/** An item that lets n8n save what a check keeps, and starts nothing. */
export function itemToSave(poll: IPollFunctions): INodeExecutionData[] {
	return keepQuestions(poll) ? [{ json: { key: 'questions', output: {}, awaited: {} } }] : [];
}

function copied<T>(value: T): T {
	return JSON.parse(JSON.stringify(value)) as T;
}

function keyOf(caller: TriggerCaller): string {
	return `${caller.getWorkflow().id ?? ''} ${caller.getNode().id}`;
}
