import { createSandbox, serve, type MessageRow } from '../../sandbox/src';
import { Messages, type Message, type Page } from '../../sandbox/src/state/messages';
import { CONTACT, newService } from './service';

const OTHER = '+15551230002';

const turn = async () => await new Promise((resolve) => setImmediate(resolve));

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
	test.each([
		['', ['Queued', 'Your order is ready.', 'Hello', 'Is it READY?']],
		['?contains=ready', ['Your order is ready.', 'Is it READY?']],
		[`?number=${encodeURIComponent(OTHER)}`, ['Queued', 'Hello']],
		[`?number=${OTHER}`, ['Queued', 'Hello']],
		['?number=%2B15550100001', ['Your order is ready.', 'Is it READY?']],
		[`?from=${OTHER}`, ['Hello']],
		[`?to=${OTHER}`, ['Queued']],
		['?status=queued', ['Queued']],
		['?status=RECEIVED&contains=ready', ['Is it READY?']],
		['?status=ERROR', []],
		['?contains=', ['Queued', 'Your order is ready.', 'Hello', 'Is it READY?']],
		['?conversation_handle=unknown', []],
	])('%s', async (query, contents) => {
		expect(await (await withMessages()).find(query)).toEqual(contents);
	});

	test('page by page, with a cursor only where more is found', async () => {
		const { call } = await withMessages();
		const read = async (query: string) =>
			(await call('GET', `/sandbox/messages?contains=ready&limit=1${query}`)).body as {
				messages: MessageRow[];
				before: string | null;
			};
		const first = await read('');
		expect(first.before).toBe(first.messages[0]!.message_handle);
		expect(await read(`&before=${first.before}`)).toMatchObject({
			messages: [{ content: 'Is it READY?' }],
			before: null,
		});
	});

	test('that are newer than `after`', async () => {
		const { find, rows } = await withMessages();
		const hello = (await rows('?contains=hello'))[0]!;
		expect(await find(`?after=${hello.message_handle}`)).toEqual([
			'Queued',
			'Your order is ready.',
		]);
		const { conversation_handle: conversation } = hello;
		expect(
			await find(`?after=${hello.message_handle}&conversation_handle=${conversation}`),
		).toEqual(['Queued']);
	});

	test.each([
		['?number=bob', 'number'],
		['?to=1', 'to'],
		['?status=LOST', 'status'],
		['?after=unknown', 'after'],
		['?before=unknown', 'before'],
		['?wait_ms=-1', 'wait_ms'],
		['?wait_ms=600001', 'wait_ms'],
		['?wait_ms=soon', 'wait_ms'],
	])('and refuses %s in words', async (query, field) => {
		const { call } = await withMessages();
		const answer = await call('GET', `/sandbox/messages${query}`);
		expect([answer.status, Object.keys(answer.body['errors'] as object)]).toEqual([422, [field]]);
	});
});

describe('Waiting for a message', () => {
	test('answers as soon as it comes, and not for another one', async () => {
		const { call, text, send } = newService();
		let isOver = false;
		const query = `?wait_ms=30000&to=${CONTACT}&contains=ready`;
		const waiting = call('GET', `/sandbox/messages${query}`).finally(() => (isOver = true));
		await text('Is it ready?');
		await send({ content: 'Soon' });
		await turn();
		await turn();
		expect(isOver).toBe(false);
		await send({ content: 'It is Ready now' });
		expect((await waiting).body).toMatchObject({ messages: [{ content: 'It is Ready now' }] });
	});

	test('answers at once for a message that is there, unless it is not newer than `after`', async () => {
		const { call, send } = newService();
		await send({ content: 'one' });
		const answer = await call('GET', `/sandbox/messages?wait_ms=30000&to=${CONTACT}`);
		const [first] = answer.body['messages'] as MessageRow[];
		expect(first).toMatchObject({ content: 'one' });
		const next = call(
			'GET',
			`/sandbox/messages?wait_ms=30000&to=${CONTACT}&after=${first!.message_handle}`,
		);
		await send({ content: 'two' });
		expect((await next).body).toMatchObject({ messages: [{ content: 'two' }] });
	});

	test('answers when a message gets the status that is waited for', async () => {
		const { sandbox, call, send } = newService();
		await send();
		const waiting = call('GET', '/sandbox/messages?wait_ms=30000&status=DELIVERED');
		await sandbox.advance(5_000);
		expect((await waiting).body).toMatchObject({ messages: [{ status: 'DELIVERED' }] });
	});

	test('ends with nothing after its time, and at a reset', async () => {
		const { call } = newService();
		const nothing = { messages: [], before: null };
		expect((await call('GET', '/sandbox/messages?wait_ms=20')).body).toEqual(nothing);
		const waiting = call('GET', '/sandbox/messages?wait_ms=30000');
		await turn();
		await call('POST', '/sandbox/reset');
		expect((await waiting).body).toEqual(nothing);
	});

	test('does not keep a sandbox from closing', async () => {
		const served = await serve(createSandbox());
		const waiting = expect(fetch(`${served.url}/sandbox/messages?wait_ms=30000`)).rejects.toThrow();
		await new Promise((resolve) => setTimeout(resolve, 50));
		await served.close();
		await waiting;
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

	test.each([2 ** 31, Infinity])('waits also when it may wait %d ms', async (waitMs) => {
		const { sandbox, send } = newService();
		const waiting = sandbox.waitForMessage({ to: CONTACT }, { waitMs });
		await new Promise((resolve) => setTimeout(resolve, 30));
		await send();
		expect(await waiting).toMatchObject({ content: 'Hello' });
	});

	test('looks at each message once, however many come meanwhile', async () => {
		const { sandbox, text } = newService();
		for (let at = 0; at < 50; at++) await text(`before ${at}`);
		let looks = 0;
		const findOf = Messages.prototype.find;
		jest.spyOn(Messages.prototype, 'find').mockImplementation(function (
			this: Messages,
			isWanted,
			options,
		) {
			const count = (message: Message) => {
				looks++;
				return isWanted(message);
			};
			return Reflect.apply(findOf, this, [count, options]) as Page;
		});
		const waiting = sandbox.waitForMessage({ contains: 'ready' });
		for (let at = 0; at < 50; at++) {
			await text(`meanwhile ${at}`);
			await new Promise(setImmediate);
		}
		await text('It is ready');
		expect(await waiting).toMatchObject({ content: 'It is ready' });
		jest.restoreAllMocks();
		expect(looks).toBe(101);
	});

	test('says when a reset has ended the wait', async () => {
		const { sandbox } = newService();
		const waiting = sandbox.waitForMessage({ to: CONTACT });
		sandbox.reset();
		await expect(waiting).rejects.toThrow(
			`The sandbox was reset while a test waited for a message like {"to":"${CONTACT}"}.`,
		);
	});
});
