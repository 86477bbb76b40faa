import type { IExecuteFunctions, ITriggerFunctions } from 'n8n-workflow';
import { reasonOf } from '../../reasonOf';
import type { EndReason } from '../../waiting/passedText';
import { WaitingList } from '../../waiting/waitingList';
import type { Arrival } from '../arrival';
import { recordNames } from '../begunList';
import { eventName, type MessageContent, type ServiceEvent } from '../event';
import type { TriggerCall } from '../nodeMemory';
import { endReasonIn, isAwaited, isEndedBy, toCustomerText } from '../awaitedTexts';
import { accountFor } from './listenForAnswers';
import { passMessage } from './passMessage';

/** A message that an execution waits for. */
type Awaited = MessageContent & { name: string; account: string; createdAt?: string };

/**
 * Offers an event that begins to the executions that wait for an answer, and ends the questions that it ends. An answer that
 * no execution takes starts the workflow, so that it is never lost.
 *
 * What becomes of an answer is recorded before and after it is passed on: a process that was killed in between shows how
 * far it had come when the event comes again.
 *
 * @returns whether the event goes on into the workflow
 */
export async function offerAnswer(
	call: TriggerCall<IExecuteFunctions>,
	{ name, event }: Arrival,
	{ isFirst, mayStart }: { isFirst: boolean; mayStart: boolean },
): Promise<boolean> {
	const { whyEmpty } = call;
	const account = accountFor(call);
	const goesOn = (why: 'ended' | 'unwanted') => {
		if (isFirst && !mayStart) whyEmpty.add(why);
		return isFirst && mayStart;
	};
	if (account === undefined || !('message' in event) || !isAwaited(call, account, event)) {
		return goesOn('unwanted');
	}
	const awaited = { ...event, name, account };
	const ends = endReasonIn(event);
	if (ends) {
		await endQuestions(call, awaited, ends);
		return goesOn('ended');
	}
	// To look for a name is to record it, so each pass has names of its own: of it, and of its end.
	let pass = 1;
	while (!(await isNew(call, `${name}#pass${pass}`))) pass += 1;
	const isOver = pass > 1 && !(await isNew(call, `${name}#end${pass - 1}`));
	const isTaken = !isOver && (await offer(call, awaited));
	await isNew(call, `${name}#end${pass}`);
	if (isOver) return false;
	if (isTaken) whyEmpty.add('answered');
	else if (!mayStart) whyEmpty.add('unwanted');
	return !isTaken && pass === 1 && mayStart;
}

async function offer(
	call: TriggerCall<IExecuteFunctions>,
	{ account, name, message, createdAt }: Awaited,
): Promise<boolean> {
	const text = toCustomerText(message, createdAt);
	return await call.processMemory
		.part(WaitingList)
		.offer(account, name, text, async (question) => await passMessage(call, question, { message }));
}

async function endQuestions(
	call: TriggerCall<IExecuteFunctions>,
	{ account, name, message, createdAt }: Awaited,
	ends: EndReason,
): Promise<void> {
	await call.processMemory
		.part(WaitingList)
		.passToAll(account, name, isEndedBy({ ends, message, createdAt }), async (question) => {
			return await passMessage(call, question, { message, ends });
		});
}

/** Records a name for good, and tells whether it was not recorded before; where that cannot be told, it was not. */
async function isNew(call: TriggerCall<IExecuteFunctions>, name: string): Promise<boolean> {
	try {
		return (await recordNames(call, [name])).has(name);
	} catch (thrown) {
		call.context.logger.debug(`Recording to whom an answer is passed: ${reasonOf(thrown)}`);
		return true;
	}
}

/** Ends the questions that could not be sent, as far as the rows of the history tell of them (§4.5). */
export async function endFailed(
	call: TriggerCall<ITriggerFunctions>,
	account: string,
	rows: Array<{ event: ServiceEvent }>,
): Promise<void> {
	const waitingList = call.processMemory.part(WaitingList);
	for (const { event } of rows) {
		if (!('message' in event) || endReasonIn(event) !== 'failed') continue;
		const { message } = event;
		const isMeant = isEndedBy({ ends: 'failed', message });
		if (!waitingList.isAnyAwaited(account, isMeant)) continue;
		try {
			await waitingList.passToAll(account, eventName(event), isMeant, async (question) => {
				return await passMessage(call, question, { message, ends: 'failed' });
			});
		} catch (thrown) {
			call.context.logger.debug(`Ending a question that was not sent: ${reasonOf(thrown)}`);
		}
	}
}
