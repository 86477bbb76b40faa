import type { IExecuteFunctions } from 'n8n-workflow';
import { isAnswerTo, isFromAsked, type CustomerText, type Question } from '../../waiting/question';
import { WaitingList } from '../../waiting/waitingList';
import type { Arrival } from '../inbox';
import type { TriggerCall } from '../nodeMemory';
import { accountOf, endReasonIn, toCustomerText } from '../wanted';

/** What the log has said of each question. */
class Said {
	readonly reasons = new WeakMap<Question, Set<string>>();
}

/** Says in the log, once, why a text that starts the workflow answers no question, if there is one to its customer. */
export function logWhyNoAnswer(
	call: TriggerCall<IExecuteFunctions>,
	{ name, event }: Arrival,
): void {
	const { context, processMemory } = call;
	const account = accountOf(call);
	if (account === undefined || event.kind !== 'receive' || endReasonIn(call, event)) return;
	const text = toCustomerText(event);
	const { reasons } = processMemory.part(Said);
	for (const question of processMemory.part(WaitingList).questionsTo(text.from)) {
		const why = whyNoAnswer(question, account, text);
		const said = reasons.get(question) ?? new Set();
		if (why === undefined || said.has(why)) continue;
		reasons.set(question, said.add(why));
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
