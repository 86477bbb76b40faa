import { HEADERS } from '../../../nodes/TwoWayMessaging/contract';
import type { MessageRecord } from '../state/messages';
import type { Character } from './character';

/**
 * The fields of §2.6: status, service, conversation_handle and those of the send answer.
 * assumption: also `from`, `line_handle` and `media_url`. Without them nobody could tell who wrote, to which line, and
 * what came with it, and §4.5 calls the history the source of truth for missed events.
 */
export const leastRow = (message: MessageRecord) => ({
	message_handle: message.message_handle,
	conversation_handle: message.conversation_handle,
	line_handle: message.line_handle,
	from: message.from,
	to: message.to,
	content: message.content,
	media_url: message.media_url,
	service: message.service,
	status: message.status,
	is_outbound: message.is_outbound,
	error_message: message.error_message,
	date_sent: literal.dateSent(message),
});

/** Sends what the document shows and not a field more. Where it shows nothing, the least that can be used. */
export const literal: Character = {
	clockBehindMs: 0,
	signatureHeader: HEADERS.signature,
	keepText: (text) => text,
	// A message that failed was not sent.
	dateSent: ({ date_sent: dateSent }) => dateSent,
	me: {},
	status: ({ status, service }) => ({ status, service }),
	lookup: (number, service) => (service === null ? { number } : { number, service }),
	media: ({ href }) => ({ body: { media_url: href } }),
	registration: { rule: 'onePerUrl', answer: () => ({ body: {} }) },
	history: {
		mostRows: 500,
		refusesMoreRows: false,
		cursors: 'handle',
		mostPlacesOff: 0,
		row: leastRow,
		// The last row's message_handle is the next cursor, and the history ends with an empty page.
		body: (messages) => ({ messages }),
	},
	events: { envelopeExtras: () => ({}), flatExtras: () => ({}), data: 'named' },
};
