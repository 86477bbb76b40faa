import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createSandbox, serve, type Sandbox, type Served } from '../../sandbox/src';
import { HostNames } from '../../sandbox/src/hostNames';
import { CONTACT } from './service';

const KEY_PAIR = { key: 'key', secret: 'secret' };

let sandbox: Sandbox;
let served: Served;

beforeEach(async () => {
	sandbox = createSandbox({ keyPairs: [KEY_PAIR] });
	served = await serve(sandbox, { allowedHosts: ['sandbox', 'box.lan'] });
});

afterEach(async () => await served.close());

/** Makes a request as a browser does that has this name in its address bar. */
const ask = async (host: string, method: string, path: string, body?: object) => {
	const { key, secret } = KEY_PAIR;
	const hostAndPort = `${host}:${new URL(served.url).port}`;
	const headers = { host: hostAndPort, 'x-api-key': key, 'x-api-secret': secret };
	const asked = request(served.url + path, { method, headers });
	asked.end(body && JSON.stringify(body));
	const [response] = (await once(asked, 'response')) as [IncomingMessage];
	// A stream of events does not end by itself.
	const isEndless = response.headers['content-type']?.includes('event-stream');
	const said = isEndless ? '' : await text(response);
	if (isEndless) asked.destroy();
	return { status: response.statusCode, body: said };
};

const PATHS: Array<[string, string, object | undefined]> = [
	['GET', '/', undefined],
	['GET', '/phone/main.js', undefined],
	['GET', '/sandbox/state', undefined],
	['GET', '/sandbox/events', undefined],
	['POST', '/sandbox/inbound', { from: CONTACT, content: 'Hi' }],
	['GET', '/v1/me', undefined],
	['GET', '/v2/messages', undefined],
	['POST', '/v1/send-message', { number: CONTACT, content: 'Hi' }],
	['OPTIONS', '/v1/me', undefined],
];

describe('Who calls the sandbox by another name than its own', () => {
	test('gets nothing, makes nobody text and sends nothing', async () => {
		for (const [method, path, body] of PATHS) {
			const answer = await ask('evil.example', method, path, body);
			expect([path, answer.status]).toEqual([path, 403]);
			expect(JSON.parse(answer.body)).toEqual({
				message:
					'The sandbox does not answer to the name "evil.example". If it is yours, start it with --allow-host evil.example.',
			});
		}
		const answer = await sandbox.app.request('/sandbox/messages');
		expect(await answer.json()).toEqual({ messages: [], before: null });
	});

	test.each([
		[403, ['localhost.evil.example', '127.0.0.1.evil.example', '192.168.1.5']],
		[403, ['notsandbox', 'box.lan.evil.example']],
		[200, ['localhost', '127.0.0.1', 'sandbox', 'box.lan']],
	])('is answered %i where that is one of %j', async (status, hosts) => {
		for (const host of hosts) {
			expect([host, (await ask(host, 'GET', '/sandbox/state')).status]).toEqual([host, status]);
		}
	});

	test('is answered under the host that listens, and under any address where every address does', () => {
		const lan = new HostNames('192.168.1.5', []);
		expect(lan.include('http://192.168.1.5:4010/')).toBe(true);
		expect(lan.include('http://192.168.1.6:4010/')).toBe(false);
		expect(new HostNames('box.lan', []).include('http://BOX.lan:4010/v1/me')).toBe(true);
		for (const every of ['0.0.0.0', '::']) {
			const names = new HostNames(every, []);
			expect(names.include('http://192.168.1.5:4010/')).toBe(true);
			expect(names.include('http://[fe80::1]:4010/')).toBe(true);
			expect(names.include('http://evil.example:4010/')).toBe(false);
		}
	});
});
