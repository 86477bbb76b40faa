import { CHARACTER_NAMES } from '../../sandbox/src';
import { CONTACT, FRONT_DESK, START_MS, SUPPORT, newService, serviceOf } from './service';

type Call = ReturnType<typeof newService>['call'];

const block = (call: Call, line = FRONT_DESK) =>
	call('POST', `/sandbox/lines/${line}/block`, { reason: 'Spam' });
const turnOff = (call: Call) => call('PATCH', `/sandbox/lines/${SUPPORT}`, { is_active: false });

describe('POST /v1/send-message', () => {
	test('§2.2 §3.1 an accepted message is answered 201 and QUEUED, its text as sent', async () => {
		const content = ' e\u0301\r\n ';
		for (const character of CHARACTER_NAMES) {
			const answer = await serviceOf(character)().send({ content });
			expect([answer.status, answer.body]).toEqual([
				201,
				{
					...{ status: 'QUEUED', to: CONTACT, content, service: null, is_outbound: true },
					...{ error_message: null, date_sent: null },
					message_handle: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/) as string,
				},
			]);
		}
	});

	test('§1.3 §3.1 §4.4 is QUEUED until the device confirms it, then SENT; only the history says DELIVERED', async () => {
		const { sandbox, send, status, page } = newService({ sentAfterMs: 300, deliveredAfterMs: 900 });
		const handle = (await send()).body['message_handle'] as string;
		const shown = async (ms: number) => {
			await sandbox.advance(ms);
			const { status: said, service } = await status(handle);
			const [row] = (await page()).rows as unknown as Array<Record<string, unknown>>;
			return [said, service, row!['status'], row!['date_sent']];
		};
		const sentAt = new Date(START_MS + 300).toISOString();
		expect(await shown(299)).toEqual(['QUEUED', null, 'QUEUED', null]);
		expect(await shown(1)).toEqual(['SENT', 'iMessage', 'SENT', sentAt]);
		expect(await shown(899)).toEqual(['SENT', 'iMessage', 'SENT', sentAt]);
		expect(await shown(1)).toEqual(['SENT', 'iMessage', 'DELIVERED', sentAt]);
	});

	test('§3.1 a message that fails ends in ERROR with a reason, and the next one does not', async () => {
		const { sandbox, call, send, rows } = newService();
		const fails = { fail_next: 'No such subscriber' };
		await call('PATCH', `/sandbox/contacts/${encodeURIComponent(CONTACT)}`, fails);
		for (const content of ['first', 'second']) {
			await send({ content });
			await sandbox.advance(10_000);
		}
		expect(await rows()).toMatchObject([
			{ content: 'second', status: 'DELIVERED', error_message: null },
			{ content: 'first', status: 'ERROR', service: null, error_message: 'No such subscriber' },
		]);
	});

	test('§2.1 §6.4 media alone is enough, null media is none, and a status_callback is never called', async () => {
		const { sandbox, send, rows, posted } = newService();
		const media = 'https://media.example/a.png';
		for (const fields of [
			{ content: undefined, media_url: media },
			{ media_url: null, status_callback: 'https://callback.example' },
		]) {
			expect((await send(fields)).status).toBe(201);
		}
		await sandbox.advance(60_000);
		expect(await rows()).toMatchObject([{ media_url: null }, { media_url: media, content: '' }]);
		expect(posted).toEqual([]);
	});

	test('§1.7 §3.2 uses the line that it names, or the conversation’s, or another that is active', async () => {
		const { call, send, text, rows } = newService();
		const lineOf = async (fields: object) => {
			await send(fields as Record<string, unknown>);
			return (await rows())[0];
		};
		const other = { number: '+15551230002' };
		expect(await lineOf({ ...other, line_handle: SUPPORT })).toMatchObject({
			from: '+15550100002',
		});
		await text('Hi', { to: '+15550100002' });
		expect(await lineOf({})).toMatchObject({ line_handle: SUPPORT });
		await turnOff(call);
		expect(await lineOf({})).toMatchObject({ line_handle: FRONT_DESK });
		await call('PATCH', `/sandbox/lines/${SUPPORT}`, { is_active: true });
		await block(call);
		expect(await lineOf({ number: '+15551230003' })).toMatchObject({ line_handle: SUPPORT });
	});

	const refused = async (fields: object, prepare?: (call: Call) => unknown) => {
		const { call, send, rows } = newService();
		await prepare?.(call);
		const answer = await send(fields as Record<string, unknown>);
		expect((await rows()).filter((row) => row.is_outbound)).toEqual([]);
		expect(answer.status).toBe(422);
		return answer.body;
	};

	test.each([
		[{ content: undefined }],
		[{ content: '' }],
		[{ content: null, media_url: null }],
		[{ content: '', media_url: '' }],
	])('§7 refuses neither content nor media: %j', async (fields) => {
		expect(await refused(fields)).toMatchObject({ message: 'content or media_url required' });
	});

	test.each<[object, string]>([
		...['5551230001', '+0155512300', '+1 555 123', 'tel:+15551230001', ''].map(
			(number) => [{ number }, 'number'] as [object, string],
		),
		[{ number: 15551230001 }, 'number'],
		[{ number: undefined }, 'number'],
		[{ content: 7 }, 'content'],
		[{ media_url: 'ftp://media.example/a' }, 'media_url'],
		[{ media_url: 'not an address' }, 'media_url'],
		[{ media_url: ['https://media.example/a'] }, 'media_url'],
		[{ line_handle: 3 }, 'line_handle'],
	])('§2.1 refuses what is not E.164, and a field of the wrong kind: %j', async (fields, name) => {
		const errors = { [name]: [expect.stringContaining(name) as string] };
		expect(await refused(fields)).toMatchObject({ errors });
	});

	test.each<[string, object, (call: Call) => unknown]>([
		['Unknown or inactive line', { line_handle: 'no-such-line' }, () => undefined],
		['Unknown or inactive line', { line_handle: SUPPORT }, turnOff],
		['Line is blocked', { line_handle: SUPPORT }, async (call) => await block(call, SUPPORT)],
		[
			'Contact has opted out of messages',
			{},
			async (call) => await call('POST', '/sandbox/inbound', { from: CONTACT, content: 'STOP' }),
		],
	])('§7 refuses in the second error shape: %s %j', async (sentence, fields, prepare) => {
		const body = { status: 'error', error_message: sentence };
		expect(await refused(fields, prepare)).toEqual(body);
	});

	test('§4.1 refuses a body that is not a JSON object, and one above a megabyte with 413', async () => {
		const { sandbox, credential, send } = newService();
		for (const body of ['', '{"number":', 'hello', '[]', '"text"', 'null', '7']) {
			const given = { method: 'POST', headers: credential, body };
			const answer = await sandbox.app.request('/v1/send-message', given);
			expect(answer.status).toBe(400);
			expect(await answer.json()).toEqual({ message: expect.stringContaining('JSON') });
		}
		expect((await send({ content: 'x'.repeat(1_100_000) })).status).toBe(413);
	});
});

describe('GET /status', () => {
	test('§4.4 answers 404 to an unknown message, 422 to none, and assumption: other spellings of the handle', async () => {
		const { call, send } = newService();
		const handle = (await send()).body['message_handle'] as string;
		const { status, body } = await call('GET', `/status?message_handle=${handle}`);
		expect(status).toBe(200);
		expect((await call('GET', `/status?handle=${handle}`)).body).toEqual(body);
		expect((await call('GET', `/status/${handle}`)).body).toEqual(body);
		expect((await call('GET', '/status?message_handle=nobody')).status).toBe(404);
		expect((await call('GET', '/status')).status).toBe(422);
	});

	test('assumption (§4.9): a path prefix moves /status, /lookup and /media, and nothing else', async () => {
		const { call, send } = newService({ pathPrefix: '/v3' });
		const handle = (await send()).body['message_handle'] as string;
		for (const [path, status] of [
			[`/v3/status?message_handle=${handle}`, 200],
			[`/status?message_handle=${handle}`, 404],
			['/v3/lookup?number=%2B15551230001', 202],
			['/v1/me', 200],
		] as const) {
			expect([path, (await call('GET', path)).status]).toEqual([path, status]);
		}
	});
});
