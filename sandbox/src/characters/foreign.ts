import type { MessageRecord } from '../state/messages';
import type { Character } from './character';
import { leastRow, literal } from './literal';

const withoutPlus = ({ from, to }: Pick<MessageRecord, 'from' | 'to'>) => ({
	from: from.replace('+', ''),
	to: to.replace('+', ''),
});

/** Speaks in words of its own wherever the document shows none, as an operator may who has never seen these nodes. */
export const foreign: Character = {
	...literal,
	signatureHeader: 'acme-signature',
	me: 'OK',
	status: ({ status, service }) => ({
		status: 'ok',
		message: { status: status.toLowerCase(), channel: service?.toLowerCase() ?? null },
	}),
	lookup: (_number, service) => ({
		result:
			service === null
				? { state: 'processing' }
				: { imessage_capable: service === 'iMessage' ? 1 : 0 },
	}),
	media: ({ href }) => ({ body: { asset: { links: { download: href } } } }),
	registration: { rule: 'onceEver', answer: () => ({ body: 'Created' }) },
	history: {
		mostRows: 100,
		refusesMoreRows: false,
		cursors: 'opaque',
		mostPlacesOff: 0,
		row: (message) => ({
			...leastRow(message),
			...withoutPlus(message),
			is_outbound: message.is_outbound ? 1 : 0,
		}),
		body: (records, next) => ({
			ok: 1,
			history: { records },
			paging: { older: next && `/v2/messages?limit=100&before=${next}` },
		}),
	},
	events: {
		data: 'wrapped',
		envelopeExtras: withoutPlus,
		flatExtras: withoutPlus,
	},
};
