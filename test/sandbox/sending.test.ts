import fc from 'fast-check';
import { CHARACTER_NAMES } from '../../sandbox/src';
import { BEHIND_MS, CONTACT, FRONT_DESK, START_MS, SUPPORT, serviceOf } from './service';

describe.each(CHARACTER_NAMES)('A service that is %s', (character) => {
	const newService = serviceOf(character);

	describe('POST /v1/send-message', () => {
		test('§2.2 §3.1 an accepted message is answered 201 and QUEUED, without channel and date', async () => {
			const { send } = newService();
			const answer = await send({ content: 'Hello' });
			expect(answer.status).toBe(201);
			expect(answer.body).toEqual({
				status: 'QUEUED',
				message_handle: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/),
				to: CONTACT,
				content: 'Hello',
				service: null,
				is_outbound: true,
				error_message: null,
				date_sent: null,
			});
		});

		test('§1.3 §3.1 a message is QUEUED until the device confirms it, then SENT with the channel and the date', async () => {
			const { sandbox, send, status, page } = newService({ sentAfterMs: 300 });
			const handle = (await send()).body['message_handle'] as string;
			await sandbox.advance(299);
			expect(await status(handle)).toMatchObject({ status: 'QUEUED', service: null });
			await sandbox.advance(1);
			expect(await status(handle)).toMatchObject({ status: 'SENT', service: 'iMessage' });
			expect((await page()).rows).toMatchObject([
				{ date_sent: new Date(START_MS + 300 - BEHIND_MS[character]).toISOString() },
			]);
		});

		test('§3.1 §4.4 only the history says DELIVERED, GET /status never does', async () => {
			const { sandbox, send, page, status } = newService({
				sentAfterMs: 300,
				deliveredAfterMs: 900,
			});
			const handle = (await send()).body['message_handle'] as string;
			await sandbox.advance(1_199);
			expect((await page()).rows[0]?.status).toBe('SENT');
			await sandbox.advance(1);
			expect((await page()).rows[0]?.status).toBe('DELIVERED');
			expect((await status(handle))['status']).toBe('SENT');
		});

		test('§3.1 a message that fails ends in ERROR with a reason, and the next one does not', async () => {
			const { sandbox, call, send, rows } = newService();
			await call('PATCH', `/sandbox/contacts/${encodeURIComponent(CONTACT)}`, {
				fail_next: 'No such subscriber',
			});
			await send({ content: 'first' });
			await sandbox.advance(10_000);
			await send({ content: 'second' });
			await sandbox.advance(10_000);
			expect(await rows()).toMatchObject([
				{ content: 'second', status: 'DELIVERED', error_message: null },
				{ content: 'first', status: 'ERROR', service: null, error_message: 'No such subscriber' },
			]);
		});

		test('§2.1 media alone is enough, and null media with text is accepted', async () => {
			const { send, rows } = newService();
			const media = 'https://media.example/a.png';
			expect((await send({ content: undefined, media_url: media })).status).toBe(201);
			expect((await send({ media_url: null })).status).toBe(201);
			expect(await rows()).toMatchObject([{ media_url: null }, { media_url: media, content: '' }]);
		});

		test('§6.4 a status_callback is accepted and never called', async () => {
			const { sandbox, send, posted } = newService();
			expect((await send({ status_callback: 'https://callback.example' })).status).toBe(201);
			await sandbox.advance(60_000);
			expect(posted).toEqual([]);
		});

		test('§1.7 a send that names a line uses it', async () => {
			const { send, rows } = newService();
			await send({ line_handle: SUPPORT });
			expect((await rows())[0]).toMatchObject({ line_handle: SUPPORT, from: '+15550100002' });
		});

		test('§1.7 a send that names no line uses any active one, and a conversation keeps its line', async () => {
			const { call, send, text, rows } = newService();
			await text('Hi', { to: '+15550100002' });
			await send();
			expect((await rows())[0]).toMatchObject({ line_handle: SUPPORT });
			await call('PATCH', `/sandbox/lines/${SUPPORT}`, { is_active: false });
			await send();
			expect((await rows())[0]).toMatchObject({ line_handle: FRONT_DESK });
		});

		test('§1.7 §3.2 a send that names no line does not use a blocked one', async () => {
			const { call, send, rows } = newService();
			await call('POST', `/sandbox/lines/${FRONT_DESK}/block`, { reason: 'Spam' });
			expect((await send()).status).toBe(201);
			expect((await rows())[0]).toMatchObject({ line_handle: SUPPORT });
		});

		describe('refuses', () => {
			const refused = async (
				fields: Record<string, unknown>,
				prepare?: (call: ReturnType<typeof newService>['call']) => Promise<unknown>,
			) => {
				const { call, send, rows } = newService();
				await prepare?.(call);
				const answer = await send(fields);
				expect(await rows()).toEqual([]);
				return { status: answer.status, ...answer.body };
			};

			test.each([
				[{ content: undefined }],
				[{ content: '' }],
				[{ content: null, media_url: null }],
				[{ content: '', media_url: '' }],
			])('§7 neither content nor media: %j', async (fields) => {
				expect(await refused(fields)).toMatchObject({
					status: 422,
					message: 'content or media_url required',
				});
			});

			test.each([['5551230001'], ['+0155512300'], ['+1 555 123'], ['tel:+15551230001'], ['']])(
				'§2.1 a number that is not E.164: %p',
				async (number) => {
					expect(await refused({ number })).toMatchObject({
						status: 422,
						errors: { number: [expect.stringContaining('number')] },
					});
				},
			);

			test.each([
				[{ number: 15551230001 }, 'number'],
				[{ number: undefined }, 'number'],
				[{ content: 7 }, 'content'],
				[{ media_url: 'ftp://media.example/a' }, 'media_url'],
				[{ media_url: 'not an address' }, 'media_url'],
				[{ media_url: ['https://media.example/a'] }, 'media_url'],
				[{ line_handle: 3 }, 'line_handle'],
			])('§2.1 a field of the wrong kind: %j', async (fields, name) => {
				expect(await refused(fields)).toMatchObject({
					status: 422,
					errors: { [name]: [expect.any(String)] },
				});
			});

			test('§7 an unknown line, in the second error shape', async () => {
				expect(await refused({ line_handle: 'no-such-line' })).toEqual({
					status: 'error',
					error_message: 'Unknown or inactive line',
				});
			});

			test('§7 an inactive line', async () => {
				const answer = await refused(
					{ line_handle: SUPPORT },
					async (call) => await call('PATCH', `/sandbox/lines/${SUPPORT}`, { is_active: false }),
				);
				expect(answer).toMatchObject({ error_message: 'Unknown or inactive line' });
			});

			test('§7 a blocked line', async () => {
				const answer = await refused(
					{ line_handle: SUPPORT },
					async (call) => await call('POST', `/sandbox/lines/${SUPPORT}/block`, { reason: 'Spam' }),
				);
				expect(answer).toMatchObject({ error_message: 'Line is blocked' });
			});

			test('§7 a contact who opted out', async () => {
				const { send, text } = newService();
				await text('STOP');
				const answer = await send();
				expect(answer.status).toBe(422);
				expect(answer.body).toEqual({
					status: 'error',
					error_message: 'Contact has opted out of messages',
				});
			});

			test('§4.1 a body that is not a JSON object', async () => {
				const { sandbox, credential } = newService();
				for (const body of ['', '{"number":', 'hello', '[]', '"text"', 'null', '7']) {
					const answer = await sandbox.app.request('/v1/send-message', {
						method: 'POST',
						headers: credential,
						body,
					});
					expect(answer.status).toBe(400);
					expect(await answer.json()).toEqual({ message: expect.stringContaining('JSON') });
				}
			});

			test('§4.1 a body above a megabyte, with 413', async () => {
				expect((await newService().send({ content: 'x'.repeat(1_100_000) })).status).toBe(413);
			});
		});

		test('§7 any JSON is answered with 201 or with a refusal, never with a server error', async () => {
			const { call } = newService({ requestLimits: { all: 1e9, sendMessage: 1e9 } });
			const field = fc.oneof(fc.jsonValue(), fc.constant(CONTACT), fc.constant(FRONT_DESK));
			const body = fc.record(
				{
					number: field,
					content: field,
					media_url: field,
					line_handle: field,
					status_callback: field,
				},
				{ requiredKeys: [] },
			);
			await fc.assert(
				fc.asyncProperty(fc.oneof(body, fc.jsonValue()), async (value) => {
					const answer = await call('POST', '/v1/send-message', value);
					expect([201, 400, 422]).toContain(answer.status);
					if (answer.status !== 201) {
						expect(answer.body['message'] ?? answer.body['error_message']).toEqual(
							expect.any(String),
						);
					}
				}),
				{ numRuns: 300 },
			);
		});
	});

	describe('GET /status', () => {
		test('assumption (§4.4): the message is also found by `handle` and by the path', async () => {
			const { call, send } = newService();
			const handle = (await send()).body['message_handle'] as string;
			const { status, body } = await call('GET', `/status?message_handle=${handle}`);
			expect(status).toBe(200);
			expect((await call('GET', `/status?handle=${handle}`)).body).toEqual(body);
			expect((await call('GET', `/status/${handle}`)).body).toEqual(body);
		});

		test('§4.4 an unknown message is answered 404, a missing handle 422', async () => {
			const { call } = newService();
			expect((await call('GET', '/status?message_handle=nobody')).status).toBe(404);
			expect((await call('GET', '/status')).status).toBe(422);
		});

		test('assumption (§4.9): a path prefix moves /status, /lookup and /media, and nothing else', async () => {
			const { call, send } = newService({ pathPrefix: '/v3' });
			const handle = (await send()).body['message_handle'] as string;
			expect((await call('GET', `/v3/status?message_handle=${handle}`)).status).toBe(200);
			expect((await call('GET', `/status?message_handle=${handle}`)).status).toBe(404);
			expect((await call('GET', '/v3/lookup?number=%2B15551230001')).status).toBe(202);
			expect((await call('GET', '/v1/me')).status).toBe(200);
		});
	});
});
