import type { IExecuteFunctions, ITriggerFunctions } from 'n8n-workflow';
import { recordNames } from '../../n8n/processedData';
import { reasonOf } from '../../reasonOf';
import { isAnswerTo, isFromAsked, type CustomerText, type Question } from '../../waiting/question';
import { WaitingList } from '../../waiting/waitingList';
import type { Arrival } from '../inbox';
import { eventName, type ServiceEvent } from '../event';
import type { TriggerCall } from '../nodeMemory';
import { accountOf, awaitedMeaning, toCustomerText, type Meaning } from '../wanted';
import { passMessage } from './passMessage';

/**
 * Offers an event that begins to the executions that wait for an answer, and ends the questions that it ends. An answer that
 * no execution takes starts the workflow, so that it is never lost.
 *
 * One that comes again is offered again where no execution had taken it, as n8n may have been killed while it was passed on.
 *
 * @returns whether it has `answered` or `ended` a question; `unwanted` where no execution has a use for it
 */
export async function offerAnswer(
	call: TriggerCall<IExecuteFunctions>,
	{ name, event }: Arrival,
	isFirst: boolean,
): Promise<'answered' | 'ended' | 'unwanted'> {
	const meaning = awaitedMeaning(call, event);
	if (!meaning) return 'unwanted';
	if (meaning.ends) {
		await passOn(call, name, meaning);
		return 'ended';
	}
	// To look for a name is to record it, so each try has names of its own.
	let tries = 1;
	if (!isFirst)
		do tries += 1;
		while (!(await isNew(call, `${name}#try${tries}`)));
	const wasTaken = tries > 1 && !(await isNew(call, `${name}#taken${tries - 1}`));
	if (!wasTaken && !(await passOn(call, name, meaning))) return 'unwanted';
	await isNew(call, `${name}#taken${tries}`);
	return 'answered';
}

/** Records a name for good; returns whether it was not recorded before, as far as that can be told. */
async function isNew(call: TriggerCall<IExecuteFunctions>, name: string): Promise<boolean> {
	try {
		return (await recordNames(call, [name])).has(name);
	} catch (thrown) {
		call.context.logger.debug(`Recording who has taken an answer: ${reasonOf(thrown)}`);
		return true;
	}
}

async function passOn(
	call: TriggerCall<IExecuteFunctions | ITriggerFunctions>,
	name: string,
	meaning: Meaning,
): Promise<boolean> {
	const pass = async (question: Question) => await passMessage(call, question, meaning);
	return await call.processMemory.part(WaitingList).offer(accountOf(call), name, meaning, pass);
}

/** Ends the questions that could not be sent, as far as the rows of the history tell of them (§4.5). */
export async function endFailed(
	call: TriggerCall<ITriggerFunctions>,
	rows: Array<{ event: ServiceEvent }>,
): Promise<void> {
	for (const { event } of rows) {
		const meaning = awaitedMeaning(call, event);
		if (meaning?.ends !== 'failed') continue;
		await passOn(call, eventName(event), meaning).catch((thrown) =>
			call.context.logger.debug(`Ending a question that was not sent: ${reasonOf(thrown)}`),
		);
	}
}

/** How long a question may still wait when its end is prepared, and how much before n8n would end it. */
const MINUTE_MS = 60_000;
const BEFORE_N8N_MS = 5_000;

/**
 * Ends the questions whose customers were asked again and have not answered until the time limit, each just before n8n does: n8n
 * continues with what it saved when the wait began, without what the customer has written since. To be called every minute.
 */
export function endNotUnderstood(call: TriggerCall<ITriggerFunctions>): void {
	const { clock, context, processMemory } = call;
	for (const question of processMemory.part(WaitingList).questionsOf(accountOf(call))) {
		const { askedAtMs, number: from, token, waitMs = Number.POSITIVE_INFINITY } = question;
		const leftMs = askedAtMs + waitMs - BEFORE_N8N_MS - clock.nowMs();
		if (leftMs > MINUTE_MS) continue;
		const end = async () => {
			await clock.sleep(Math.max(leftMs, 0));
			if (!question.askedAgain) return;
			const isMeant = (one: Question) => one.token === token;
			const meaning = { isMeant, ends: 'notUnderstood', message: { from } } as const;
			await passOn(call, `time limit of ${token}`, meaning);
		};
		end().catch((thrown) =>
			context.logger.debug(`Ending a question that was not understood: ${reasonOf(thrown)}`),
		);
	}
}

/** Says in the log, once, why a text that starts the workflow answers no question, if there is one to its customer. */
export function logWhyNoAnswer(
	call: TriggerCall<IExecuteFunctions>,
	{ name, event }: Arrival,
): void {
	if (event.kind !== 'receive') return;
	const { context, processMemory } = call;
	const text = toCustomerText(event);
	for (const question of processMemory.part(WaitingList).questionsTo(text.from)) {
		const why = whyNoAnswer(question, accountOf(call), text);
		if (why === undefined || why === question.notAnsweredAs) continue;
		question.notAnsweredAs = why;
		context.logger.info(
			`${context.getNode().name}: the open question to a customer is not answered by ${name}, as ${why}`,
		);
	}
}

function whyNoAnswer(question: Question, account: string, text: CustomerText) {
	if (question.account !== account) return 'it was asked with another key pair';
	if (question.isByButtons) return 'it is answered by the buttons of its page';
	if (!isFromAsked(question, text)) return 'the text was written before the question';
	return isAnswerTo(question, text) ? undefined : 'the text came to another line';
}
