import { deliver as deliverMessage } from '../../nodes/TwoWayMessaging/action/sending/deliver';
import { Ledger, newEntry, type Entry } from '../../nodes/TwoWayMessaging/action/sending/ledger';
import type { Connection } from '../../nodes/TwoWayMessaging/service/request';
import { response, type Response } from '../service/context';
import { breakOff, NOW_MS, REFUSED, REQUEST, SendingService } from './sendingService';

/** What becomes of a request to send: an answer, or none. */
type Fate = () => Response;

const ACCEPTED: Fate = () =>
	response(201, { message_handle: 'm1', status: 'QUEUED', to: REQUEST.number });
const LOST: Fate = () => breakOff();

let service: SendingService;
/** What becomes of each request to send; the last repeats. */
let fates: Fate[];
let onTheWay: () => void;
let entry: Entry;
let connection: Connection;

beforeEach(async () => {
	fates = [LOST];
	onTheWay = () => {};
	entry = { ...newEntry(), request: REQUEST };
	service = new SendingService();
	service.answer = () => {
		onTheWay();
		return ((fates.length > 1 ? fates.shift() : fates[0]) ?? LOST)();
	};
	connection = await service.startRun();
});

const show = (...rows: unknown[]) => (service.pages = [rows]);

const deliver = async (sendsAgain = false) =>
	await deliverMessage(connection, { request: REQUEST, entry, sendsAgain });

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
		expect(connection.memory.part(Ledger).sentAtMs('m1')).toBe(NOW_MS);
		expect([service.sends, service.looks]).toEqual([[REQUEST], []]);
	});

	test('goes after an identical one, so that each takes the row that is its own', async () => {
		fates = [LOST, ACCEPTED];
		const order: string[] = [];
		onTheWay = () => void order.push('send');
		service.onLook = () => void order.push('look');
		const first = deliver().catch(() => undefined);
		entry = newEntry();
		await Promise.all([first, deliver()]);
		expect(order).toEqual(['send', 'send', 'look', 'look', 'look']);
		expect(entry.message).toMatchObject({ message_handle: 'm1' });
	});
});

test.each<[string, Fate]>([
	['as it refused the message', () => REFUSED],
	['as it sent the request elsewhere', () => response(300, {})],
	['as no connection could be made', () => breakOff('CERT_HAS_EXPIRED', 'connect')],
])(
	'a message that the service has not accepted is not looked for, nor sent again: %s',
	async (_, fate) => {
		fates = [fate];

		expect(await deliver(true)).toBeDefined();
		expect(entry).toMatchObject({ state: 'refused', isSentAgain: false, request: REQUEST });
		expect(entry.lost).toBeUndefined();
		expect([service.sends, service.looks]).toEqual([[REQUEST], []]);
	},
);

describe('a message whose answer is missing', () => {
	test.each<[string, Fate]>([
		['ECONNRESET', LOST],
		['status 500', () => response(500, {})],
		['status 408', () => response(408, {})],
		['status 201', () => response(201, { status: 'ok' })],
		['status 200', () => response(200, '<html>')],
	])('is sent once, and every try looks for it in the history: %s', async (what, fate) => {
		fates = [fate];
		expect(await refusalOf()).toContain(`(${what})`);
		expect(entry).toMatchObject({ state: 'open', request: REQUEST, lost: { sinceMs: NOW_MS } });
		show(service.row('m9'));

		expect(await deliver(true)).toBeUndefined();
		expect(entry).toMatchObject({ message: { message_handle: 'm9' }, request: undefined });
		expect(service.sends).toHaveLength(1);
	});

	test('is said to be not confirmed, with what was looked at and what to do', async () => {
		const description = await refusalOf();

		expect(description).toBe(
			"The connection ended before the service answered (ECONNRESET), and the history does not show the message so far. Look at the conversation (Message: Get Conversation) before you send it again, as the customer might get it twice. The option 'If Unsure It Was Sent' can send it once more by itself.",
		);
	});

	test('is not sent again, nor is that advised, where the history shows one that may be it', async () => {
		show(service.row('m9', { status: 'SENT', date_sent: null }));

		const description = await refusalOf(true);

		expect(description).toContain('shows one like it, which may be an earlier one');
		expect(description).toMatch(/might get it twice\.$/);
		expect([service.sends.length, entry.isSentAgain]).toEqual([1, false]);
	});

	test('is not sent again where the history cannot be read', async () => {
		service.pages = ['a page'];

		expect(await refusalOf(true)).toContain('and the history cannot be read now.');
		expect([service.sends.length, entry.isSentAgain]).toEqual([1, false]);
	});

	test('ends with the execution that is cancelled while the history is read', async () => {
		service.onLook = () => service.cancelling.abort();
		await expect(deliver()).rejects.toThrow('The execution was canceled');
	});

	test('stays in mind when the execution is cancelled while the message is on its way', async () => {
		onTheWay = () => service.cancelling.abort();

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
		expect(service.sends).toEqual([REQUEST, REQUEST]);
	});

	test.each([
		['is lost as well', LOST],
		['is refused', () => REFUSED],
	])('ends after the second time, in every try, where that %s', async (_, second) => {
		fates = [LOST, second];

		expect(await refusalOf(true)).toMatch(/might get it twice\.$/);
		// It is looked for since the first.
		expect(entry).toMatchObject({ state: 'open', lost: { sinceMs: NOW_MS } });
		await refusalOf(true);
		expect(service.sends).toHaveLength(2);
	});

	test('takes the row of the first message, where the second was refused', async () => {
		fates = [LOST, () => REFUSED];
		onTheWay = () => {
			if (service.sends.length === 2) show(service.row('m9'));
		};

		expect(await deliver(true)).toBeUndefined();
		expect(entry.message).toMatchObject({ message_handle: 'm9' });
	});
});
