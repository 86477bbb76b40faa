import { isFields, type Message } from '../message';

/** Why a question ends without an answer. */
export type EndReason = (typeof END_REASONS)[number];

const END_REASONS = ['optedOut', 'wrongNumber', 'failed', 'notUnderstood'] as const;

/** What a trigger passes to an execution that waits: a text that may be the answer, or a message that ends the question. */
export type PassedMessage = {
	token: string;
	/** The customer's text; where the question has failed, the message that could not be sent. */
	message: Message;
	/** Absent for a text that may be the answer. */
	ends?: EndReason;
};

/** What the execution answers. */
export type PassedAnswer = {
	/** Whether the execution goes on. */
	answered: boolean;
	/** Whether it has read the text, and goes on waiting. */
	waits?: boolean;
	/** Set where it goes on waiting, and the text is about something else, so that others may have it. */
	isOther?: boolean;
};

/** What a trigger has passed; undefined for every other request. */
export function readPassed(body: unknown): PassedMessage | undefined {
	if (!isFields(body) || typeof body.token !== 'string' || !isFields(body.message))
		return undefined;
	const { token, message } = body;
	const ends = END_REASONS.find((reason) => reason === body.ends);
	return { token, message: message as Message, ...(ends && { ends }) };
}
