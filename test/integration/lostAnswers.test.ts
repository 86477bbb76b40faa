import type { INodeParameters } from 'n8n-workflow';
import { TwoWayMessagingApi } from '../../credentials/TwoWayMessagingApi.credentials';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { createEngine, type Engine } from '../support/engine';
import { startStub, type StubAnswer } from '../support/stub';
import { TestClock } from '../support/testClock';

const MINUTE_MS = 60_000;
const NOW_MS = Date.UTC(2026, 5, 1, 12);
const ANNA = '+15551230001';
const UNCONFIRMED = 'The service has not confirmed the message, so it may or may not arrive';

type Row = {
	message_handle: string | number;
	to: string;
	content: string;
	date_sent?: string | number | null;
	status?: string;
};

/** What becomes of one request to send: whether the service accepts it, and what it answers. */
type Fate = { isAccepted: boolean; answer?: StubAnswer; answersAfter?: Promise<unknown> };

const LOST_ACCEPTED: Fate = { isAccepted: true, answer: { status: 500, body: {} } };
const LOST: Fate = { isAccepted: false, answer: { status: 500, body: {} } };

/** A service with a clock and habits of its own, of which a test says what becomes of each send. */
class OwnWilledService {
	/** Newest first. */
	rows: Row[] = [];

	/** The next sends; the last of them repeats. */
	fates: Fate[] = [LOST];

	/** How far its clock is ahead of the true time. */
	aheadMs = 0;

	/** How it keeps a text. */
	keep = (content: string): string => content;

	/** In which order it lists rows. */
	list = (rows: Row[]): Row[] => rows;

	sends = 0;

	/** How it names a message. */
	handleOf = (place: number): string | number => `m${place}`;

	/** How often its history was read. */
	looks = 0;

	private stub!: Awaited<ReturnType<typeof startStub>>;

	static async start(): Promise<OwnWilledService> {
		const service = new OwnWilledService();
		service.stub = await startStub(async ({ path, body }) => {
			const headers = { date: new Date(NOW_MS + service.aheadMs).toUTCString() };
			const isSend = path === PATHS.sendMessage;
			const answer = isSend ? await service.send(JSON.parse(body.toString())) : service.history();
			return { ...answer, headers };
		});
		return service;
	}

	get url(): string {
		return this.stub.url;
	}

	async stop(): Promise<void> {
		await this.stub.stop();
	}

	/** Adds a row that was sent some time ago. */
	add(handle: string | number, content: string, agoMs: number, to = ANNA): Row {
		const dateMs = NOW_MS + this.aheadMs - agoMs;
		const row = {
			message_handle: handle,
			to,
			content: this.keep(content),
			date_sent: new Date(dateMs).toISOString(),
		};
		this.rows.unshift(row);
		return row;
	}

	private async send({ number, content }: { number: string; content: string }) {
		this.sends += 1;
		const fate = (this.fates.length > 1 ? this.fates.shift() : this.fates[0]) ?? LOST;
		const row = fate.isAccepted && this.add(this.handleOf(this.sends), content, 0, number);
		await fate.answersAfter;
		return fate.answer ?? { status: 201, body: { ...row, status: 'QUEUED', is_outbound: true } };
	}

	private history(): StubAnswer {
		this.looks += 1;
		const messages = this.list(this.rows).map((row) => ({ ...row, is_outbound: true }));
		return { body: { messages, next: null } };
	}
}

let service: OwnWilledService;
let engine: Engine;

/** @param behindMs how far n8n's clock is behind the true time */
const startN8n = (behindMs = 0): Engine =>
	createEngine({
		nodeTypes: [new TwoWayMessaging(new ProcessMemory(new TestClock(() => NOW_MS - behindMs)))],
		credentialTypes: [new TwoWayMessagingApi()],
		credentials: {
			twoWayMessagingApi: { baseUrl: service.url, apiKey: 'k-1', apiSecret: 's-1' },
		},
	});

beforeEach(async () => {
	service = await OwnWilledService.start();
	engine = startN8n();
});

afterEach(async () => {
	await service.stop();
});

const send = async (
	content = 'hello',
	options: INodeParameters = {},
	n8n = engine,
	more: INodeParameters = {},
) =>
	await n8n.runWorkflow({
		nodes: [
			{
				type: 'twoWayMessaging',
				name: 'Node',
				parameters: {
					resource: 'message',
					operation: 'send',
					number: ANNA,
					content,
					options,
					...more,
				},
			},
		],
	});

test.each([
	['in the answer to the send', { isAccepted: true }],
	['in the history, where the answer was lost', LOST_ACCEPTED],
])('a message is confirmed by a handle that is a number: %s', async (_, fate) => {
	service.handleOf = (place) => 40 + place;
	service.fates = [fate];

	expect((await send()).json('Node')).toEqual([expect.objectContaining({ message_handle: '41' })]);
	expect(service.sends).toBe(1);
});

describe('a message whose answer was lost is found in the history', () => {
	beforeEach(() => {
		service.fates = [LOST_ACCEPTED];
	});

	test.each([
		['without the spaces around it', ' hello \n', (text: string) => text.trim()],
		['in another Unicode form', 'Cafe\u0301', (text: string) => text.normalize('NFC')],
		['with other line ends', 'one\r\ntwo\rthree', (text: string) => text.replace(/\r\n?/g, '\n')],
	])('although the service keeps the text %s', async (_, content, keep) => {
		service.keep = keep;

		const run = await send(content);

		expect(run.json('Node')).toEqual([expect.objectContaining({ message_handle: 'm1' })]);
	});
});

describe('a row of the history is not taken for a message whose answer was lost', () => {
	test('when it was sent without a date, and Send Only Once Per says that it cannot be found out', async () => {
		Object.assign(service.add('old', 'hello', 0), { status: 'SENT', date_sent: null });
		const once = { onlyOnceFor: '4711' };

		expect((await send('hello', once)).nodeError('Node')?.message).toBe(UNCONFIRMED);

		expect((await send('hello', once)).nodeError('Node')).toMatchObject({
			message: 'Whether the message was sent before cannot be found out',
			description: expect.stringContaining('it shows a message that may be this one') as string,
		});
		expect(service.sends).toBe(1);
	});

	test('when an identical send whose answer was lost as well has taken it', async () => {
		service.fates = [LOST_ACCEPTED, LOST];

		const runs = await Promise.all([send(), send()]);

		const found = runs.flatMap((run) => run.json('Node'));
		expect(found).toEqual([expect.objectContaining({ message_handle: 'm1' })]);
		expect(service.sends).toBe(2);
	});
});

describe('what is said of a message that is not confirmed', () => {
	test('names the time since which the history was searched, by the service’s clock', async () => {
		service.aheadMs = 10 * MINUTE_MS;

		const { description } = (await send()).nodeError('Node') ?? {};

		expect(description).toContain('since 2026-06-01T12:09:30.000Z');
		expect(description).toContain(ANNA);
	});
});

describe('Send Once More', () => {
	const AGAIN = { ifUnconfirmed: 'sendAgain' };

	test('stays unconfirmed when the second request is refused', async () => {
		const body = { message: 'Contact has opted out of messages' };
		service.fates = [LOST, { isAccepted: false, answer: { status: 422, body } }];

		const run = await send('hello', AGAIN);

		expect(run.json('Node')).toEqual([]);
		expect(run.nodeError('Node')?.message).toBe(UNCONFIRMED);
		expect(service.sends).toBe(2);
	});
});
