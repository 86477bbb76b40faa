import type { Character } from './character';
import { leastRow, literal } from './literal';

const reasonOf = ({
	is_outbound: isOutbound,
	error_message: reason,
}: {
	is_outbound: boolean;
	error_message: string | null;
}) => (isOutbound ? { error_message: reason } : {});

/** Sends more fields than the document shows, and a date with everything. */
export const generous: Character = {
	...literal,
	dateSent: ({ date_sent: dateSent, failed_at: failedAt }) => dateSent ?? failedAt,
	me: { status: 'ok', organization: 'Sandbox' },
	status: (message) => message,
	lookup: (number, service) =>
		service === null ? { number, status: 'pending' } : { number, service },
	registration: { rule: 'onePerUrl', answer: (endpoint) => ({ body: endpoint }) },
	history: {
		...literal.history,
		row: (message) => ({
			...leastRow(message),
			date_sent: generous.dateSent(message),
			created_at: message.created_at,
		}),
		body: (messages, next) => ({ messages, before: next }),
	},
	events: {
		data: 'named',
		envelopeExtras: (message) => ({
			media_url: message.media_url,
			conversation_handle: message.conversation_handle,
			...reasonOf(message),
		}),
		flatExtras: reasonOf,
	},
};
