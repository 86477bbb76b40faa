import { CHARACTER_NAMES, type CharacterName } from '../../sandbox/src';
import { signatureHeader } from '../../sandbox/src/webhooks/signature';
import { BEHIND_MS, CONTACT, FRONT_DESK, START_MS, newService, rowsIn, serviceOf } from './service';

const LINE_NUMBER = '+15550100001';
const ALL = ['receive', 'outbound', 'line_blocked', 'line_unblocked'];
const MEDIA = 'https://media.example/a.png';
const HANDLE = /^[0-9a-f-]{36}$/;
const CONTACT_PATH = `/sandbox/contacts/${encodeURIComponent(CONTACT)}`;

const isoTime = (character: CharacterName, ms: number) =>
	new Date(ms - BEHIND_MS[character]).toISOString();

/** A history row of a text with the fields of the send answer, and those that every character's rows have (§2.6). */
const rowOf = (fields: object) => ({
	message_handle: expect.stringMatching(HANDLE) as string,
	conversation_handle: expect.stringMatching(HANDLE) as string,
	line_handle: FRONT_DESK,
	from: CONTACT,
	to: LINE_NUMBER,
	content: 'Hi',
	media_url: null,
	service: 'iMessage',
	status: 'RECEIVED',
	is_outbound: false,
	error_message: null,
	date_sent: expect.any(String) as string,
	...fields,
});

/** A message with the eight fields of §6.2. */
const eventMessage = (fields: object) => ({
	message_handle: expect.stringMatching(/^msg_/) as string,
	direction: 'inbound',
	from: CONTACT,
	to: LINE_NUMBER,
	text: 'Hi',
	channel: 'imessage',
	status: 'received',
	line_handle: `line_${FRONT_DESK}`,
	...fields,
});

const OUTBOUND = { is_outbound: true, status: 'DELIVERED', from: LINE_NUMBER, to: CONTACT };

/** What each character answers where the document shows little or nothing. */
type Shapes = {
	me: object;
	status: object;
	failedStatus: object;
	lookupPending: object;
	lookup: object;
	inboundRow: object;
	failedRow: object;
	page: (rows: object[], next: unknown) => object;
	receive: object;
	outbound: object;
	failed: object;
	blocked: object;
	flatOutbound: object;
};

const sentFields = (fields: object) => ({
	status: 'SENT',
	message_handle: expect.stringMatching(HANDLE) as string,
	to: CONTACT,
	content: 'Hi',
	service: 'iMessage',
	is_outbound: true,
	error_message: null,
	date_sent: expect.any(String) as string,
	...fields,
});
const FAILED = { status: 'ERROR', service: null, error_message: 'Busy' };
const failedRow = (fields: object) => rowOf({ ...OUTBOUND, ...FAILED, ...fields });
const outboundEvent = { direction: 'outbound', from: LINE_NUMBER, to: CONTACT, status: 'sent' };
const line = (character: CharacterName) => ({
	line_handle: `line_${FRONT_DESK}`,
	number: LINE_NUMBER,
	label: 'Front desk',
	is_active: true,
	blocked_at: isoTime(character, START_MS),
	block_reason: 'Spam',
	limits: expect.any(Object) as object,
});
const flatOutbound = {
	message_handle: expect.stringMatching(HANDLE) as string,
	from: LINE_NUMBER,
	to: CONTACT,
	content: 'Hi',
	media_url: null,
	service: 'iMessage',
	is_outbound: true,
	status: 'SENT',
	date_sent: expect.any(String) as string,
	conversation_handle: expect.stringMatching(HANDLE) as string,
};

const SIGNATURE_HEADER: Record<CharacterName, string> = {
	literal: 'service-signature',
	generous: 'service-signature',
	awkward: 'service-signature',
	foreign: 'acme-signature',
};

/** The numbers of a message from the line, without a plus. */
const OUTBOUND_NUMBERS = { from: LINE_NUMBER.slice(1), to: CONTACT.slice(1) };
const swapped = ({ from, to }: typeof OUTBOUND_NUMBERS) => ({ from: to, to: from });

const SHAPES: Record<CharacterName, Shapes> = {
	literal: {
		me: {},
		status: { status: 'SENT', service: 'iMessage' },
		failedStatus: { status: 'ERROR', service: null },
		lookupPending: { number: CONTACT },
		lookup: { number: CONTACT, service: 'iMessage' },
		inboundRow: rowOf({}),
		failedRow: failedRow({ date_sent: null }),
		page: (messages) => ({ messages }),
		receive: { message: eventMessage({}) },
		outbound: { message: eventMessage(outboundEvent) },
		failed: { message: eventMessage({ ...outboundEvent, status: 'error', channel: null }) },
		blocked: { line: line('literal') },
		flatOutbound: { event: 'outbound', ...flatOutbound },
	},
	generous: {
		me: { status: 'ok', organization: 'Sandbox' },
		status: sentFields({}),
		failedStatus: sentFields(FAILED),
		lookupPending: { number: CONTACT, status: 'pending' },
		lookup: { number: CONTACT, service: 'iMessage' },
		inboundRow: rowOf({ created_at: isoTime('generous', START_MS) }),
		failedRow: failedRow({ created_at: expect.any(String) as string }),
		page: (messages, before) => ({ messages, before }),
		receive: {
			message: eventMessage({
				media_url: null,
				conversation_handle: expect.stringMatching(HANDLE) as string,
			}),
		},
		outbound: {
			message: eventMessage({
				...outboundEvent,
				media_url: null,
				conversation_handle: expect.stringMatching(HANDLE) as string,
				error_message: null,
			}),
		},
		failed: {
			message: eventMessage({
				...outboundEvent,
				status: 'error',
				channel: null,
				media_url: null,
				conversation_handle: expect.stringMatching(HANDLE) as string,
				error_message: 'Busy',
			}),
		},
		blocked: { line: line('generous') },
		flatOutbound: { event: 'outbound', ...flatOutbound, error_message: null },
	},
	awkward: {
		me: { data: { organization: 'Sandbox' } },
		status: { data: { message: sentFields({}) } },
		failedStatus: { data: { message: withoutDate(sentFields(FAILED)) } },
		lookupPending: { data: { channel: null } },
		lookup: { data: { channel: 'imessage' } },
		inboundRow: rowOf({ date_sent: isoTime('awkward', START_MS) }),
		failedRow: withoutDate(failedRow({})),
		page: (results, next) => ({ data: { results, next } }),
		receive: { message: eventMessage({}) },
		outbound: flatOutbound,
		failed: without({ ...flatOutbound, ...FAILED }, 'date_sent', 'error_message'),
		blocked: line('awkward'),
		flatOutbound: { event: 'outbound', ...flatOutbound },
	},
	foreign: {
		// A plain text, which is no JSON.
		me: {},
		status: { status: 'ok', message: { status: 'sent', channel: 'imessage' } },
		failedStatus: { status: 'ok', message: { status: 'error', channel: null } },
		lookupPending: { result: { state: 'processing' } },
		lookup: { result: { imessage_capable: 1 } },
		inboundRow: rowOf({ ...swapped(OUTBOUND_NUMBERS), is_outbound: 0 }),
		failedRow: failedRow({ ...OUTBOUND_NUMBERS, is_outbound: 1, date_sent: null }),
		page: (records, next) => ({
			ok: 1,
			history: { records },
			paging: { older: next === null ? null : expect.stringContaining('?limit=100&before=') },
		}),
		receive: { message: eventMessage(swapped(OUTBOUND_NUMBERS)) },
		outbound: { attributes: { ...flatOutbound, ...OUTBOUND_NUMBERS } },
		failed: {
			attributes: {
				...without({ ...flatOutbound, ...FAILED }, 'error_message'),
				...{ ...OUTBOUND_NUMBERS, date_sent: null },
			},
		},
		blocked: { attributes: line('foreign') },
		flatOutbound: { event: 'outbound', ...flatOutbound, ...OUTBOUND_NUMBERS },
	},
};

/** A message of the service that is awkward, which does not date what failed. */
function withoutDate(message: object): object {
	return without(message, 'date_sent');
}

function without(message: object, ...names: string[]): object {
	return Object.fromEntries(Object.entries(message).filter(([name]) => !names.includes(name)));
}

describe.each(CHARACTER_NAMES)('A service that is %s', (character) => {
	const create = serviceOf(character);
	const shapes = SHAPES[character];

	const dataOf = (body: string | undefined) => (JSON.parse(body ?? '') as { data: object }).data;

	test('§2.2 answers a send with exactly the fields of the document, with the text as sent', async () => {
		const { send } = create();
		const { body } = await send({ content: ' e\u0301\r\n ' });
		expect(body).toEqual({
			status: 'QUEUED',
			message_handle: expect.stringMatching(HANDLE),
			to: CONTACT,
			content: ' e\u0301\r\n ',
			service: null,
			is_outbound: true,
			error_message: null,
			date_sent: null,
		});
	});

	test('§4.2 §4.4 answers GET /v1/me and GET /status with its own fields and no others', async () => {
		const { sandbox, call, send } = create();
		const handle = (await send({ content: 'Hi' })).body['message_handle'] as string;
		await sandbox.advance(10_000);
		expect((await call('GET', '/v1/me')).body).toEqual(shapes.me);
		const { body } = await call('GET', `/status?message_handle=${handle}`);
		expect(body).toEqual(shapes.status);
	});

	test('§4.6 answers a look-up with its own fields and no others', async () => {
		const { sandbox, call } = create();
		const path = `/lookup?number=${encodeURIComponent(CONTACT)}`;
		const pending = await call('GET', path);
		expect([pending.status, pending.body]).toEqual([202, shapes.lookupPending]);
		await sandbox.advance(10_000);
		const known = await call('GET', path);
		expect([known.status, known.body]).toEqual([200, shapes.lookup]);
	});

	test('§4.5 answers the history with its own fields and no others', async () => {
		const { call, text } = create();
		await text('Hi');
		const { body } = await call('GET', '/v2/messages');
		expect(body).toEqual(shapes.page([shapes.inboundRow], null));
		await text('Hi');
		const first = await call('GET', '/v2/messages?limit=1');
		expect(first.body).toEqual(shapes.page([shapes.inboundRow], expect.any(String)));
	});

	test('§3.1 shows a message that failed in the history and in GET /status with its own fields', async () => {
		const { sandbox, call, send } = create();
		await call('PATCH', CONTACT_PATH, { fail_next: 'Busy' });
		const handle = (await send({ content: 'Hi' })).body['message_handle'] as string;
		await sandbox.advance(10_000);
		expect(rowsIn((await call('GET', '/v2/messages')).body)).toEqual([shapes.failedRow]);
		const { body } = await call('GET', `/status?message_handle=${handle}`);
		expect(body).toEqual(shapes.failedStatus);
	});

	test('§2.5 §6.2 sends events with its own fields and no others', async () => {
		const { sandbox, call, register, text, send, posted } = create();
		await register(ALL);
		await text('Hi');
		await send({ content: 'Hi' });
		await call('POST', `/sandbox/lines/${FRONT_DESK}/block`, { reason: 'Spam' });
		await call('POST', `/sandbox/lines/${FRONT_DESK}/unblock`);
		await sandbox.advance(10_000);
		await call('PATCH', CONTACT_PATH, { fail_next: 'Busy' });
		await send({ content: 'Hi' });
		await sandbox.advance(10_000);
		const [receive, blocked, , outbound, failed] = posted.map(({ body }) => body);
		expect(JSON.parse(receive ?? '')).toEqual({
			id: expect.stringMatching(/^evt_/),
			type: 'receive',
			created_at: isoTime(character, START_MS).replace('Z', '+00:00'),
			data: shapes.receive,
		});
		expect(dataOf(blocked)).toEqual(shapes.blocked);
		expect(dataOf(outbound)).toEqual(shapes.outbound);
		expect(dataOf(failed)).toEqual(shapes.failed);
	});

	test('§6.3 sends the flat form with exactly the fields of the document', async () => {
		const { sandbox, register, text, send, posted } = create({ eventForm: 'flat' });
		await register(ALL);
		await text('Hi', { media_url: MEDIA });
		await send({ content: 'Hi' });
		await sandbox.advance(10_000);
		const [receive, outbound] = posted.map(({ body }) => JSON.parse(body) as object);
		const fields = without(rowOf({ media_url: MEDIA }), 'line_handle', 'error_message');
		const numbers = character === 'foreign' ? swapped(OUTBOUND_NUMBERS) : {};
		expect(receive).toEqual({ event: 'receive', ...fields, ...numbers });
		expect(outbound).toEqual(shapes.flatOutbound);
	});

	test('dates everything by its own clock, the Date header and the signature too', async () => {
		const { sandbox, call, register, text, posted } = create();
		await register(ALL, { secret: 'whisper' });
		await text('Hi');
		await call('POST', `/sandbox/lines/${FRONT_DESK}/block`, {});
		await sandbox.settled();
		const nowMs = START_MS - BEHIND_MS[character];
		for (const { body, headers } of posted) {
			const signature = signatureHeader('whisper', body, nowMs / 1000);
			expect(headers[SIGNATURE_HEADER[character]]).toBe(signature);
		}
		for (const [path, headers] of [
			['/v1/lines', undefined],
			['/v1/me', {}],
			['/no-such-path', undefined],
		] as const) {
			const answer = await call('GET', path, undefined, headers);
			expect(answer.headers.get('date')).toBe(new Date(nowMs).toUTCString());
		}
		const { body } = await call('GET', '/v1/lines');
		expect(body['lines']).toMatchObject([{ blocked_at: new Date(nowMs).toISOString() }, {}]);
	});

	test('does not change what the control endpoints show', async () => {
		const { call, text, rows, send, sandbox } = create();
		const row = await text(' Hi ');
		const at = new Date(START_MS).toISOString();
		expect(row).toEqual({ ...rowOf({ content: ' Hi ', date_sent: at }), created_at: at });
		expect(await rows()).toEqual([row]);
		await send();
		await sandbox.advance(10_000);
		const { body } = await call('GET', '/sandbox/messages?limit=1');
		expect(body).toMatchObject({ messages: [{ content: 'Hello' }], before: expect.any(String) });
	});
});

describe('A text', () => {
	const WRITTEN = ' \n e\u0301 \r\n a \r b\u00a0\u2003';

	test.each<[CharacterName, string]>([
		['literal', WRITTEN],
		['generous', WRITTEN],
		['awkward', '\u00e9 \n a \n b'],
	])('of a service that is %s is kept as %j', async (character, kept) => {
		const { sandbox, register, text, send, page, status, posted } = newService({ character });
		await register(['receive']);
		await text(WRITTEN);
		const sent = (await send({ content: WRITTEN })).body;
		await sandbox.settled();
		expect((await page()).rows.map(({ content }) => content)).toEqual([kept, kept]);
		const { data } = JSON.parse(posted[0]!.body) as { data: { message: { text: string } } };
		expect(data.message.text).toBe(kept);
		const answer = await status(sent['message_handle'] as string);
		expect(answer['content'] ?? kept).toBe(kept);
	});
});

describe('An upload', () => {
	const upload = async (character: CharacterName, path = '/media') => {
		const { sandbox, credential } = newService({ character });
		const form = new FormData();
		form.set('file', new File([new Uint8Array([1])], 'a.png', { type: 'image/png' }));
		const answer = await sandbox.app.request(`http://sandbox.example${path}`, {
			method: 'POST',
			headers: credential,
			body: form,
		});
		return { sandbox, answer, text: await answer.text() };
	};

	test('is answered with an empty 201 and a Location by an awkward service', async () => {
		const { sandbox, answer, text } = await upload('awkward');
		expect([answer.status, text]).toEqual([201, '']);
		const location = answer.headers.get('location')!;
		expect(location).toMatch(/^\/sandbox\/media\//);
		expect((await sandbox.app.request(location)).status).toBe(200);
	});
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

	test.each(['literal', 'generous'] as const)(
		'of a service that is %s has up to 500 rows in a page, however many are asked for',
		async (character) => {
			const service = await withTexts(character, 510);
			expect((await service.page('?limit=500')).rows).toHaveLength(500);
			expect((await service.page('?limit=9999')).rows).toHaveLength(500);
		},
	);

	test('of an awkward service has up to 100 rows in a page, and more are refused', async () => {
		const service = await withTexts('awkward', 110);
		expect((await service.page('?limit=100')).rows).toHaveLength(100);
		expect(await service.call('GET', '/v2/messages?limit=101')).toMatchObject({
			status: 422,
			body: { errors: { limit: [expect.any(String)] } },
		});
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
				id: expect.stringMatching(HANDLE),
				url: 'https://receiver.example/hook',
				events: ['receive'],
				status: 'enabled',
				created_at: new Date(START_MS).toISOString(),
			},
		],
	])(
		'of a service that is %s is answered %j, and a second one changes the first',
		async (character, body) => {
			const { sandbox, register, text, posted } = newService({ character });
			expect(await register(['receive'], { secret: 'old' })).toMatchObject({ status: 201, body });
			const again = await register(['receive'], { secret: 'new' });
			expect(again.status).toBe(200);
			expect(again.body).toEqual(body);
			await text('Hi');
			await sandbox.settled();
			const [only, ...more] = posted;
			expect(more).toEqual([]);
			expect(only!.headers['service-signature']).toBe(
				signatureHeader('new', only!.body, START_MS / 1000),
			);
		},
	);

	test('of an awkward service is answered with an empty 201 and a Location', async () => {
		const { sandbox, credential } = newService({ character: 'awkward' });
		const answer = await sandbox.app.request('/v1/account/webhooks', {
			method: 'POST',
			headers: credential,
			body: JSON.stringify({ url: 'https://receiver.example/hook', events: ['receive'] }),
		});
		expect([answer.status, await answer.text()]).toEqual([201, '']);
		expect(answer.headers.get('location')).toMatch(/^\/v1\/account\/webhooks\//);
	});

	test('that an awkward service knows is refused with 409 and changes nothing', async () => {
		const { call, register } = newService({ character: 'awkward' });
		await register(['receive', 'outbound'], { secret: 's' });
		expect((await register(['outbound', 'receive'], { secret: 's' })).status).toBe(409);
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

describe('POST /sandbox/character', () => {
	test('changes the character, which GET /sandbox/state shows, until a reset', async () => {
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

	test.each([[{}], [{ character: 'kind' }], [{ character: null }]])('refuses %j', async (body) => {
		const answer = await newService().call('POST', '/sandbox/character', body);
		expect(answer).toMatchObject({
			status: 422,
			body: { errors: { character: [expect.any(String)] } },
		});
	});
});
