import type { IExecuteFunctions, ITriggerFunctions } from 'n8n-workflow';
import { reasonOf } from '../../reasonOf';
import type { Question } from '../../waiting/question';
import { WaitingList } from '../../waiting/waitingList';
import type { Arrival } from '../inbox';
import { recordNames } from '../begunList';
import { eventName, type ServiceEvent } from '../event';
import type { TriggerCall } from '../nodeMemory';
import { accountOf, endReasonIn, isAwaited, isEndedBy, toCustomerText } from '../wanted';
import { passMessage } from './passMessage';

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
	const { processMemory, whyEmpty } = call;
	const account = accountOf(call);
	const waitingList = processMemory.part(WaitingList);
	const goesOn = (why: 'ended' | 'unwanted') => {
		if (isFirst && !mayStart) whyEmpty.add(why);
		return isFirst && mayStart;
	};
	if (account === undefined || !('message' in event) || !isAwaited(call, event)) {
		return goesOn('unwanted');
	}
	const { message } = event;
	const ends = endReasonIn(call, event);
	if (ends) {
		await waitingList.passToAll(account, name, isEndedBy(ends, event), async (question) => {
			return await passMessage(call, question, { message, ends });
		});
		return goesOn('ended');
	}
	// To look for a name is to record it, so each pass has names of its own: of it, and of its end.
	let tries = 1;
	while (!(await isNew(call, `${name}#pass${tries}`))) tries += 1;
	const hasEnded = tries > 1 && !(await isNew(call, `${name}#end${tries - 1}`));
	const pass = async (question: Question) => await passMessage(call, question, { message });
	const isTaken =
		!hasEnded && (await waitingList.offer(account, name, toCustomerText(event), pass));
	await isNew(call, `${name}#end${tries}`);
	if (hasEnded) return false;
	if (isTaken) whyEmpty.add('answered');
	else if (!mayStart) whyEmpty.add('unwanted');
	return !isTaken && tries === 1 && mayStart;
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
	rows: Array<{ event: ServiceEvent }>,
): Promise<void> {
	const account = accountOf(call);
	const waitingList = call.processMemory.part(WaitingList);
	for (const { event } of rows) {
		if (account === undefined || !('message' in event)) continue;
		if (endReasonIn(call, event) !== 'failed' || !isAwaited(call, event)) continue;
		const pass = async (question: Question) =>
			await passMessage(call, question, { message: event.message, ends: 'failed' });
		await waitingList
			.passToAll(account, eventName(event), isEndedBy('failed', event), pass)
			.catch((thrown) =>
				call.context.logger.debug(`Ending a question that was not sent: ${reasonOf(thrown)}`),
			);
	}
}
