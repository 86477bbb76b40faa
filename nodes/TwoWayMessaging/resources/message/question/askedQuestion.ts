import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { isFields, type Message } from '../../../message';
import { readFromNodeContext, saveInNodeContext } from '../../../n8n/nodeContext';

/** The buttons of the page; without a label to decline there is only one button. */
export type Buttons = { approve: string; decline?: string };

/** The question that an execution waits for, as it is saved with the execution. */
export type AskedQuestion = {
	/** The message that asked. Its text is the question as it was written, without the link. */
	question: Message;
	/** Present when the customer answers by buttons. */
	buttons?: Buttons;
	/** Names the question in its URL, as an execution may ask several; its triggers know it, too. */
	token: string;
};

const NAME = 'asked';

/** Saves the question with the execution, as the fields that made it cannot be read while n8n waits. */
export function saveAskedQuestion(caller: IExecuteFunctions, asked: AskedQuestion): void {
	saveInNodeContext(caller, NAME, asked);
}

/** The question that the execution waits for; undefined when none was saved. */
export function readAskedQuestion(webhook: IWebhookFunctions): AskedQuestion | undefined {
	const saved = readFromNodeContext(webhook, NAME);
	return isFields(saved) && isFields(saved.question) ? (saved as AskedQuestion) : undefined;
}

/** The fields of every output item that show the question. */
export function questionFieldsOf({ question }: AskedQuestion): IDataObject {
	return { question: question as IDataObject };
}
