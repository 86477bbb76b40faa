import type { CharacterName, MessageRow, SandboxOptions } from '../../sandbox/src';
import { Clock, createSandbox } from '../../sandbox/src';
import type { PostRequest } from '../../sandbox/src/webhooks/post';

export const START_MS = Date.UTC(2026, 0, 5, 9, 0, 0);

/** How far the clock of a service with this character is behind, in milliseconds. */
export const BEHIND_MS: Record<CharacterName, number> = {
	literal: 0,
	generous: 0,
	awkward: 240_000,
	foreign: 0,
};

export const CONTACT = '+15551230001';
export const CONTACT_PATH = `/sandbox/contacts/${encodeURIComponent(CONTACT)}`;
export const FRONT_DESK = '7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a01';
export const SUPPORT = '7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a02';

export type Answer = {
	status: number;
	headers: Headers;
	/** The parsed body; tests read what the document says is in it. */
	body: Record<string, unknown>;
};

export type Row = MessageRow;

/**
 * Creates a sandbox without a port and with a stopped clock. `posted` collects the events that it posts, and `answer`
 * decides with which status the receiver answers each of them.
 */
export const newService = (
	options: SandboxOptions = {},
	answer: (request: PostRequest) => number | Promise<number> = () => 200,
) => {
	const posted: PostRequest[] = [];
	const sandbox = createSandbox({
		clock: Clock.stopped(START_MS),
		post: async (request) => {
			posted.push(request);
			return { status: await answer(request), excerpt: '' };
		},
		...options,
	});
	const [pair] = sandbox.keyPairs;
	const credential = { 'x-api-key': pair?.key ?? '', 'x-api-secret': pair?.secret ?? '' };

	const call = async (
		method: string,
		path: string,
		body?: unknown,
		headers: Record<string, string> = credential,
	): Promise<Answer> => {
		const response = await sandbox.app.request(path, {
			method,
			headers: { 'content-type': 'application/json', ...headers },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await response.text();
		return {
			status: response.status,
			headers: response.headers,
			body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
		};
	};

	return {
		sandbox,
		posted,
		credential,
		call,
		/** Sends a text; returns the answer of POST /v1/send-message. */
		send: async (fields: Record<string, unknown> = {}) =>
			await call('POST', '/v1/send-message', { number: CONTACT, content: 'Hello', ...fields }),
		/** Lets the contact text; returns the row of the history. */
		text: async (content: string, fields: Record<string, unknown> = {}) =>
			(await call('POST', '/sandbox/inbound', { from: CONTACT, content, ...fields }))
				.body as unknown as Row,
		change: async (fields: object) => await call('PATCH', CONTACT_PATH, fields),
		block: async (fields: object = {}, line = FRONT_DESK) =>
			await call('POST', `/sandbox/lines/${line}/block`, fields),
		/** The messages as they are, newest first, whatever the service's character shows of them. */
		rows: async (query = '') =>
			(await call('GET', `/sandbox/messages${query}`)).body['messages'] as Row[],
		/** A page of the history (§4.5), and the cursor of the next one. */
		page: async (query = '') => readPage((await call('GET', `/v2/messages${query}`)).body),
		status: async (handle: string) =>
			readStatus((await call('GET', `/status?message_handle=${handle}`)).body),
		register: async (events: string[], fields: Record<string, unknown> = {}) =>
			await call('POST', '/v1/account/webhooks', {
				url: 'https://receiver.example/hook',
				events,
				...fields,
			}),
	};
};

/** What creates services of a character, as `newService` does. */
export const serviceOf =
	(character: CharacterName): typeof newService =>
	(options, answer) =>
		newService({ character, ...options }, answer);

/** A page of the history, in the form of any character. */
type PageBody = {
	messages?: Row[];
	before?: string | null;
	data?: { results: Row[]; next: string | null };
	history?: { records: ForeignRow[] };
	paging?: { older: string | null };
};

type ForeignRow = Omit<Row, 'is_outbound'> & { is_outbound: 0 | 1 };

/** The rows in a page, as the service wrote them. */
export const rowsIn = ({ messages, data, history }: PageBody): Array<Row | ForeignRow> =>
	messages ?? data?.results ?? history?.records ?? [];

const toRow = (row: Row | ForeignRow): Row => ({
	...row,
	is_outbound: Boolean(row.is_outbound),
	from: row.from.replace(/^\+?/, '+'),
	to: row.to.replace(/^\+?/, '+'),
});

/** The rows and the next cursor in a page. A page that names no cursor ends with it, and the last page is empty. */
const readPage = (body: PageBody): { rows: Row[]; next: string | null } => {
	const { before, data, paging } = body;
	const rows = rowsIn(body).map(toRow);
	if (paging) return { rows, next: paging.older && /before=(.+)/.exec(paging.older)![1]! };
	const named = data ? data.next : before;
	return { rows, next: named === undefined ? (rows.at(-1)?.message_handle ?? null) : named };
};

/** The status of a message, in the form of any character. */
const readStatus = (body: Record<string, unknown>): Record<string, unknown> => {
	const { data, message } = body as {
		data?: { message: Record<string, unknown> };
		message?: { status: string; channel: 'imessage' | 'sms' | null };
	};
	if (!message) return data?.message ?? body;
	const { status, channel } = message;
	const service = channel && { imessage: 'iMessage', sms: 'SMS' }[channel];
	return { status: status.toUpperCase(), service };
};

export const eventIn = (request: PostRequest | undefined) =>
	JSON.parse(request?.body ?? 'null') as {
		id: string;
		type: string;
		created_at: string;
		data: { message: Record<string, unknown>; line: Record<string, unknown> };
	};
