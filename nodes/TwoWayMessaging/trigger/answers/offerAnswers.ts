import type { IExecuteFunctions } from 'n8n-workflow';
import { reasonOf } from '../../reasonOf';
import { Listeners } from '../../waiting/listeners';
import { saveWithTriggers } from '../../waiting/announceToAll';
import type { CustomerText, Question } from '../../waiting/question';
import { WaitingList, type OfferResult } from '../../waiting/waitingList';
import type { AnswerHandover, Arrival } from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { isEndedBy, toCustomerText } from './awaitedTexts';
import { nameAsPassed, nameAsSettled } from './passedNames';
import { passMessage } from './passMessage';

/**
 * Records a name for good, as the names of events that have begun are recorded.
 *
 * @returns whether it was not recorded before
 */
export type RecordName = (name: string) => Promise<boolean>;

/**
 * Offers answers to the executions that wait for them, and ends the questions that a text or a message ends.
 *
 * @returns what is left: an answer that no execution has taken starts the workflow as usual, so that it is never
 * lost
 */
export async function offerAnswers(
	call: TriggerCall<IExecuteFunctions>,
	arrivals: Arrival[],
	record: RecordName,
): Promise<Arrival[]> {
	const left: Arrival[] = [];
	for (const arrival of arrivals) {
		const { handover } = arrival;
		const isTaken = handover?.kind === 'answer' && (await offer(call, handover, record));
		if (isTaken) call.whyEmpty.add('answered');
		else if (handover?.kind !== 'answer' || handover.mayStart) left.push(arrival);
		else call.whyEmpty.add(handover.ends ? 'ended' : 'unwanted');
	}
	return left;
}

/**
 * Offers answers that have begun before, in a process that may have been killed before they were passed on.
 *
 * The records say how far that process has come: a text that was about to be passed to an execution goes to that one and
 * to no other.
 *
 * @returns what is left: an answer that was passed to no execution, and that none takes now
 */
export async function offerAgain(
	call: TriggerCall<IExecuteFunctions>,
	arrivals: Arrival[],
	record: RecordName,
): Promise<Arrival[]> {
	const left: Arrival[] = [];
	for (const arrival of arrivals) {
		const { handover } = arrival;
		if (handover?.kind !== 'answer') continue;
		if (handover.ends) {
			await end(call, handover);
			continue;
		}
		const isCutOff = await settleAnswer(call, handover, record);
		if (!isCutOff) continue;
		if (await passWhereItWent(call, handover, record)) call.whyEmpty.add('answered');
		else left.push(...(await offerAnswers(call, [arrival], record)));
	}
	return left;
}

/** Records that an answer needs no execution, however often it comes. */
export async function settleAnswer(
	call: TriggerCall<IExecuteFunctions>,
	handover: AnswerHandover,
	record: RecordName,
): Promise<boolean> {
	return (await tryToRecord(call, record, nameAsSettled(handover))) === true;
}

/** @returns whether an execution has taken it as an answer */
async function offer(
	call: TriggerCall<IExecuteFunctions>,
	handover: AnswerHandover,
	record: RecordName,
): Promise<boolean> {
	if (handover.ends) {
		await end(call, handover);
		return false;
	}
	const { account, name } = handover;
	const isTaken = await call.processMemory
		.part(WaitingList)
		.offer(account, name, textOf(handover), async (question) => {
			await tryToRecord(call, record, nameAsPassed(handover, question));
			return await passOn(call, handover, question);
		});
	await settleAnswer(call, handover, record);
	return isTaken;
}

/** Passes a text to one execution, so that it answers no other question, whichever trigger receives it once more. */
async function passOn(
	call: TriggerCall<IExecuteFunctions>,
	handover: AnswerHandover,
	question: Question,
): Promise<OfferResult> {
	const { name, message } = handover;
	const waitingList = call.processMemory.part(WaitingList);
	const others = waitingList.markUsed(question, name, textOf(handover));
	await saveUsed(call, others);
	const result = await passMessage(call, question, { message });
	if (result === 'gone' || result === 'unreachable') {
		waitingList.unmarkUsed(others, name);
		await saveUsed(call, others);
	}
	return result;
}

/**
 * Lets other triggers save with these questions whether a text was passed to another one. What this trigger has passed, it
 * knows by its own records.
 */
async function saveUsed(
	{ caller, clock, processMemory: memory }: TriggerCall<IExecuteFunctions>,
	[question]: Question[],
): Promise<void> {
	if (!question || memory.part(Listeners).of(question.account).length < 2) return;
	try {
		await saveWithTriggers({ caller, clock, memory }, question);
	} catch (thrown) {
		caller.logger.debug(`Saving to whom an answer is passed: ${reasonOf(thrown)}`);
	}
}

function textOf({ message, createdAt }: AnswerHandover): CustomerText {
	return toCustomerText(message, createdAt);
}

async function end(
	call: TriggerCall<IExecuteFunctions>,
	{ account, name, message, createdAt, ends }: AnswerHandover,
): Promise<void> {
	if (!ends) return;
	await call.processMemory
		.part(WaitingList)
		.passToAll(account, name, isEndedBy({ ends, message, createdAt }), async (question) => {
			return await passMessage(call, question, { message, ends });
		});
}

/**
 * Passes a text once more to the execution that it was about to be passed to.
 *
 * @returns whether there was such an execution. If it waits no more, it has taken the text
 */
async function passWhereItWent(
	call: TriggerCall<IExecuteFunctions>,
	handover: AnswerHandover,
	record: RecordName,
): Promise<boolean> {
	const { account, name } = handover;
	let wasPassed = false;
	await call.processMemory
		.part(WaitingList)
		.offer(account, name, textOf(handover), async (question) => {
			if (wasPassed) return 'unreachable';
			wasPassed = (await tryToRecord(call, record, nameAsPassed(handover, question))) === false;
			return wasPassed ? await passOn(call, handover, question) : 'unreachable';
		});
	return wasPassed;
}

/** @returns whether the name was not recorded before; undefined where that cannot be told */
async function tryToRecord(
	{ caller }: TriggerCall<IExecuteFunctions>,
	record: RecordName,
	name: string,
): Promise<boolean | undefined> {
	try {
		return await record(name);
	} catch (thrown) {
		caller.logger.debug(`Recording to whom an answer is passed: ${reasonOf(thrown)}`);
		return undefined;
	}
}
