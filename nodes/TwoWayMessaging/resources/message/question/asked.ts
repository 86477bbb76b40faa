import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { isFields, type Message } from '../../../message';

/** Who answers how: by the buttons of a page, or by a text. */
export type ResponseType = 'approval' | 'reply';

/** The buttons of the page; without a label to decline there is only one. */
export type Buttons = { approve: string; decline?: string };

/** A question that an execution waits for, as it stays with the execution. */
export type Asked = {
	/** The message that asked, with the text as it was written: without the link. */
	question: Message;
	buttons?: Buttons;
	/** Known only to the triggers that hand over a text as the answer. */
	token?: string;
};

/** Field of the node's context, which n8n saves with the execution. */
const FIELD = 'asked';

/** Keeps the question with the execution. The fields that made it cannot be read again while n8n waits. */
export function keepAsked(caller: IExecuteFunctions, asked: Asked): void {
	caller.getContext('node')[FIELD] = asked;
}

/** The question that the execution waits for; undefined when nothing was kept. */
export function readAsked(webhook: IWebhookFunctions): Asked | undefined {
	// A webhook is not given the context itself.
	const name = JSON.stringify(webhook.getNode().name);
	const kept: unknown = webhook.evaluateExpression(`{{ $node[${name}].context["${FIELD}"] }}`);
	return isFields(kept) && isFields(kept.question) ? (kept as Asked) : undefined;
}

/** What every output item says of the question. */
export function questionOf({ question }: Asked): IDataObject {
	return { question: question as IDataObject };
}
