import { CHARACTER_NAMES, type CharacterName } from '../../sandbox/src';
import type { PostRequest } from '../../sandbox/src/webhooks/post';
import { signatureHeader } from '../../sandbox/src/webhooks/signature';
import { read } from '../support/files';
import { BEHIND_MS, CONTACT, FRONT_DESK, START_MS } from './service';
import { eventIn, newService, rowsIn, serviceOf } from './service';

const LOOKUP = `/lookup?number=${encodeURIComponent(CONTACT)}`;
const HANDLE = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
const MEDIA = 'https://media.example/a.png';

/** What each character says, line by line: its name, to what, and all of the JSON, with a word for what differs each time. */
const SAID = read('test/sandbox/characters.tsv')
	.trimEnd()
	.split('\n')
	.map((line) => line.split('\t'));

/** Something that was said, as the file has it. */
const written = (said: unknown): unknown =>
	JSON.parse(JSON.stringify(said).replaceAll(FRONT_DESK, '<line>').replace(HANDLE, '<handle>'));

describe.each(CHARACTER_NAMES)('A service that is %s', (character) => {
	const create = serviceOf(character);

	/** Lets one of each thing happen; returns the events that are sent, and what `ask` says in between. */
	const sayAll = async (
		service: ReturnType<typeof create>,
		ask: (path: string) => Promise<void>,
	) => {
		const { sandbox, call, register, text, send, change, block, posted } = service;
		await register(['receive', 'outbound', 'line_blocked', 'line_unblocked']);
		await ask('/v1/me');
		await ask(LOOKUP);
		await text('Hi', { media_url: MEDIA });
		const sendAndAsk = async () => {
			const { body } = await send({ content: 'Hi' });
			await sandbox.advance(10_000);
			await ask(`/status?message_handle=${body['message_handle'] as string}`);
		};
		await sendAndAsk();
		await block({ reason: 'Spam' });
		await call('POST', `/sandbox/lines/${FRONT_DESK}/unblock`);
		await change({ fail_next: 'Busy' });
		await sendAndAsk();
		await ask(LOOKUP);
		await ask('/v2/messages');
		await ask('/v2/messages?limit=1');
		return posted.map(({ body }) => JSON.parse(body) as object);
	};

	test('§2.5 §3.1 §4.2 §4.4 §4.5 §4.6 §6.2 §6.3 says what characters.tsv has, with no other field', async () => {
		const said: unknown[] = [];
		const service = create();
		const events = await sayAll(service, async (path) => {
			const { status, body } = await service.call('GET', path);
			said.push([`GET ${path} ${status}`, body]);
		});
		const flat = await sayAll(create({ eventForm: 'flat' }), async () => {});
		for (const event of events) said.push(['event', event]);
		for (const event of flat) said.push(['flat event', event]);
		expect(written(said)).toEqual(
			SAID.filter(([name]) => name === character).map(([, to, json = '']) => [
				to,
				JSON.parse(json),
			]),
		);
		expect(new Set(events.map((event) => 'id' in event && event.id)).size).toBe(events.length);
	});

	test('dates everything by its own clock, signatures too', async () => {
		const { sandbox, call, register, block, posted } = create();
		await register(['line_blocked'], { secret: 'whisper' });
		await block();
		await sandbox.settled();
		const nowMs = START_MS - BEHIND_MS[character];
		const name = character === 'foreign' ? 'acme-signature' : 'service-signature';
		const [{ body: event, headers }] = posted as [PostRequest];
		expect(headers[name]).toBe(signatureHeader('whisper', event, nowMs / 1000));
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
		const asIs = {
			from: CONTACT,
			is_outbound: false,
			content: ' Hi ',
			date_sent: at,
			created_at: at,
		};
		expect(row).toMatchObject(asIs);
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
				...{
					id: expect.any(String) as string,
					url: 'https://receiver.example/hook',
					events: ['receive'],
				},
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
