import { type MessageRow } from '../../sandbox/src';
import { CONTACT, newService } from './service';
import { turns } from '../support/turns';

const OTHER = '+15551230002';

/** A service with some messages: two customers, both directions, several states. */
const withMessages = async () => {
	const service = newService();
	await service.text('Is it READY?');
	await service.text('Hello', { from: OTHER, to: '+15550100002' });
	await service.send({ content: 'Your order is ready.' });
	await service.sandbox.advance(5_000);
	await service.send({ content: 'Queued', number: OTHER });
	const find = async (query: string) => (await service.rows(query)).map(({ content }) => content);
	return { ...service, find };
};

describe('GET /sandbox/messages finds messages', () => {
	test.each<[string, string[]]>([
		['', ['Queued', 'Your order is ready.', 'Hello', 'Is it READY?']],
		['?contains=ready', ['Your order is ready.', 'Is it READY?']],
		[`?number=${encodeURIComponent(OTHER)}`, ['Queued', 'Hello']],
		['?number=%2B15550100001', ['Your order is ready.', 'Is it READY?']],
		[`?from=${OTHER}`, ['Hello']],
		[`?to=${OTHER}`, ['Queued']],
		['?status=queued', ['Queued']],
		['?status=RECEIVED&contains=ready', ['Is it READY?']],
		['?conversation_handle=unknown', []],
	])('by their fields: %s', async (query, contents) => {
		expect(await (await withMessages()).find(query)).toEqual(contents);
	});

	test('page by page, with a cursor only where more is found', async () => {
		const { call } = await withMessages();
		const read = async (query: string) =>
			(await call('GET', `/sandbox/messages?contains=ready&limit=1${query}`)).body as {
				messages: MessageRow[];
				before: string | null;
			};
		const { before, messages } = await read('');
		expect(before).toBe(messages[0]!.message_handle);
		const last = { messages: [{ content: 'Is it READY?' }], before: null };
		expect(await read(`&before=${before}`)).toMatchObject(last);
	});

	test('that are newer than `after`', async () => {
		const { find, rows } = await withMessages();
		const [hello] = await rows('?contains=hello');
		const after = `?after=${hello!.message_handle}`;
		expect(await find(after)).toEqual(['Queued', 'Your order is ready.']);
		const inConversation = `&conversation_handle=${hello!.conversation_handle}`;
		expect(await find(after + inConversation)).toEqual(['Queued']);
	});
});

describe('Waiting for a message', () => {
	test('answers as soon as it comes, and not for another one', async () => {
		const { call, text, send, sandbox } = newService();
		let isOver = false;
		const query = `?wait_ms=30000&to=${CONTACT}&contains=ready`;
		const waiting = call('GET', `/sandbox/messages${query}`).finally(() => (isOver = true));
		await text('Is it ready?');
		await send({ content: 'Soon' });
		await turns();
		expect(isOver).toBe(false);
		await send({ content: 'It is Ready now' });
		const [found] = (await waiting).body['messages'] as MessageRow[];
		expect(found).toMatchObject({ content: 'It is Ready now' });
		// At once where it is there, unless it is not newer than `after`, and when it gets the status.
		const again = await call('GET', `/sandbox/messages${query}`);
		expect(again.body['messages']).toEqual([found]);
		const next = call('GET', `/sandbox/messages${query}&after=${found!.message_handle}`);
		await send({ content: 'still ready' });
		expect((await next).body).toMatchObject({ messages: [{ content: 'still ready' }] });
		const delivered = call('GET', '/sandbox/messages?wait_ms=30000&status=DELIVERED&limit=1');
		await sandbox.advance(5_000);
		expect((await delivered).body).toMatchObject({ messages: [{ status: 'DELIVERED' }] });
	});

	test('ends with nothing after its time, and at a reset', async () => {
		const { call } = newService();
		const nothing = { messages: [], before: null };
		expect((await call('GET', '/sandbox/messages?wait_ms=20')).body).toEqual(nothing);
		const waiting = call('GET', '/sandbox/messages?wait_ms=30000');
		await turns();
		await call('POST', '/sandbox/reset');
		expect((await waiting).body).toEqual(nothing);
	});

	test('in a test is sandbox.waitForMessage, which says what did not come', async () => {
		const { sandbox, text, send } = newService();
		const waiting = sandbox.waitForMessage({ to: CONTACT, contains: 'ready' });
		await text('Is it ready?');
		await send({ content: 'It is ready' });
		expect(await waiting).toMatchObject({ content: 'It is ready', to: CONTACT, status: 'QUEUED' });
		await expect(sandbox.waitForMessage({ status: 'ERROR' }, { waitMs: 10 })).rejects.toThrow(
			'No message like {"status":"ERROR"} within 10 ms; there are 2 messages.',
		);
	});
});
