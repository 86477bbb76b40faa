import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepRegistrations } from '../../playground/registrations';
import { Trouble } from '../../playground/trouble';
import { createSandbox, type PostRequest, type Sandbox } from '../../sandbox/src';
import { temporaryFolder } from '../support/temporaryFolder';

const PAIR = { key: 'key', secret: 'secret' };

let folder: string;
let file: string;
let posts: PostRequest[];

beforeEach(() => {
	folder = temporaryFolder();
	file = join(folder, 'registrations.json');
	posts = [];
});

/** Creates a sandbox as a start of the playground does. */
const startSandbox = async (): Promise<Sandbox> =>
	createSandbox({
		keyPairs: [PAIR],
		registrations: keepRegistrations(file),
		post: async (request) => {
			posts.push(request);
			return { status: 200, excerpt: '' };
		},
	});

const send = async (sandbox: Sandbox, path: string, body: object, pair = PAIR) =>
	await sandbox.app.fetch(
		new Request(`http://sandbox${path}`, {
			method: 'POST',
			headers: {
				'x-api-key': pair.key,
				'x-api-secret': pair.secret,
				'content-type': 'application/json',
			},
			body: JSON.stringify(body),
		}),
	);

const register = async (sandbox: Sandbox, url: string, pair = PAIR) =>
	await send(sandbox, '/v1/account/webhooks', { url, secret: 's', events: ['receive'] }, pair);

/** Lets a customer text; returns the URLs that the event is delivered to. */
const deliverText = async (sandbox: Sandbox): Promise<string[]> => {
	await send(sandbox, '/sandbox/inbound', { from: '+15551230001', content: 'hello' });
	await sandbox.settled();
	return posts.splice(0).map(({ url }) => url);
};

describe('a registration', () => {
	test('is known to the sandbox of the next start, which signs with the same secret', async () => {
		await register(await startSandbox(), 'http://127.0.0.1:5678/webhook/a/webhook');
		// It holds a secret.
		expect(statSync(file).mode & 0o777).toBe(0o600);
		const next = await startSandbox();
		await send(next, '/sandbox/inbound', { from: '+15551230001', content: 'hello' });
		await next.settled();
		expect(posts).toMatchObject([
			{
				url: 'http://127.0.0.1:5678/webhook/a/webhook',
				headers: { 'service-signature': expect.stringMatching(/^t=\d+,v1=/) as string },
			},
		]);
	});

	test('comes once after a reset that keeps the webhooks', async () => {
		const sandbox = await startSandbox();
		await register(sandbox, 'http://127.0.0.1:5678/webhook/a/webhook');
		await send(sandbox, '/sandbox/reset', { keep_webhooks: true });
		expect(await deliverText(sandbox)).toEqual(['http://127.0.0.1:5678/webhook/a/webhook']);
	});

	test('that a person removes is gone, at the next start too, and the others stay', async () => {
		const sandbox = await startSandbox();
		await register(sandbox, 'http://127.0.0.1:5678/webhook/a/webhook');
		await register(sandbox, 'http://127.0.0.1:5678/webhook/b/webhook');
		const answer = await sandbox.app.request('/sandbox/webhooks');
		const { webhooks } = (await answer.json()) as { webhooks: Array<{ id: string }> };
		await sandbox.app.request(`/sandbox/webhooks/${webhooks[0]!.id}`, { method: 'DELETE' });
		expect(await deliverText(sandbox)).toEqual(['http://127.0.0.1:5678/webhook/b/webhook']);
		expect(await deliverText(await startSandbox())).toEqual([
			'http://127.0.0.1:5678/webhook/b/webhook',
		]);
	});

	test('of an n8n that has moved to another port replaces the old one', async () => {
		const first = await startSandbox();
		await register(first, 'http://127.0.0.1:5678/webhook/a/webhook');
		await register(first, 'http://127.0.0.1:5678/webhook/b/webhook');
		await register(await startSandbox(), 'http://127.0.0.1:5700/webhook/a/webhook');
		expect(await deliverText(await startSandbox())).toEqual([
			'http://127.0.0.1:5678/webhook/b/webhook',
			'http://127.0.0.1:5700/webhook/a/webhook',
		]);
	});

	test("of a test in n8n's editor is gone at the next start", async () => {
		const sandbox = await startSandbox();
		await register(sandbox, 'http://127.0.0.1:5678/webhook-test/a/webhook');
		expect(await deliverText(sandbox)).toHaveLength(1);
		expect(await deliverText(await startSandbox())).toEqual([]);
	});

	test.each([
		'',
		'[{"url": "http://127.0',
		'{}',
		'[null]',
		'[{"url": "http://a.example", "events": ["nonsense"]}]',
		'[{"url": "file:///a", "events": ["receive"]}]',
	])('in a damaged file is a sentence for people and not an exception: %j', async (text) => {
		await register(await startSandbox(), 'http://127.0.0.1:5678/webhook/a/webhook');
		writeFileSync(file, text);
		await expect(startSandbox()).rejects.toThrow(Trouble);
		await expect(startSandbox()).rejects.toThrow(
			'Remove the file and publish your workflows again',
		);
		expect(readFileSync(file, 'utf8')).toBe(text);
	});
});
