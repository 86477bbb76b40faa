import { CHARACTER_NAMES, type CharacterName } from '../../sandbox/src';
import type { PostRequest } from '../../sandbox/src/webhooks/post';
import { signatureHeader } from '../../sandbox/src/webhooks/signature';
import { BEHIND_MS, CONTACT, FRONT_DESK, START_MS } from './service';
import { eventIn, newService, rowsIn, serviceOf } from './service';

const LINE_NUMBER = '+15550100001';
const ALL = ['receive', 'outbound', 'line_blocked', 'line_unblocked'];
const MEDIA = 'https://media.example/a.png';
const HANDLE = /^[0-9a-f-]{36}$/;
const LOOKUP = `/lookup?number=${encodeURIComponent(CONTACT)}`;
const [handle, time] = [expect.stringMatching(HANDLE) as string, expect.any(String) as string];

const isoTime = (character: CharacterName, ms = START_MS) =>
	new Date(ms - BEHIND_MS[character]).toISOString();

const without = (message: object, ...names: string[]): object =>
	Object.fromEntries(Object.entries(message).filter(([name]) => !names.includes(name)));

/** The numbers of a message from the line, with a plus and without. */
const OUT = { from: LINE_NUMBER, to: CONTACT };
const PLAIN_OUT = { from: LINE_NUMBER.slice(1), to: CONTACT.slice(1) };
const swapped = ({ from, to }: typeof OUT) => ({ from: to, to: from });

/** A history row of a text with the fields of the send answer, and those that every character's rows have (§2.6). */
const inboundRow = {
	...{ message_handle: handle, conversation_handle: handle, line_handle: FRONT_DESK },
	...{ ...swapped(OUT), content: 'Hi', media_url: null, service: 'iMessage', status: 'RECEIVED' },
	...{ is_outbound: false, error_message: null, date_sent: time },
};
const FAILED = { status: 'ERROR', service: null, error_message: 'Busy' };
const failedRow = { ...inboundRow, is_outbound: true, ...OUT, ...FAILED };

/** What GET /status says of a message where it says all. */
const sent = {
	...{ status: 'SENT', message_handle: handle, to: CONTACT, content: 'Hi', service: 'iMessage' },
	...{ is_outbound: true, error_message: null, date_sent: time },
};

/** A message with the eight fields of §6.2. */
const received = {
	...{ message_handle: expect.stringMatching(/^msg_/) as string, direction: 'inbound' },
	...{ ...swapped(OUT), text: 'Hi', channel: 'imessage', status: 'received' },
	line_handle: `line_${FRONT_DESK}`,
};
const outbound = { ...received, direction: 'outbound', ...OUT, status: 'sent' };
const failed = { ...outbound, status: 'error', channel: null };

/** A message that was sent in the flat form (§6.3). */
const flat = {
	...{ ...without(inboundRow, 'line_handle', 'error_message'), ...OUT },
	...{ is_outbound: true, status: 'SENT' },
};
const line = (character: CharacterName) => ({
	...{ line_handle: `line_${FRONT_DESK}`, number: LINE_NUMBER, label: 'Front desk' },
	...{ is_active: true, blocked_at: isoTime(character), block_reason: 'Spam' },
	limits: expect.any(Object) as object,
});

const more = { media_url: null, conversation_handle: handle };
const created = { created_at: time };
/** What each character answers where the document shows little or nothing. */
const LITERAL = {
	me: {},
	status: { status: 'SENT', service: 'iMessage' },
	failedStatus: { status: 'ERROR', service: null },
	lookupPending: { number: CONTACT },
	lookup: { number: CONTACT, service: 'iMessage' },
	inboundRow,
	failedRow: { ...failedRow, date_sent: null },
	page: (messages: object[]): object => ({ messages }),
	receive: { message: received },
	outbound: { message: outbound },
	failed: { message: failed },
	blocked: { line: line('literal') },
	flatOutbound: flat,
};

type Shapes = Record<Exclude<keyof typeof LITERAL, 'page'>, object> & {
	page: (rows: object[], next: unknown) => object;
};

const SHAPES: Record<CharacterName, Shapes> = {
	literal: LITERAL,
	generous: {
		...LITERAL,
		me: { status: 'ok', organization: 'Sandbox' },
		status: sent,
		failedStatus: { ...sent, ...FAILED },
		lookupPending: { number: CONTACT, status: 'pending' },
		inboundRow: { ...inboundRow, created_at: isoTime('generous') },
		failedRow: { ...failedRow, ...created },
		page: (messages, before) => ({ messages, before }),
		receive: { message: { ...received, ...more } },
		outbound: { message: { ...outbound, ...more, error_message: null } },
		failed: { message: { ...failed, ...more, error_message: 'Busy' } },
		flatOutbound: { ...flat, error_message: null },
	},
	awkward: {
		...LITERAL,
		me: { data: { organization: 'Sandbox' } },
		status: { data: { message: sent } },
		failedStatus: { data: { message: without({ ...sent, ...FAILED }, 'date_sent') } },
		lookupPending: { data: { channel: null } },
		lookup: { data: { channel: 'imessage' } },
		inboundRow: { ...inboundRow, date_sent: isoTime('awkward') },
		failedRow: without(failedRow, 'date_sent'),
		page: (results, next) => ({ data: { results, next } }),
		outbound: flat,
		failed: without({ ...flat, ...FAILED }, 'date_sent', 'error_message'),
		blocked: line('awkward'),
	},
	foreign: {
		// A plain text, which is no JSON.
		me: {},
		status: { status: 'ok', message: { status: 'sent', channel: 'imessage' } },
		failedStatus: { status: 'ok', message: { status: 'error', channel: null } },
		lookupPending: { result: { state: 'processing' } },
		lookup: { result: { imessage_capable: 1 } },
		inboundRow: { ...inboundRow, ...swapped(PLAIN_OUT), is_outbound: 0 },
		failedRow: { ...failedRow, ...PLAIN_OUT, is_outbound: 1, date_sent: null },
		page: (records, next) => ({
			...{ ok: 1, history: { records } },
			paging: { older: next === null ? null : expect.stringContaining('?limit=100&before=') },
		}),
		receive: { message: { ...received, ...swapped(PLAIN_OUT) } },
		outbound: { attributes: { ...flat, ...PLAIN_OUT } },
		failed: {
			attributes: {
				...without({ ...flat, ...FAILED }, 'error_message'),
				...{ ...PLAIN_OUT, date_sent: null },
			},
		},
		blocked: { attributes: line('foreign') },
		flatOutbound: { ...flat, ...PLAIN_OUT },
	},
};

describe.each(CHARACTER_NAMES)('A service that is %s', (character) => {
	const create = serviceOf(character);
	const shapes = SHAPES[character];

	const get = async ({ call }: ReturnType<typeof create>, path: string) => {
		const { status, body } = await call('GET', path);
		return [status, body];
	};
	/** What GET /status says of a message that is sent now. */
	const statusOfSend = async (service: ReturnType<typeof create>) => {
		const { body } = await service.send({ content: 'Hi' });
		await service.sandbox.advance(10_000);
		return await get(service, `/status?message_handle=${body['message_handle'] as string}`);
	};

	test('§4.2 §4.4 §4.6 answers GET /v1/me, /status and /lookup with its own fields and no others', async () => {
		const service = create();
		expect(await get(service, LOOKUP)).toEqual([202, shapes.lookupPending]);
		expect(await statusOfSend(service)).toEqual([200, shapes.status]);
		expect(await get(service, LOOKUP)).toEqual([200, shapes.lookup]);
		expect(await get(service, '/v1/me')).toEqual([200, shapes.me]);
	});

	test('§4.5 answers the history with its own fields and no others', async () => {
		const service = create();
		const page = (next: unknown) => [200, shapes.page([shapes.inboundRow], next)];
		await service.text('Hi');
		expect(await get(service, '/v2/messages')).toEqual(page(null));
		await service.text('Hi');
		expect(await get(service, '/v2/messages?limit=1')).toEqual(page(expect.any(String)));
	});

	test('§3.1 shows a message that failed in the history and in GET /status with its own fields', async () => {
		const service = create();
		await service.change({ fail_next: 'Busy' });
		expect(await statusOfSend(service)).toEqual([200, shapes.failedStatus]);
		const { body } = await service.call('GET', '/v2/messages');
		expect(rowsIn(body)).toEqual([shapes.failedRow]);
	});

	test('§2.5 §6.1 §6.2 sends one event of each thing, with its own fields and no others', async () => {
		const { sandbox, call, register, text, send, change, block, posted } = create();
		await register(ALL);
		await text('Hi');
		await send({ content: 'Hi' });
		await block({ reason: 'Spam' });
		await call('POST', `/sandbox/lines/${FRONT_DESK}/unblock`);
		await sandbox.advance(10_000);
		await change({ fail_next: 'Busy' });
		await send({ content: 'Hi' });
		await sandbox.advance(10_000);
		const events = posted.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
		expect(events[0]).toEqual({
			id: expect.stringMatching(/^evt_/) as string,
			type: 'receive',
			created_at: isoTime(character).replace('Z', '+00:00'),
			data: shapes.receive,
		});
		expect(new Set(events.map(({ id }) => id)).size).toBe(5);
		expect(events.map(({ type, data }) => [type, data])).toEqual([
			['receive', shapes.receive],
			['line_blocked', shapes.blocked],
			['line_unblocked', expect.any(Object)],
			['outbound', shapes.outbound],
			['outbound', shapes.failed],
		]);
		expect(JSON.stringify(events[2])).toContain('"blocked_at":null,"block_reason":null');
	});

	test('§6.3 sends the flat form with exactly the fields of the document', async () => {
		const { sandbox, register, text, send, block, posted } = create({ eventForm: 'flat' });
		await register(ALL);
		await text('Hi', { media_url: MEDIA });
		await send({ content: 'Hi' });
		await sandbox.advance(10_000);
		await block();
		await sandbox.settled();
		const numbers = character === 'foreign' ? swapped(PLAIN_OUT) : swapped(OUT);
		const shown = { ...flat, media_url: MEDIA, is_outbound: false, status: 'RECEIVED', ...numbers };
		expect(posted.map(({ body }) => JSON.parse(body) as object)).toEqual([
			{ event: 'receive', ...shown },
			{ event: 'outbound', ...shapes.flatOutbound },
			expect.objectContaining({
				event: 'line_blocked',
				line_handle: FRONT_DESK,
				number: LINE_NUMBER,
			}),
		]);
	});

	test('dates everything by its own clock, refusals and signatures too', async () => {
		const { sandbox, call, register, block, posted } = create();
		await register(ALL, { secret: 'whisper' });
		await block();
		await sandbox.settled();
		const nowMs = START_MS - BEHIND_MS[character];
		const name = character === 'foreign' ? 'acme-signature' : 'service-signature';
		const [{ body: event, headers }] = posted as [PostRequest];
		expect(headers[name]).toBe(signatureHeader('whisper', event, nowMs / 1000));
		const refused = await call('GET', '/no-such-path', undefined, {});
		expect(refused.headers.get('date')).toBe(new Date(nowMs).toUTCString());
		const { body } = await call('GET', '/v1/lines');
		expect(body['lines']).toMatchObject([{ blocked_at: new Date(nowMs).toISOString() }, {}]);
	});

	test('§4.3 §5.6 §7 answers as every other where the document shows it', async () => {
		const answers = async ({ call, send, text }: ReturnType<typeof newService>) => {
			const given = [
				await call('GET', '/v1/lines'),
				await call('GET', '/v1/me', undefined, {}),
				await send({ content: '' }),
				await send({ number: '555' }),
				await send({ line_handle: 'unknown' }),
				await text('STOP').then(async () => await send()),
				await call('POST', '/v1/account/webhooks', {}),
			];
			return given.map(({ status, body }) => [status, body]);
		};
		expect(await answers(create())).toEqual(await answers(newService()));
	});

	test('does not change what the control endpoints show', async () => {
		const { text, rows } = create();
		const row = await text(' Hi ');
		const at = new Date(START_MS).toISOString();
		const asIs = { content: ' Hi ', date_sent: at, created_at: at };
		expect(row).toEqual({ ...inboundRow, ...asIs });
		expect(await rows()).toEqual([row]);
	});
});

const WRITTEN = ' \n e\u0301 \r\n a \r b\u00a0\u2003';

test.each<[CharacterName, string]>([
	['literal', WRITTEN],
	['awkward', '\u00e9 \n a \n b'],
])('A text of a service that is %s is kept as %j', async (character, kept) => {
	const { sandbox, register, text, send, page, status, posted } = newService({ character });
	await register(['receive']);
	await text(WRITTEN);
	const sent = (await send({ content: WRITTEN })).body;
	await sandbox.settled();
	expect((await page()).rows.map(({ content }) => content)).toEqual([kept, kept]);
	expect(eventIn(posted[0]).data.message['text']).toBe(kept);
	const answer = await status(sent['message_handle'] as string);
	expect(answer['content'] ?? kept).toBe(kept);
});

test('An awkward service answers an upload and a registration with an empty 201 and a Location', async () => {
	const { sandbox, credential } = newService({ character: 'awkward' });
	const form = new FormData();
	form.set('file', new File([new Uint8Array([1])], 'a.png', { type: 'image/png' }));
	const webhook = { url: 'https://receiver.example/hook', events: ['receive'] };
	for (const [path, body, location] of [
		['/media', form, /^\/sandbox\/media\//],
		['/v1/account/webhooks', JSON.stringify(webhook), /^\/v1\/account\/webhooks\//],
	] as const) {
		const given = { method: 'POST', headers: credential, body };
		const answer = await sandbox.app.request(`http://sandbox.example${path}`, given);
		expect([answer.status, await answer.text()]).toEqual([201, '']);
		const found = answer.headers.get('location')!;
		expect(found).toMatch(location);
		if (path === '/media') expect((await sandbox.app.request(found)).status).toBe(200);
	}
});

describe('The history', () => {
	const withTexts = async (character: CharacterName, count: number, seed?: number) => {
		const service = newService({ character, randomSeed: seed });
		for (let n = 0; n < count; n++) await service.text(String(count - n));
		return service;
	};
	/** The places at which the rows of a page should be, newest first. */
	const placesOf = async ({ page }: ReturnType<typeof newService>) =>
		(await page()).rows.map(({ content }) => Number(content));

	const IN_ORDER = Array.from({ length: 40 }, (_, place) => place + 1);

	test('of an awkward service has rows at most two places away from their own, by its seed', async () => {
		const one = await placesOf(await withTexts('awkward', 40));
		expect(one).not.toEqual(IN_ORDER);
		expect([...one].sort((a, b) => a - b)).toEqual(IN_ORDER);
		for (const [at, place] of one.entries()) expect(Math.abs(place - (at + 1))).toBeLessThan(3);
		expect(await placesOf(await withTexts('awkward', 40))).toEqual(one);
		expect(await placesOf(await withTexts('awkward', 40, 2))).not.toEqual(one);
	});

	test.each([
		['literal', 500, 200],
		['foreign', 100, 200],
		['awkward', 100, 422],
	] as const)('of a service that is %s has up to %i rows; asked for more: %i', async (...given) => {
		const [character, most, status] = given;
		const service = await withTexts(character, most + 5);
		expect((await service.page(`?limit=${most}`)).rows).toHaveLength(most);
		const { body, ...more } = await service.call('GET', `/v2/messages?limit=${most + 1}`);
		expect(more.status).toBe(status);
		if (status === 422) expect(body['errors']).toEqual({ limit: [expect.any(String)] });
		else expect(rowsIn(body)).toHaveLength(most);
	});

	test('of an awkward service takes no message for a cursor', async () => {
		const service = await withTexts('awkward', 3);
		const [row] = await service.rows();
		const path = `/v2/messages?before=${row!.message_handle}`;
		expect((await service.call('GET', path)).status).toBe(422);
	});
});

describe('A registration', () => {
	test.each<[CharacterName, object]>([
		['literal', {}],
		[
			'generous',
			{
				...{ id: handle, url: 'https://receiver.example/hook', events: ['receive'] },
				...{ status: 'enabled', created_at: new Date(START_MS).toISOString() },
			},
		],
	])('of a service that is %s is answered %j; a second one changes it', async (...given) => {
		const [character, body] = given;
		const { sandbox, register, text, posted } = newService({ character });
		const first = await register(['receive'], { secret: 'old' });
		const again = await register(['receive'], { secret: 'new' });
		expect([first.status, again.status, again.body]).toEqual([201, 200, body]);
		expect(first.body).toEqual(body);
		await text('Hi');
		await sandbox.settled();
		expect(posted.map(({ headers }) => headers['service-signature'])).toEqual([
			signatureHeader('new', posted[0]!.body, START_MS / 1000),
		]);
	});

	test.each([
		['awkward', 409, {}],
		['foreign', 422, { secret: 'new' }],
	] as const)('that a service that is %s knows is answered %i, with %j too', async (...given) => {
		const [character, status, fields] = given;
		const { call, register } = newService({ character });
		await register(['receive', 'outbound'], { secret: 's' });
		const again = await register(['outbound', 'receive'], { secret: 's', ...fields });
		expect(again.status).toBe(status);
		expect((await call('GET', '/sandbox/state')).body['webhooks']).toHaveLength(1);
	});

	test('with another secret adds an endpoint to an awkward service, and each gets the event', async () => {
		const { sandbox, register, text, posted } = newService({ character: 'awkward' });
		await register(['receive'], { secret: 'old' });
		expect((await register(['receive'], { secret: 'new' })).status).toBe(201);
		expect((await register(['receive', 'outbound'], { secret: 'new' })).status).toBe(201);
		await text('Hi');
		await sandbox.settled();
		expect(new Set(posted.map(({ body }) => body)).size).toBe(1);
		const t = (START_MS - BEHIND_MS.awkward) / 1000;
		expect(posted.map(({ headers }) => headers['service-signature'])).toEqual(
			['old', 'new', 'new'].map((secret) => signatureHeader(secret, posted[0]!.body, t)),
		);
	});
});

test('POST /sandbox/character changes the character, which GET /sandbox/state shows, until a reset', async () => {
	const { call, text, page } = newService({ character: 'generous' });
	const shown = async () => (await call('GET', '/sandbox/state')).body['character'];
	expect(await shown()).toBe('generous');
	await text(' Hi ');
	const answer = await call('POST', '/sandbox/character', { character: 'awkward' });
	expect([answer.status, answer.body]).toEqual([200, { character: 'awkward' }]);
	expect(await shown()).toBe('awkward');
	expect((await page()).rows).toMatchObject([{ content: 'Hi' }]);
	await call('POST', '/sandbox/reset');
	expect(await shown()).toBe('generous');
});
