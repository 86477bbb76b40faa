import type { IDataObject } from 'n8n-workflow';
import { startStub, type StubAnswer, type StubRequest } from '../support/stub';

export type HistoryRow = {
	message_handle: string;
	date_sent: string | null;
	is_outbound: boolean;
	status: string;
	content: string;
	service?: string;
	from: string;
	to: string;
	line_handle: string;
	media_url?: string;
};

/** A service whose content a test decides: rows in the order in which they came, lines, and registrations. */
export async function startHistory() {
	const rows: HistoryRow[] = [];
	const lines: IDataObject[] = [];
	const registered: IDataObject[] = [];
	const says = {
		status: 200,
		path: undefined as string | undefined,
		toRegistrations: undefined as StubAnswer | undefined,
		nowMs: (): number | undefined => undefined,
	};
	let held: { path: string; until: Promise<void> } | undefined;
	let sends = 0;
	const stub = await startStub(async (request) => {
		if (request.path === held?.path) await held.until;
		const nowMs = says.nowMs();
		const said = answer(request);
		if (nowMs === undefined) return said;
		return { ...said, headers: { ...said.headers, date: new Date(nowMs).toUTCString() } };
	});
	const answer = ({ path, query, body }: StubRequest): StubAnswer => {
		if (says.status !== 200 && (says.path ?? path) === path) {
			return { status: says.status, body: { message: 'No.' } };
		}
		if (path === '/v1/account/webhooks') {
			registered.push(JSON.parse(body.toString()) as IDataObject);
			return says.toRegistrations ?? { status: 201, body: { id: `wh_${registered.length}` } };
		}
		if (path === '/v1/send-message') {
			const { number, content } = JSON.parse(body.toString()) as IDataObject;
			const sent = { message_handle: `sent ${(sends += 1)}`, to: number, content };
			return { status: 201, body: { status: 'QUEUED', is_outbound: true, ...sent } };
		}
		if (path.endsWith('.jpg')) {
			return { headers: { 'content-type': 'image/jpeg' }, body: 'a picture' };
		}
		if (path === '/v1/lines') return { body: { status: 'ok', lines } };
		const before = query.get('before');
		const end = before ? rows.findIndex((row) => row.message_handle === before) : rows.length;
		const start = Math.max(0, end - Number(query.get('limit')));
		return { body: { messages: rows.slice(start, end).reverse() } };
	};
	return {
		...stub,
		rows,
		lines,
		registered,
		/** Tells this time with every answer; without it, none. */
		tellTime: (time?: number | (() => number)) =>
			(says.nowMs = typeof time === 'function' ? time : () => time),
		/** Never answers the requests for a path that come until the returned function is called. */
		hang: (path = '/v2/messages') => {
			held = { path, until: new Promise(() => {}) };
			return () => (held = undefined);
		},
		/** Answers the requests for the history that come only once the returned function is called. */
		hold: () => {
			let answerThem = () => {};
			held = { path: '/v2/messages', until: new Promise((resolve) => (answerThem = resolve)) };
			return () => {
				held = undefined;
				answerThem();
			};
		},
		/** Answers everything with this status, or one path. */
		fail: (status: number, path?: string) => Object.assign(says, { status, path }),
		/** Answers registrations so from now on. */
		answerRegistrations: (answer: StubAnswer) => (says.toRegistrations = answer),
		credential: { baseUrl: stub.url, apiKey: 'pair_1', apiSecret: 'secret_abc' },
	};
}

/** A customer's message as a row of the history. */
export const inbound = (handle: string, atMs: number | null, more: Partial<HistoryRow> = {}) => ({
	message_handle: handle,
	date_sent: atMs === null ? null : new Date(atMs).toISOString(),
	is_outbound: false,
	status: 'RECEIVED',
	content: 'hello',
	from: '+15551230001',
	to: '+15550100001',
	line_handle: 'l1',
	...more,
});

/** A message of ours as a row of the history. */
export const outbound = (handle: string, status: string, atMs: number | null): HistoryRow => ({
	...inbound(handle, atMs),
	is_outbound: true,
	status,
	from: '+15550100001',
	to: '+15551230001',
});
