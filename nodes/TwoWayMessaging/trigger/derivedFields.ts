import type { IDataObject } from 'n8n-workflow';
import type { Message } from '../message';
import { comparableNumber } from '../phoneNumber';
import { consentIn } from './consent';

/** The fields of an item that follow from a customer's text: its consent, and what n8n's AI nodes look for. */
export function derivedFields(message: Message): IDataObject {
	const { content, media_url: mediaUrl } = message;
	const consent = consentIn(content);
	const chatInput = content || mediaUrl;
	const sessionId = sessionOf(message);
	return {
		...(consent && { consent }),
		...(chatInput && { chatInput }),
		...(sessionId && { sessionId }),
	};
}

/** The line and the customer. Both numbers are in every form of an event; the conversation's handle is not (§6.2). */
function sessionOf({ from, to, line_handle: line }: Message): string | undefined {
	const ours = to ? comparableNumber(to) : line;
	return ours && from && `${ours}-${comparableNumber(from) || from}`;
}
