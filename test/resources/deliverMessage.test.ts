import type { IExecuteFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../nodes/TwoWayMessaging/contract';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { AcceptedMessages } from '../../nodes/TwoWayMessaging/resources/message/acceptedMessages';
import { deliverMessage } from '../../nodes/TwoWayMessaging/resources/message/deliverMessage';
import type { IfUnconfirmed } from '../../nodes/TwoWayMessaging/resources/message/ifUnconfirmedOption';
import type { Attempt } from '../../nodes/TwoWayMessaging/resources/message/sendAttempts';
import {
	keyOfSend,
	SendsInFlight,
} from '../../nodes/TwoWayMessaging/resources/message/sendsInFlight';
import { startRun, type Run } from '../../nodes/TwoWayMessaging/resources/run';
import { Lanes } from '../../nodes/TwoWayMessaging/transport/pacing';
import { SkippingClock } from '../support/testClock';
import { connectionTo, response, type Response } from '../transport/caller';

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
let attempt: Attempt;
let run: Run;
let key: string;
let accountId: string;

beforeEach(async () => {
	clock.ms = NOW_MS;
	fates = [LOST];
	history = [];
	sends = [];
	looks = 0;
	onTheWay = () => {};
	onLook = () => {};
	cancelling = new AbortController();
	attempt = { token: 't', sentAgain: false, request: REQUEST };
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
	const caller = Object.assign(connection.caller, {
		getExecutionCancelSignal: () => cancelling.signal,
	});
	run = startRun(caller as unknown as IExecuteFunctions, memory);
	({ accountId } = connection.settings);
	key = keyOfSend(accountId, REQUEST);
});

const row = (handle: string) => ({
	message_handle: handle,
	to: REQUEST.number,
	content: REQUEST.content,
	is_outbound: true,
	date_sent: new Date(NOW_MS).toISOString(),
});

const deliver = async (ifUnconfirmed: IfUnconfirmed = 'fail') =>
	await deliverMessage(run, { request: REQUEST, attempt, ifUnconfirmed, itemIndex: 0 });

/** Delivers the message; returns what people read when the service has not confirmed it. */
const refusalOf = async (ifUnconfirmed?: IfUnconfirmed): Promise<string> => {
	try {
		await deliver(ifUnconfirmed);
	} catch (thrown) {
		const { message, description } = thrown as Error & { description: string };
		expect(message).toBe(
			'The service has not confirmed the message, so it may or may not arrive [item 0]',
		);
		return description;
	}
	throw new Error('The message was delivered');
};

describe('a message that is delivered', () => {
	test('is sent once, and its attempt has what the service says of it', async () => {
		fates = [ACCEPTED];

		expect(await deliver('sendAgain')).toBeUndefined();
		expect(attempt).toEqual({
			token: 't',
			sentAgain: false,
			request: undefined,
			accepted: { message_handle: 'm1', status: 'QUEUED', to: REQUEST.number },
		});
		expect(sends).toEqual([REQUEST]);
		expect(looks).toBe(0);
	});

	test('is known to others from then on, so that none takes its row for another message', async () => {
		fates = [ACCEPTED];
		await deliver();
		expect(run.memory.part(AcceptedMessages).acceptedAtMs('m1')).toBe(NOW_MS);
	});

	test('is known to be on its way until its answer has come', async () => {
		fates = [ACCEPTED];
		const sendsInFlight = run.memory.part(SendsInFlight);
		let wasOnTheWay = false;
		onTheWay = () => {
			wasOnTheWay = sendsInFlight.ended(key) !== undefined;
		};

		await deliver();

		expect(wasOnTheWay).toBe(true);
		expect(sendsInFlight.ended(key)).toBeUndefined();
	});
});

describe('§8.1 a message', () => {
	test('counts for the limit of sends while it is on its way', async () => {
		fates = [ACCEPTED];
		const sending = run.memory.part(Lanes).routeOf(accountId, 'sendMessage');
		let isFree: boolean | undefined;
		onTheWay = () => {
			isFree = sending.tryEnter(clock.ms);
		};

		await deliver();

		expect(isFree).toBe(false);
	});
});

describe('a message that the service has certainly not accepted', () => {
	test.each<[string, Fate]>([
		['as it refused the message', REFUSED],
		['as it sent the request elsewhere', { answer: response(300, {}) }],
		['as no connection could be made', { code: 'CERT_HAS_EXPIRED', syscall: 'connect' }],
	])('is not looked for, nor sent again: %s', async (_, fate) => {
		fates = [fate];

		expect(await deliver('sendAgain')).toBeDefined();
		expect(attempt).toEqual({ token: 't', sentAgain: false, request: REQUEST });
		expect(sends).toHaveLength(1);
		expect(looks).toBe(0);
	});
});

describe('a message whose answer is missing', () => {
	const MISSING: Array<[string, Fate]> = [
		['the connection ended', LOST],
		['the service failed', { answer: response(500, {}) }],
		['the service says that the time was over', { answer: response(408, {}) }],
		['the answer is no message', { answer: response(201, { status: 'ok' }) }],
		['the answer is a page', { answer: response(200, '<html>') }],
	];

	test.each(MISSING)('is taken from the history: %s', async (_, fate) => {
		fates = [fate];
		history = [row('m9')];

		expect(await deliver('sendAgain')).toBeUndefined();
		expect(attempt).toMatchObject({ accepted: { message_handle: 'm9' }, request: undefined });
		expect(sends).toHaveLength(1);
	});

	test.each(MISSING)(
		'is not sent again where the history does not show it: %s',
		async (_, fate) => {
			fates = [fate];
			await refusalOf();
			expect(sends).toHaveLength(1);
			expect(attempt).toMatchObject({ request: REQUEST, lost: { sinceMs: NOW_MS } });
		},
	);

	test('is said to be not confirmed, with what was looked at and what to do', async () => {
		const description = await refusalOf();

		expect(description).toBe(
			"The node sent the message, but got no answer that it could read (the connection ended: ECONNRESET). The history does not show the message so far: since 2025-12-31T23:59:29.750Z it has no other message to +15551230001 with this text. Look at the conversation (Message: Get Many) before you send the message again, as the customer might get it twice. Retry On Fail does not send it again; it looks into the history again. To send the message a second time in such a case, add the option 'If Not Confirmed' and choose 'Send Once More'.",
		);
	});

	test('is said with the status that came in place of an answer', async () => {
		fates = [{ answer: response(502, {}) }];
		expect(await refusalOf()).toContain('(status 502)');
	});

	test('is looked for again in the next try, and not sent', async () => {
		await refusalOf();
		history = [row('m9')];

		expect(await deliver()).toBeUndefined();
		expect(attempt.accepted).toMatchObject({ message_handle: 'm9' });
		expect(sends).toHaveLength(1);
	});

	test('is not sent again where the history cannot be read', async () => {
		history = 'a page';

		expect(await refusalOf('sendAgain')).toContain(
			'The history, which might show it, cannot be read at the moment either.',
		);
		expect(sends).toHaveLength(1);
		expect(attempt.sentAgain).toBe(false);
	});

	test('ends with the execution that is cancelled while the history is read', async () => {
		onLook = () => cancelling.abort();
		await expect(deliver()).rejects.toThrow('The execution was canceled');
	});

	test('stays in mind when the execution is cancelled while the message is on its way', async () => {
		onTheWay = () => cancelling.abort();

		await expect(deliver()).rejects.toThrow('The execution was canceled');

		expect(attempt.lost).toEqual({
			sinceMs: NOW_MS,
			outcome: { kind: 'unanswered', code: 'no answer' },
		});
		expect(run.memory.part(SendsInFlight).ended(key)).toBeUndefined();
	});
});

describe('Send Once More', () => {
	test('sends the message a second time where the history does not show the first', async () => {
		fates = [LOST, ACCEPTED];

		expect(await deliver('sendAgain')).toBeUndefined();
		expect(attempt).toMatchObject({ accepted: { message_handle: 'm1' }, sentAgain: true });
		expect(sends).toEqual([REQUEST, REQUEST]);
	});

	test('ends after the second time, in this try and in the next', async () => {
		const description = await refusalOf('sendAgain');
		expect(sends).toHaveLength(2);
		expect(description).toMatch(/looks into the history again\.$/);
		expect(description).not.toContain('It then sent the message once more');

		await refusalOf('sendAgain');
		expect(sends).toHaveLength(2);
	});

	test('looks for the message since the first request, also after the second', async () => {
		await refusalOf('sendAgain');
		expect(attempt.lost?.sinceMs).toBe(NOW_MS);
	});

	test('takes the row of the first message, where the second was refused', async () => {
		fates = [LOST, REFUSED];
		onTheWay = () => {
			if (sends.length === 2) history = [row('m9')];
		};

		expect(await deliver('sendAgain')).toBeUndefined();
		expect(attempt.accepted).toMatchObject({ message_handle: 'm9' });
	});

	test('says what became of both where the second was refused and the history shows none', async () => {
		fates = [LOST, REFUSED];

		const description = await refusalOf('sendAgain');

		expect(description).toContain(
			'(the connection ended: ECONNRESET). It then sent the message once more',
		);
		expect(description).toContain('which was not accepted: The line is blocked.');
		expect(sends).toHaveLength(2);
	});
});
