import type { IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../nodes/TwoWayMessaging/contract';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { deliver as deliverMessage } from '../../nodes/TwoWayMessaging/action/sending/deliver';
import { Ledger, newEntry, type Entry } from '../../nodes/TwoWayMessaging/action/sending/ledger';
import { startRun, type Run } from '../../nodes/TwoWayMessaging/service/run';
import { SkippingClock } from '../support/testClock';
import { connectionTo, response, type Response } from '../service/context';

const NOW_MS = Date.UTC(2026, 0, 1);
const REQUEST: SendRequest = { number: '+15551230001', content: 'hello' };

/** What becomes of a request to send: an answer, or none. */
type Fate = { answer: Response } | { code: string; syscall?: string };

const ACCEPTED: Fate = {
	answer: response(201, { message_handle: 'm1', status: 'QUEUED', to: REQUEST.number }),
};
const REFUSED: Fate = { answer: response(422, { message: 'Line is blocked' }) };
const LOST: Fate = { code: 'ECONNRESET', syscall: 'read' };

const clock = new SkippingClock();
/** What becomes of each request to send; the last repeats. */
let fates: Fate[];
let history: unknown;
let sends: unknown[];
let looks: number;
/** What happens while a request to send is on its way. */
let onTheWay: () => void;
let onLook: () => void;
let cancelling: AbortController;
let entry: Entry;
let run: Run;

beforeEach(async () => {
	clock.ms = NOW_MS;
	fates = [LOST];
	history = [];
	sends = [];
	looks = 0;
	onTheWay = () => {};
	onLook = () => {};
	cancelling = new AbortController();
	entry = { ...newEntry(), request: REQUEST };
	const memory = new ProcessMemory(clock);
	const { connection } = await connectionTo(({ method, url, body }) => {
		const headers = { date: new Date(clock.ms).toUTCString() };
		if (method === 'GET') {
			looks += 1;
			onLook();
			return response(200, history, headers);
		}
		expect([method, url]).toEqual(['POST', 'https://service.example/v1/send-message']);
		sends.push(body);
		onTheWay();
		const fate = (fates.length > 1 ? fates.shift() : fates[0]) ?? LOST;
		if ('answer' in fate) return fate.answer;
		throw Object.assign(new Error('broken'), fate);
	}, memory);
	const context = Object.assign(connection.context, {
		getExecutionCancelSignal: () => cancelling.signal,
	});
	run = startRun(context as unknown as IExecuteFunctions, memory);
});

const row = (handle: string) => ({
	message_handle: handle,
	to: REQUEST.number,
	content: REQUEST.content,
	is_outbound: true,
	date_sent: new Date(NOW_MS).toISOString(),
});

const deliver = async (sendsAgain = false) =>
	await deliverMessage(run, { request: REQUEST, entry, sendsAgain, itemIndex: 0 });

/** Delivers the message; returns what people read when the service has not confirmed it. */
const refusalOf = async (sendsAgain?: boolean): Promise<string> => {
	try {
		await deliver(sendsAgain);
	} catch (thrown) {
		const { message, description } = thrown as Error & { description: string };
		expect(message).toBe('The service has not confirmed the message, so it may or may not arrive');
		return description;
	}
	throw new Error('The message was delivered');
};

describe('a message that is delivered', () => {
	test('is sent once, is known to all others from then on, and its entry has what the service says', async () => {
		fates = [ACCEPTED];
		const states = [entry.state];
		onTheWay = () => void states.push(entry.state);

		expect(await deliver(true)).toBeUndefined();
		expect([...states, entry.state]).toEqual(['untried', 'onItsWay', 'sent']);
		expect(entry).toMatchObject({
			isSentAgain: false,
			request: undefined,
			message: { message_handle: 'm1', status: 'QUEUED', to: REQUEST.number },
		});
		expect(run.memory.part(Ledger).sentAtMs('m1')).toBe(NOW_MS);
		expect([sends, looks]).toEqual([[REQUEST], 0]);
	});

	test('goes after an identical one, so that each takes the row that is its own', async () => {
		fates = [LOST, ACCEPTED];
		const order: string[] = [];
		onTheWay = () => void order.push('send');
		onLook = () => void order.push('look');
		const first = deliver().catch(() => undefined);
		entry = newEntry();
		await Promise.all([first, deliver()]);
		expect(order).toEqual(['send', 'send', 'look', 'look', 'look']);
		expect(entry.message).toMatchObject({ message_handle: 'm1' });
	});
});

test.each<[string, Fate]>([
	['as it refused the message', REFUSED],
	['as it sent the request elsewhere', { answer: response(300, {}) }],
	['as no connection could be made', { code: 'CERT_HAS_EXPIRED', syscall: 'connect' }],
])(
	'a message that the service has not accepted is not looked for, nor sent again: %s',
	async (_, fate) => {
		fates = [fate];

		expect(await deliver(true)).toBeDefined();
		expect(entry).toMatchObject({ state: 'refused', isSentAgain: false, request: REQUEST });
		expect(entry.lost).toBeUndefined();
		expect([sends.length, looks]).toEqual([1, 0]);
	},
);

describe('a message whose answer is missing', () => {
	test.each<[string, Fate]>([
		['the connection ended: ECONNRESET', LOST],
		['status 500', { answer: response(500, {}) }],
		['status 408', { answer: response(408, {}) }],
		['status 201', { answer: response(201, { status: 'ok' }) }],
		['status 200', { answer: response(200, '<html>') }],
	])('is sent once, and every try looks for it in the history: %s', async (what, fate) => {
		fates = [fate];
		expect(await refusalOf()).toContain(`(${what})`);
		expect(entry).toMatchObject({ state: 'open', request: REQUEST, lost: { sinceMs: NOW_MS } });
		history = [row('m9')];

		expect(await deliver(true)).toBeUndefined();
		expect(entry).toMatchObject({ message: { message_handle: 'm9' }, request: undefined });
		expect(sends).toHaveLength(1);
	});

	test('is said to be not confirmed, with what was looked at and what to do', async () => {
		const description = await refusalOf();

		expect(description).toBe(
			"The node sent the message, but got no answer that it could read (the connection ended: ECONNRESET). The history does not show the message so far: since 2025-12-31T23:59:29.750Z it has no other message to +15551230001 with this text. Look at the conversation (Message: Get Many) before you send the message again, as the customer might get it twice. To send the message a second time in such a case, add the option 'If Unsure It Was Sent' and choose 'Send Once More'.",
		);
	});

	test('is not sent again, nor is that advised, where the history shows one that may be it', async () => {
		history = [{ ...row('m9'), status: 'SENT', date_sent: null }];

		const description = await refusalOf(true);

		expect(description).toContain('but not to the second when it was sent');
		expect(description).toMatch(/might get it twice\.$/);
		expect([sends.length, entry.isSentAgain]).toEqual([1, false]);
	});

	test('is not sent again where the history cannot be read', async () => {
		history = 'a page';

		expect(await refusalOf(true)).toContain(
			'The history, which might show it, cannot be read at the moment either.',
		);
		expect([sends.length, entry.isSentAgain]).toEqual([1, false]);
	});

	test('ends with the execution that is cancelled while the history is read', async () => {
		onLook = () => cancelling.abort();
		await expect(deliver()).rejects.toThrow('The execution was canceled');
	});

	test('stays in mind when the execution is cancelled while the message is on its way', async () => {
		onTheWay = () => cancelling.abort();

		await expect(deliver()).rejects.toThrow('The execution was canceled');

		expect(entry.lost).toEqual({
			sinceMs: NOW_MS,
			outcome: { kind: 'unanswered', code: 'no answer' },
		});
	});
});

describe('Send Once More', () => {
	test('sends the message a second time where the history does not show the first', async () => {
		fates = [LOST, ACCEPTED];

		expect(await deliver(true)).toBeUndefined();
		expect(entry).toMatchObject({ message: { message_handle: 'm1' }, isSentAgain: true });
		expect(sends).toEqual([REQUEST, REQUEST]);
	});

	test.each([
		['is lost as well', LOST],
		['is refused', REFUSED],
	])('ends after the second time, in every try, where that %s', async (_, second) => {
		fates = [LOST, second];

		expect(await refusalOf(true)).toMatch(/might get it twice\.$/);
		// It is looked for since the first.
		expect(entry).toMatchObject({ state: 'open', lost: { sinceMs: NOW_MS } });
		await refusalOf(true);
		expect(sends).toHaveLength(2);
	});

	test('takes the row of the first message, where the second was refused', async () => {
		fates = [LOST, REFUSED];
		onTheWay = () => {
			if (sends.length === 2) history = [row('m9')];
		};

		expect(await deliver(true)).toBeUndefined();
		expect(entry.message).toMatchObject({ message_handle: 'm9' });
	});
});
