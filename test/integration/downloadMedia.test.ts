import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CHARACTER_NAMES, NO_REQUEST_LIMITS } from '../../sandbox/src';
import { PICTURE, withPicture } from '../support/picture';
import { TestService } from '../support/service';
import { fastMemory } from '../support/testClock';

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

const MEGABYTE = 1024 * 1024;

/** A server with files; it remembers what was asked and with which key. */
async function startServer(serve: Serve) {
	const asked: Array<{ path: string; key?: unknown; secret?: unknown }> = [];
	const server = createServer((request, response) => {
		const { 'x-api-key': key, 'x-api-secret': secret } = request.headers;
		asked.push({ path: request.url ?? '', ...(key && { key }), ...(secret && { secret }) });
		serve(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		asked,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

let service: TestService;
const started: Array<{ stop: () => Promise<void> }> = [];

const server = async (serve: Serve) => {
	const one = await startServer(serve);
	started.push(one);
	return one;
};

const start = async (options: Parameters<typeof TestService.start>[0] = {}) => {
	service = await TestService.start({
		requestLimits: NO_REQUEST_LIMITS,
		memory: fastMemory(),
		...options,
	});
};

afterEach(async () => {
	for (const one of started.splice(0)) await one.stop();
	await service.stop();
});

const download = async (
	mediaUrl: string,
	parameters: INodeParameters = {},
	engine = service.engine,
) =>
	await service.run(
		{
			parameters: { resource: 'media', operation: 'download', mediaUrl, ...parameters },
			items: [{ media_url: mediaUrl }],
		},
		engine,
	);

const served: Serve = (_, response) => {
	response.writeHead(200, { 'content-type': 'image/svg+xml' });
	response.end(PICTURE);
};

/** Serves a file of so many bytes. */
const sized =
	(bytes: number): Serve =>
	(_, response) => {
		response.writeHead(200, { 'content-type': 'video/mp4' });
		response.end(Buffer.alloc(bytes));
	};

describe.each(CHARACTER_NAMES)('Media: Download, with a service that is %s', (character) => {
	beforeEach(async () => await start({ character }));

	test('§4.8 gets the file that was uploaded', async () => {
		const run = await service.engine.runWorkflow({
			nodes: [
				{
					...{ type: 'twoWayMessaging', name: 'Upload' },
					parameters: { resource: 'media', operation: 'upload' },
				},
				{
					...{ type: 'twoWayMessaging', name: 'Node' },
					parameters: { resource: 'media', operation: 'download' },
				},
			],
			items: withPicture(),
		});

		const [item] = run.items('Node');
		expect(item?.binary?.data).toMatchObject({
			mimeType: 'image/svg+xml',
			data: PICTURE.toString('base64'),
			fileName: expect.stringMatching(/^[\w-]+\.svg$/),
		});
		expect(item?.json).toMatchObject({ mime_type: 'image/svg+xml', size_bytes: PICTURE.length });
		expect(item?.pairedItem).toEqual({ item: 0 });
	});
});

describe('Media: Download', () => {
	beforeEach(async () => await start());

	test('puts the file in the field that is named', async () => {
		const { url } = await server(served);

		const run = await download(`${url}/a.svg`, { binaryPropertyName: 'picture' });

		expect(Object.keys(run.items('Node')[0]?.binary ?? {})).toEqual(['picture']);
	});

	describe('the key pair', () => {
		/** A service that has files itself, and an engine whose credential names it. */
		const serviceWith = async (serve: Serve) => {
			const own = await server(serve);
			const credential = service.credential({ baseUrl: `${own.url}/api` });
			const keys = { key: credential.apiKey, secret: credential.apiSecret };
			return { own, keys, engine: service.engineWith(credential) };
		};

		test('goes to the service’s own host', async () => {
			const { own, keys, engine } = await serviceWith(served);

			await download(`${own.url}/files/a.svg`, {}, engine);

			expect(own.asked).toEqual([{ path: '/files/a.svg', ...keys }]);
		});

		test('goes to no other host', async () => {
			const { engine } = await serviceWith(served);
			const other = await server(served);

			const run = await download(`${other.url}/a.svg`, {}, engine);

			expect(run.status).toBe('success');
			expect(other.asked).toEqual([{ path: '/a.svg' }]);
		});

		test('goes to no other host that the service’s own host leads to', async () => {
			const other = await server(served);
			const { own, keys, engine } = await serviceWith((_, response) => {
				response.writeHead(302, { location: `${other.url}/a.svg` }).end();
			});

			const run = await download(`${own.url}/files/a.svg`, {}, engine);

			expect(run.status).toBe('success');
			expect(own.asked).toEqual([{ path: '/files/a.svg', ...keys }]);
			expect(other.asked).toEqual([{ path: '/a.svg' }]);
		});

		test('does not go where another host leads back to the service', async () => {
			const { own, engine } = await serviceWith(served);
			const other = await server((_, response) => {
				response.writeHead(302, { location: `${own.url}/files/a.svg` }).end();
			});

			await download(`${other.url}/a.svg`, {}, engine);

			expect(own.asked).toEqual([{ path: '/files/a.svg' }]);
		});

		test.each(['/v2/messages', '/v1/lines', '/lookup?number=1', '/x/..%2fv2/messages'])(
			'opens no endpoint of the service: %s',
			async (path) => {
				const { own, engine } = await serviceWith(served);

				await download(`${own.url}/api${path}`, {}, engine);

				expect(own.asked).toEqual([{ path: `/api${path}` }]);
			},
		);
	});

	test.each<[string, (secret: string) => Record<string, string>]>([
		['the URL that it leads on to', () => ({})],
		[
			'an escaped name',
			(secret) => ({
				'content-disposition': `attachment; filename*=UTF-8''${[...secret].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('')}.jpg`,
			}),
		],
		[
			'a name with a character that is taken away',
			(secret) => ({
				'content-disposition': `attachment; filename="${secret.slice(0, 5)}:${secret.slice(5)}.jpg"`,
			}),
		],
	])(
		'puts no secret into the name of a file that a server repeats in %s',
		async (_, headersFor) => {
			const secret = String(service.credential().apiSecret);
			const { url } = await server((request, response) => {
				if (request.url === '/a.svg') {
					response.writeHead(302, { location: `/media/${secret}.jpg` }).end();
				} else response.writeHead(200, headersFor(secret)).end('a file');
			});

			const [item] = (await download(`${url}/a.svg`)).items('Node');

			expect(item?.json.file_name).toBe('•••.jpg');
			expect(item?.binary?.data?.fileName).toBe('•••.jpg');
		},
	);

	describe('a file that is too large', () => {
		const LARGEST = { options: { maxMegabytes: 1 } };

		test('is not read where the server says how large it is', async () => {
			const { url } = await server((_, response) => {
				response.writeHead(200, { 'content-length': String(2 * MEGABYTE) });
				response.write('x');
			});

			const run = await download(url, LARGEST);

			expect(run.error?.message).toBe('The file is larger than 1 MB');
		});

		test('is read no further than allowed where the server does not say', async () => {
			let written = 0;
			const { url } = await server((_, response) => {
				const more = () => {
					while (!response.destroyed && written < 500 * MEGABYTE) {
						written += 64 * 1024;
						if (!response.write(Buffer.alloc(64 * 1024))) {
							response.once('drain', more);
							return;
						}
					}
					response.end();
				};
				more();
			});

			const run = await download(url, LARGEST);

			expect(run.error?.message).toBe('The file is larger than 1 MB');
			expect(written).toBeLessThan(50 * MEGABYTE);
		});

		test('is one that is larger by a byte', async () => {
			const { url } = await server(sized(MEGABYTE + 1));
			const { url: fitting } = await server(sized(MEGABYTE));

			expect((await download(url, LARGEST)).status).toBe('error');
			expect((await download(fitting, LARGEST)).status).toBe('success');
		});
	});

	test.each([
		[404, 'The file is not there any more (status 404)'],
		[403, 'The server that has the file does not give it to the node (status 403)'],
		[500, 'The server that has the file answered with status 500'],
		[204.5, 'The URL of the file leads on to other URLs too often'],
	])('says what is wrong with a file that is answered with %s', async (status, message) => {
		const { url } = await server((_, response) => {
			const isLoop = !Number.isInteger(status);
			response.writeHead(isLoop ? 302 : status, isLoop ? { location: '/again' } : {}).end();
		});

		const { error } = await download(`${url}/a.svg`);

		expect(error?.message).toBe(message);
		expect(error?.description).toContain(`${url}/a.svg`);
	});

	describe('what comes as JSON', () => {
		const json: Serve = (_, response) => {
			response.writeHead(200, { 'content-type': 'application/vnd.api+json; charset=utf-8' });
			response.end('{"contacts":[]}');
		};

		test('for the key pair is no file, as an endpoint may have answered that nobody knows of', async () => {
			const { url, asked } = await server(json);
			const own = service.engineWith(service.credential({ baseUrl: url }));

			const { error, items } = await download(`${url}/v3/contacts`, {}, own);

			expect(asked).toEqual([expect.objectContaining({ key: expect.any(String) as string })]);
			expect(error?.message).toBe('The URL leads to data of the service, and not to a file');
			expect(items('Node')).toEqual([]);
		});

		test('without the key pair is a file like any other, as everybody can read it', async () => {
			const { url } = await server(json);
			expect((await download(`${url}/a.json`)).status).toBe('success');
		});
	});

	test('follows five redirects and no more', async () => {
		const other = await server((_, response) => {
			response.writeHead(302, { location: '/again' }).end();
		});

		await download(`${other.url}/a.svg`);

		expect(other.asked).toHaveLength(6);
	});

	test.each([
		['a server that is away', 'http://127.0.0.1:9/a.svg'],
		['a host that does not exist', 'http://nobody.invalid/a.svg'],
	])('says that there is no answer from %s', async (_, url) => {
		const { error } = await download(url);

		expect(error?.message).toBe('The server that has the file did not answer');
	});

	/** Starts a node that waits so long for an answer. */
	const restart = async (answerTimeoutMs: number) => {
		await service.stop();
		await start({ memory: fastMemory(answerTimeoutMs) });
	};

	const FEW_BYTES = { options: { maxMegabytes: 0.01 } };

	test('does not wait for ever for a server that says nothing', async () => {
		await restart(200);
		const silent = await server(() => {});

		expect((await download(silent.url, FEW_BYTES)).error?.message).toBe(
			'The server that has the file did not answer',
		);
	});

	test('ends a file that only drips, and does not ask for it again', async () => {
		await restart(400);
		const dripping = await server((_, response) => {
			const drip = setInterval(() => response.write('x'), 20);
			response.on('close', () => clearInterval(drip));
		});

		expect((await download(dripping.url, FEW_BYTES)).error?.message).toBe(
			'The file did not arrive in time',
		);
		expect(dripping.asked).toHaveLength(1);
	});

	test('ends all tries together after three times an answer’s time and that of the largest file', async () => {
		await restart(200);
		const slow = await server((_, response) => {
			setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 150);
		});
		const startedMs = Date.now();

		const { error } = await download(slow.url, FEW_BYTES);

		expect(error?.message).toBe('The server that has the file did not answer');
		// Three tries of six answers each would take 2.7 seconds.
		expect(Date.now() - startedMs).toBeLessThan(2_000);
		expect(slow.asked.length).toBeLessThan(8);
	});

	test('does not wait for a server that asks for longer than is left', async () => {
		await restart(1_000);
		const { url, asked } = await server((_, response) => {
			response.writeHead(429, { 'retry-after': '30' }).end();
		});

		expect((await download(url, FEW_BYTES)).error?.message).toBe(
			'The server that has the file answered with status 429',
		);
		expect(asked).toHaveLength(1);
	});

	test('tries again where a server stumbles or asks to wait', async () => {
		let tries = 0;
		const { url } = await server((request, response) => {
			tries += 1;
			if (tries === 1) response.writeHead(503).end();
			else if (tries === 2) response.writeHead(429, { 'retry-after': '2' }).end();
			else served(request, response);
		});

		expect((await download(url)).status).toBe('success');
		expect(tries).toBe(3);
	});

	test.each([
		['ftp://a.example/a.svg', 'Media URL “ftp://a.example/a.svg” is not a complete URL'],
		['file:///etc/passwd', 'Media URL “file:///etc/passwd” is not a complete URL'],
		['={{ $json.nothing }}', 'Media URL is empty'],
	])('refuses %s', async (mediaUrl, message) => {
		expect((await download(mediaUrl)).error?.message).toBe(message);
	});

	test.each(['file:///etc/passwd', 'ftp://a.example/a'])('is not led to %s', async (location) => {
		const { url } = await server((_, response) => response.writeHead(302, { location }).end());

		expect((await download(url)).error?.message).toBe(
			'The file is not on the web: its URL has to begin with https://',
		);
	});

	test('names the item whose file it cannot get, and gets the others', async () => {
		const { url } = await server(({ url: path }, response) => {
			if (path === '/gone') response.writeHead(404).end();
			else response.end('a file');
		});

		const { items } = await service.run({
			parameters: { resource: 'media', operation: 'download' },
			items: [{ media_url: `${url}/gone` }, { media_url: `${url}/a.txt` }] as IDataObject[],
			node: { onError: 'continueRegularOutput' },
		});

		expect(items('Node').map(({ json }) => json.error ?? json.file_name)).toEqual([
			'The file is not there any more (status 404)',
			'a.txt',
		]);
	});

	test('says of a text without a picture that it has none, and goes on with the others', async () => {
		const { url } = await server((_, response) => response.end('a file'));
		const text = { message_handle: 'm1', from: '+15551230001', content: 'Thanks!' };

		const run = await service.run({
			parameters: { resource: 'media', operation: 'download' },
			items: [text, { ...text, media_url: null }, { ...text, media_url: `${url}/a.txt` }],
		});

		expect(run.json('Node')).toEqual([
			{ note: 'This message has no picture' },
			{ note: 'This message has no picture' },
			expect.objectContaining({ file_name: 'a.txt' }),
		]);
		expect(run.data.Node?.[0]?.hints).toMatchObject([{ message: 'This message has no picture' }]);
	});

	test('refuses an item that is no message and has no URL', async () => {
		const parameters = { resource: 'media', operation: 'download' };
		const run = await service.run({ parameters, items: [{ picture: 'https://a.example/a' }] });
		expect(run.nodeError('Node')?.message).toBe('Media URL is empty');
	});
});
