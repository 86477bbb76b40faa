import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { isFields, type Message } from '../../message';
import type { ExpectedAnswer } from './expected';
import type { Buttons, Words } from './page';

/** The question that an execution waits for, as it is saved with the execution. */
export type AskedQuestion = {
	/** The message that asked. Its text is the question as it was written, without the link. */
	question: Message;
	buttons?: Buttons;
	words?: Words;
	/** Present when not every text is an answer. */
	expected?: ExpectedAnswer;
	/** How many outputs the node has, of which the last one is for no answer; 1 where every answer leaves by the first. */
	outputs: number;
	/** Names the question in its URL, as an execution may ask several; its triggers know it, too. */
	token: string;
};

const NAME = 'asked';

/** Saves the question with the execution, as the fields that made it cannot be read while n8n waits. */
export function saveAskedQuestion(context: IExecuteFunctions, asked: AskedQuestion): void {
	context.getContext('node')[NAME] = asked;
}

/**
 * The question that the execution waits for; undefined when none was saved.
 *
 * n8n gives a webhook no function for that, only the expression `$node[…].context[…]`. Should n8n drop it, every question
 * counts as over: what a visit answers cannot be told then, and it must not answer another question.
 */
export function readAskedQuestion(webhook: IWebhookFunctions): AskedQuestion | undefined {
	// Two braces would end the expression.
	const escape = (brace: string) => (brace === '{' ? '\\u007b' : '\\u007d');
	const node = JSON.stringify(webhook.getNode().name).replace(/[{}]/g, escape);
	const saved: unknown = webhook.evaluateExpression(`{{ $node[${node}].context.${NAME} }}`);
	return isFields(saved) && isFields(saved.question) ? (saved as AskedQuestion) : undefined;
}
