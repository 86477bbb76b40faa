import fc from 'fast-check';
import { eventIn, newService } from './service';

const URL_A = 'https://receiver.example/a';

describe('POST /v1/account/webhooks', () => {
	test('§4.7 a registered endpoint gets the events that it asked for, and no others', async () => {
		const { sandbox, register, text, send, posted } = newService();
		expect((await register(['receive'], { url: URL_A })).status).toBe(201);
		await text('Hi');
		await send();
		await sandbox.advance(10_000);
		expect(
			posted.map(({ url, body }) => [url, (JSON.parse(body) as { type: string }).type]),
		).toEqual([[URL_A, 'receive']]);
	});

	test('§2.4 every endpoint that subscribed gets the event', async () => {
		const { sandbox, register, text, posted } = newService();
		await register(['receive'], { url: URL_A });
		await register(['receive', 'outbound'], { url: 'https://receiver.example/b' });
		await text('Hi');
		await sandbox.settled();
		expect(posted.map(({ url }) => url).sort()).toEqual([URL_A, 'https://receiver.example/b']);
		expect(new Set(posted.map((request) => eventIn(request).id)).size).toBe(1);
	});

	test('assumption: registering a URL again changes its endpoint and does not add one', async () => {
		const { sandbox, register, text, posted } = newService({ character: 'generous' });
		const first = await register(['outbound'], { secret: 'old' });
		const second = await register(['receive'], { secret: 'new' });
		expect(second.status).toBe(200);
		expect(second.body).toMatchObject({ id: first.body['id'], events: ['receive'] });
		await text('Hi');
		await sandbox.settled();
		expect(posted).toHaveLength(1);
	});

	test.each([
		[{}, 'url'],
		[{ url: 'not an address', events: ['receive'] }, 'url'],
		[{ url: 'ftp://receiver.example', events: ['receive'] }, 'url'],
		[{ url: 7, events: ['receive'] }, 'url'],
		[{ url: URL_A }, 'events'],
		[{ url: URL_A, events: [] }, 'events'],
		[{ url: URL_A, events: 'receive' }, 'events'],
		[{ url: URL_A, events: ['receive', 'sneeze'] }, 'events'],
		[{ url: URL_A, events: [null] }, 'events'],
		[{ url: URL_A, events: ['receive'], secret: 5 }, 'secret'],
	])('§2.4 refuses %j because of its %s, and registers nothing', async (body, field) => {
		const { call } = newService();
		const answer = await call('POST', '/v1/account/webhooks', body);
		expect(answer.status).toBe(422);
		expect(answer.body['errors']).toEqual({ [field]: [expect.any(String)] });
		expect((await call('GET', '/sandbox/state')).body['webhooks']).toEqual([]);
	});

	test('§2.4 never answers with a server error, whatever the JSON is', async () => {
		const { call } = newService({ requestLimits: { all: 1e9 } });
		await fc.assert(
			fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (events, secret) => {
				const answer = await call('POST', '/v1/account/webhooks', { url: URL_A, events, secret });
				expect([200, 201, 422]).toContain(answer.status);
			}),
			{ numRuns: 200 },
		);
	});
});
