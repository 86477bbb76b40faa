import type { IExecuteFunctions } from 'n8n-workflow';
import {
	isAnswerTo,
	isFromAsked,
	isOver,
	type CustomerText,
	type Question,
} from '../../waiting/question';
import { WaitingList } from '../../waiting/waitingList';
import type { Arrival } from '../arrival';
import type { TriggerCall } from '../nodeMemory';
import { endReasonIn, toCustomerText } from '../awaitedTexts';
import { accountFor } from './listenForAnswers';

/** What the log has said of each question. */
class Said {
	private readonly reasons = new WeakMap<Question, Set<string>>();

	isNew(question: Question, reason: string): boolean {
		const said = this.reasons.get(question) ?? new Set();
		this.reasons.set(question, said);
		return said.size < said.add(reason).size;
	}
}

/** Says in the log why a text that starts the workflow answers no question, if there is one to its customer. */
export function logWhyNoAnswer(
	call: TriggerCall<IExecuteFunctions>,
	{ name, event }: Arrival,
): void {
	const { context, clock, processMemory } = call;
	const account = accountFor(call);
	if (account === undefined || event.kind !== 'receive' || endReasonIn(event)) return;
	const text = toCustomerText(event.message, event.createdAt);
	for (const question of processMemory.part(WaitingList).questionsTo(text.from)) {
		const why = whyNoAnswer(question, account, text, clock.nowMs());
		if (why === undefined || !processMemory.part(Said).isNew(question, why)) continue;
		context.logger.info(
			`${context.getNode().name}: the open question to a customer is not answered by ${name}, as ${why}`,
		);
	}
}

function whyNoAnswer(question: Question, account: string, text: CustomerText, nowMs: number) {
	if (question.account !== account) return 'it was asked with another key pair';
	if (question.isByButtons) return 'it is answered by the buttons of its page';
	if (isOver(question, nowMs)) return 'its time limit is over';
	if (!isFromAsked(question, text)) return 'the text was written before the question';
	return isAnswerTo(question, text) ? undefined : 'the text came to another line';
}
