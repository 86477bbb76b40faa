import { CHARACTER_NAMES } from '../../sandbox/src';
import { CONTACT, START_MS, SUPPORT, newService, serviceOf } from './service';

type Service = ReturnType<typeof newService>;

const turn = async ({ call }: Service, isOn: boolean) =>
	await call('PATCH', `/sandbox/lines/${SUPPORT}`, { is_active: isOn });

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
		const { sandbox, change, send, rows } = newService();
		await change({ fail_next: 'No such subscriber' });
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
		const service = newService();
		const lineOf = async (fields = {}) => {
			await service.send(fields);
			return (await service.rows())[0]!.from;
		};
		const [front, support] = ['+15550100001', '+15550100002'];
		expect(await lineOf({ number: '+15551230002', line_handle: SUPPORT })).toBe(support);
		await service.text('Hi', { to: support });
		expect(await lineOf()).toBe(support);
		await turn(service, false);
		expect(await lineOf()).toBe(front);
		await turn(service, true);
		await service.block();
		expect(await lineOf({ number: '+15551230003' })).toBe(support);
	});

	const refused = async (fields: object, prepare?: (service: Service) => unknown) => {
		const service = newService();
		await prepare?.(service);
		const answer = await service.send(fields as Record<string, unknown>);
		expect((await service.rows()).filter((row) => row.is_outbound)).toEqual([]);
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

	const TO_SUPPORT = { line_handle: SUPPORT };

	test.each<[string, object, (service: Service) => unknown]>([
		['Unknown or inactive line', { line_handle: 'no-such-line' }, () => undefined],
		['Unknown or inactive line', TO_SUPPORT, async (service) => await turn(service, false)],
		['Line is blocked', TO_SUPPORT, async ({ block }) => await block({}, SUPPORT)],
		['Contact has opted out of messages', {}, async ({ text }) => await text('STOP')],
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
