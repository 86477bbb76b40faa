import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { postOverHttp } from '../../sandbox/src/webhooks/post';

const stops: Array<() => Promise<void>> = [];

afterEach(async () => {
	await Promise.all(stops.splice(0).map(async (stop) => await stop()));
});

/** Starts a receiver on a free port; returns its URL. */
const receiver = async (listener: RequestListener): Promise<string> => {
	const server = createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	stops.push(
		async () =>
			await new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	);
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
};

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
	const chunks: Buffer[] = [];
	for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
	return Buffer.concat(chunks);
};

const post = postOverHttp();
const postTo = async (
	url: string,
	{ timeoutMs = 5_000, signal = new AbortController().signal } = {},
) =>
	await post({
		url,
		headers: { 'content-type': 'application/json', 'service-signature': 't=1,v1=ab' },
		body: '{"text":"Grüße \u2028 👋"}',
		timeoutMs,
		signal,
	});

describe('Posting over HTTP', () => {
	test('§6.4 sends one POST with exactly the signed bytes and the signature', async () => {
		const received: Array<[IncomingMessage, Buffer]> = [];
		const url = await receiver(async (request, response) => {
			received.push([request, await bodyOf(request)]);
			response.writeHead(202).end('thanks');
		});
		expect(await postTo(url)).toEqual({ status: 202, excerpt: 'thanks' });
		expect(received).toHaveLength(1);
		const [request, body] = received[0]!;
		expect([request.method, request.url]).toEqual(['POST', '/hook']);
		expect(request.headers).toMatchObject({
			'content-type': 'application/json',
			'service-signature': 't=1,v1=ab',
		});
		expect(body).toEqual(Buffer.from('{"text":"Grüße \u2028 👋"}', 'utf8'));
	});

	test('§6.4 does not follow a redirect', async () => {
		const paths: Array<string | undefined> = [];
		const url = await receiver((request, response) => {
			paths.push(request.url);
			response.writeHead(302, { location: '/elsewhere' }).end();
		});
		expect((await postTo(url)).status).toBe(302);
		expect(paths).toEqual(['/hook']);
	});

	test('§6.4 times out when a receiver does not answer', async () => {
		const url = await receiver(() => {});
		await expect(postTo(url, { timeoutMs: 50 })).rejects.toThrow('no answer within 0.05 s');
	});

	test('says in plain words that a receiver cannot be reached or closes the connection', async () => {
		const gone = await receiver(() => {});
		await stops.pop()!();
		await expect(postTo(gone)).rejects.toThrow('the connection was refused');
		const cut = await receiver((request) => request.socket.resetAndDestroy());
		await expect(postTo(cut)).rejects.toThrow('the connection was reset');
	});

	test('§6.4 keeps only the beginning of an answer, and does not read an endless one to its end', async () => {
		const url = await receiver((_request, response) => {
			response.writeHead(200);
			const more = () => {
				while (response.write('x'.repeat(16_384)));
				response.once('drain', more);
			};
			more();
		});
		const { status, excerpt } = await postTo(url);
		expect(status).toBe(200);
		expect(excerpt).toBe('x'.repeat(1_024));
	});
});
