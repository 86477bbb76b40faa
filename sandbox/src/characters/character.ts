import type { Service } from '../../../nodes/TwoWayMessaging/contract';
import type { SendResponse } from '../serviceFacts';
import type { MessageRecord } from '../state/messages';
import type { EndpointRecord, RegistrationRule } from '../webhooks/endpoints';

/** The answer to something that was created: a body or none, and where the created thing is, if the answer says so. */
export type Created = { body: object | string | null; location?: string };

/** How a cursor names the next page: by the handle of a message, or by a text that only the service understands. */
export type CursorKind = 'handle' | 'opaque';

/**
 * What the service does where the interface document is silent. Everything in here is an `assumption:`; what the
 * document shows is the same for every character.
 */
export type Character = {
	/** How far the service's clock is behind the right time; every time that the service writes is by its own clock. */
	readonly clockBehindMs: number;
	/** The header of an event's signature, which carries the operator's name (§6.4). */
	readonly signatureHeader: string;
	/** The text that the service keeps of a message. Its answer to a send shows the text as sent (§2.2). */
	readonly keepText: (text: string) => string;
	/** `date_sent` in everything but the answer to a send; undefined leaves the field out. */
	readonly dateSent: (message: MessageRecord) => string | null | undefined;
	/** The body of GET /v1/me (§4.2). */
	readonly me: object | string;
	/** The body of GET /status (§4.4). The service is null while the channel is not known. */
	readonly status: (message: StatusRecord) => object;
	/** The body of GET /lookup (§4.6). The service is null while the live check runs. */
	readonly lookup: (number: string, service: Service | null) => object;
	/** The answer to POST /media (§4.8). */
	readonly media: (url: URL) => Created;
	/** POST /v1/account/webhooks (§4.7): what a registration changes, and the answer to it. */
	readonly registration: {
		readonly rule: RegistrationRule;
		readonly answer: (endpoint: EndpointRecord) => Created;
	};
	/** GET /v2/messages (§4.5). */
	readonly history: {
		readonly mostRows: number;
		/** Whether a `limit` above `mostRows` is refused, or means `mostRows`. */
		readonly refusesMoreRows: boolean;
		readonly cursors: CursorKind;
		/** How many places a row may be away from where its time puts it. */
		readonly mostPlacesOff: number;
		readonly row: (message: MessageRecord) => object;
		/** `next` is the cursor of the next older page; null at the end. */
		readonly body: (rows: object[], next: string | null) => object;
	};
	/** The data of events, as far as §6.2 and §6.3 do not show it. */
	readonly events: {
		/** What the envelope's message has in addition to the eight fields of §6.2. */
		readonly envelopeExtras: (message: MessageRecord) => object;
		/** What the flat form has in addition to the fields of §6.3. */
		readonly flatExtras: (message: MessageRecord) => object;
		/** Where the envelope holds an outbound message and a line: in `data.message` and `data.line`, in `data` itself, or under another name. */
		readonly data: 'named' | 'bare' | 'wrapped';
	};
};

/** A message as GET /status knows it (§4.4): the fields of the send answer (§2.2). */
export type StatusRecord = Omit<SendResponse, 'date_sent'> & {
	date_sent: string | null | undefined;
};
