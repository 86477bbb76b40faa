import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepRegistrations } from '../../playground/registrations';
import { Trouble } from '../../playground/trouble';
import { createSandbox, type Sandbox } from '../../sandbox/src';
import { temporaryFolder } from '../support/temporaryFolder';

const PAIR = { key: 'key', secret: 'secret' };
const [A, B] = ['a', 'b'].map((id) => `http://127.0.0.1:5678/webhook/${id}/webhook`) as [
	string,
	string,
];

let folder: string;
let file: string;
let urls: string[];
let signatures: Array<string | undefined>;

beforeEach(() => {
	folder = temporaryFolder();
	file = join(folder, 'registrations.json');
	urls = [];
	signatures = [];
});

/** Creates a sandbox as a start of the playground does. */
const startSandbox = (): Sandbox =>
	createSandbox({
		keyPairs: [PAIR],
		registrations: keepRegistrations(file),
		post: async ({ url, headers }) => {
			urls.push(url);
			signatures.push(headers['service-signature']);
			return { status: 200, excerpt: '' };
		},
	});

const send = async (sandbox: Sandbox, path: string, body: object) =>
	await sandbox.app.request(path, {
		method: 'POST',
		headers: { 'x-api-key': PAIR.key, 'x-api-secret': PAIR.secret },
		body: JSON.stringify(body),
	});

const register = async (sandbox: Sandbox, url: string) =>
	await send(sandbox, '/v1/account/webhooks', { url, secret: 's', events: ['receive'] });

/** Lets a customer text; returns the URLs that the event is delivered to. */
const deliverText = async (sandbox: Sandbox): Promise<string[]> => {
	await send(sandbox, '/sandbox/inbound', { from: '+15551230001', content: 'hello' });
	await sandbox.settled();
	return urls.splice(0);
};

describe('a registration', () => {
	test('is known to the sandbox of the next start, also after a reset, and signs with the same secret', async () => {
		const sandbox = startSandbox();
		await register(sandbox, A);
		// It holds a secret.
		expect(statSync(file).mode & 0o777).toBe(0o600);
		await send(sandbox, '/sandbox/reset', { keep_webhooks: true });
		expect(await deliverText(sandbox)).toEqual([A]);
		expect(await deliverText(startSandbox())).toEqual([A]);
		expect(signatures).toEqual(Array(2).fill(expect.stringMatching(/^t=\d+,v1=/)));
	});

	test('that a person removes is gone at the next start, and the others stay', async () => {
		const sandbox = startSandbox();
		await register(sandbox, A);
		await register(sandbox, B);
		const answer = await sandbox.app.request('/sandbox/webhooks');
		const { webhooks } = (await answer.json()) as { webhooks: Array<{ id: string }> };
		await sandbox.app.request(`/sandbox/webhooks/${webhooks[0]!.id}`, { method: 'DELETE' });
		expect(await deliverText(startSandbox())).toEqual([B]);
	});

	test('of an n8n that has moved to another port replaces the old one', async () => {
		const moved = A.replace('5678', '5700');
		const first = startSandbox();
		await register(first, A);
		await register(first, B);
		await register(startSandbox(), moved);
		expect(await deliverText(startSandbox())).toEqual([B, moved]);
	});

	test("of a test in n8n's editor is gone at the next start", async () => {
		const sandbox = startSandbox();
		await register(sandbox, A.replace('webhook/', 'webhook-test/'));
		expect(await deliverText(sandbox)).toHaveLength(1);
		expect(await deliverText(startSandbox())).toEqual([]);
	});

	test.each([
		'',
		'[{"url": "http://127.0',
		'{}',
		'[null]',
		'[{"url": "http://a.example", "events": ["nonsense"]}]',
		'[{"url": "file:///a", "events": ["receive"]}]',
	])('in a damaged file is a sentence for people and not an exception: %j', async (text) => {
		await register(startSandbox(), A);
		writeFileSync(file, text);
		expect(startSandbox).toThrow(Trouble);
		expect(startSandbox).toThrow('Remove the file and publish your workflows again');
		expect(readFileSync(file, 'utf8')).toBe(text);
	});
});
