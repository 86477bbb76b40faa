import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepRegistrations } from '../../playground/registrations';
import { Trouble } from '../../playground/trouble';
import { newService } from '../sandbox/service';
import { temporaryFolder } from '../support/temporaryFolder';

const A = 'http://127.0.0.1:5678/webhook/a/webhook';
const B = 'http://127.0.0.1:5678/webhook/b/webhook';

let file: string;

beforeEach(() => {
	file = join(temporaryFolder(), 'registrations.json');
});

/** Creates a sandbox as a start of the playground does. */
const startSandbox = () => {
	const service = newService({ registrations: keepRegistrations(file) });
	return {
		...service,
		register: async (url: string) => await service.register(['receive'], { url, secret: 's' }),
		/** Lets a customer text; returns the URLs that the event is delivered to, signed. */
		deliverText: async () => {
			await service.text('hello');
			await service.sandbox.settled();
			return service.posted.splice(0).map(({ url, headers }) => {
				expect(headers['service-signature']).toMatch(/^t=\d+,v1=/);
				return url;
			});
		},
	};
};

describe('a registration', () => {
	test('is known to the sandbox of the next start, also after a reset, and signs with the same secret', async () => {
		const { register, call, deliverText } = startSandbox();
		await register(A);
		// It holds a secret.
		expect(statSync(file).mode & 0o777).toBe(0o600);
		await call('POST', '/sandbox/reset', { keep_webhooks: true });
		expect(await deliverText()).toEqual([A]);
		expect(await startSandbox().deliverText()).toEqual([A]);
	});

	test('is gone after a reset that keeps none, and at the next start', async () => {
		const { register, call, deliverText } = startSandbox();
		await register(A);
		await call('POST', '/sandbox/reset', { keep_webhooks: false });
		expect(await deliverText()).toEqual([]);
		expect(await startSandbox().deliverText()).toEqual([]);
	});

	test('that a person removes is gone at the next start, and the others stay', async () => {
		const { register, call } = startSandbox();
		await register(A);
		await register(B);
		const { webhooks } = (await call('GET', '/sandbox/webhooks')).body as {
			webhooks: Array<{ id: string }>;
		};
		await call('DELETE', `/sandbox/webhooks/${webhooks[0]!.id}`);
		expect(await startSandbox().deliverText()).toEqual([B]);
	});

	test('of an n8n that has moved to another port replaces the old one', async () => {
		const moved = A.replace('5678', '5700');
		const first = startSandbox();
		await first.register(A);
		await first.register(B);
		await startSandbox().register(moved);
		expect(await startSandbox().deliverText()).toEqual([B, moved]);
	});

	test("of a test in n8n's editor is gone at the next start", async () => {
		const { register, deliverText } = startSandbox();
		await register(A.replace('webhook/', 'webhook-test/'));
		expect(await deliverText()).toHaveLength(1);
		expect(await startSandbox().deliverText()).toEqual([]);
	});

	test.each([
		'',
		'[{"url": "http://127.0',
		'{}',
		'[null]',
		'[{"url": "http://a.example", "events": ["nonsense"]}]',
		'[{"url": "file:///a", "events": ["receive"]}]',
	])('in a damaged file is a sentence for people and not an exception: %j', (text) => {
		writeFileSync(file, text);
		expect(startSandbox).toThrow(Trouble);
		expect(startSandbox).toThrow('Remove the file and publish your workflows again');
		expect(readFileSync(file, 'utf8')).toBe(text);
	});
});
