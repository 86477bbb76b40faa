import type { Character } from './character';
import { leastRow, literal } from './literal';
import { tidyText } from './tidyText';

/** Less than the five minutes after which a receiver refuses a signature (§6.4). */
const BEHIND_MS = 4 * 60_000;

/** Keeps to the document, and does everything that it leaves open in another way than one would expect. */
export const awkward: Character = {
	clockBehindMs: BEHIND_MS,
	signatureHeader: literal.signatureHeader,
	keepText: tidyText,
	dateSent: ({ status, date_sent: dateSent }) => (status === 'ERROR' ? undefined : dateSent),
	me: { data: { organization: 'Sandbox' } },
	status: (message) => ({ data: { message } }),
	lookup: (_number, service) => ({ data: { channel: service?.toLowerCase() ?? null } }),
	media: ({ pathname }) => ({ body: null, location: pathname }),
	registration: {
		rule: 'onePerRegistration',
		answer: ({ id }) => ({ body: null, location: `/v1/account/webhooks/${id}` }),
	},
	history: {
		mostRows: 100,
		refusesMoreRows: true,
		cursors: 'opaque',
		mostPlacesOff: 2,
		row: (message) => ({ ...leastRow(message), date_sent: awkward.dateSent(message) }),
		body: (results, next) => ({ data: { results, next } }),
	},
	events: { ...literal.events, data: 'bare' },
};
