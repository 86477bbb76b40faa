import { START_MS, eventIn, newService } from './service';

test('§3.1 §6.1 a message has one event, when the device confirms it, with the time and the ID of that', async () => {
	const { sandbox, register, send, posted } = newService({ sentAfterMs: 300 });
	await register(['receive', 'outbound']);
	const sent = (await send()).body['message_handle'] as string;
	await sandbox.advance(299);
	expect(posted).toEqual([]);
	await sandbox.advance(100_000);
	expect(posted.map(eventIn)).toMatchObject([
		{
			created_at: new Date(START_MS + 300).toISOString().replace('Z', '+00:00'),
			data: { message: { message_handle: `msg_${sent}` } },
		},
	]);
});

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
});
