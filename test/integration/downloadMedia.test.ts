import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { CHARACTER_NAMES, NO_REQUEST_LIMITS } from '../../sandbox/src';
import { PICTURE, withPicture } from '../support/picture';
import { serviceInEachTest } from '../support/service';
import { startStub, type StubAnswer } from '../support/stub';
import { fastMemory, SkippingClock } from '../support/testClock';

const MEGABYTE = 1024 * 1024;
const DOWNLOAD = { resource: 'media', operation: 'download' };

const kindOfService = (answerTimeoutMs?: number) => ({
	...{ requestLimits: NO_REQUEST_LIMITS, memory: fastMemory(answerTimeoutMs) },
});
const service = serviceInEachTest(kindOfService);

const stubs: Array<Awaited<ReturnType<typeof startStub>>> = [];
afterEach(async () => {
	for (const { stop } of stubs.splice(0)) await stop();
});

/** A server with files; it remembers what was asked and with which key. */
const server = async (answer: Parameters<typeof startStub>[0]) => {
	const asked: Array<{ path: string; key?: unknown; secret?: unknown }> = [];
	const stub = await startStub((request) => {
		const { 'x-api-key': key, 'x-api-secret': secret } = request.headers;
		asked.push({ path: request.path, ...(key && { key }), ...(secret && { secret }) });
		return answer(request);
	});
	stubs.push(stub);
	return { url: stub.url, asked };
};

const download = async (
	mediaUrl: string,
	parameters: INodeParameters = {},
	engine = service.engine,
) => {
	const items = [{ media_url: mediaUrl }];
	return await service.run({ parameters: { ...DOWNLOAD, mediaUrl, ...parameters }, items }, engine);
};

/** Answers every request in this way. */
const says =
	(status: number, headers: Record<string, string> = {}, ...parts: Buffer[]) =>
	(): StubAnswer => ({ status, headers, body: Readable.from(parts) });

const served = says(200, { 'content-type': 'image/svg+xml' }, PICTURE);

describe.each(CHARACTER_NAMES)('Media: Download, with a service that is %s', (character) => {
	beforeEach(async () => await service.begin({ ...kindOfService(), character }));

	test('§4.8 gets the file that was uploaded', async () => {
		const run = await service.engine.runWorkflow({
			nodes: [
				{ type: 'twoWayMessaging', name: 'Up', parameters: { ...DOWNLOAD, operation: 'upload' } },
				{ type: 'twoWayMessaging', name: 'Node', parameters: DOWNLOAD },
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
	test('puts the file in the field that is named', async () => {
		const { url } = await server(served);

		const run = await download(`${url}/a.svg`, { binaryPropertyName: 'picture' });

		expect(Object.keys(run.items('Node')[0]?.binary ?? {})).toEqual(['picture']);
	});

	describe('the key pair', () => {
		/** A service that has files itself, and an engine whose credential names it. */
		const serviceWith = async (serve: Parameters<typeof server>[0]) => {
			const own = await server(serve);
			const credential = service.credential({ baseUrl: `${own.url}/api` });
			const keys = { key: credential.apiKey, secret: credential.apiSecret };
			return { own, keys, engine: service.engineWith(credential) };
		};

		test('goes to the service’s own host, and to no other that it leads to', async () => {
			const other = await server(served);
			const redirect = says(302, { location: `${other.url}/a.svg` });
			const { own, keys, engine } = await serviceWith(redirect);

			const run = await download(`${own.url}/files/a.svg`, {}, engine);

			expect(run.status).toBe('success');
			expect(own.asked).toEqual([{ path: '/files/a.svg', ...keys }]);
			expect(other.asked).toEqual([{ path: '/a.svg' }]);
		});

		test('goes to no other host, nor where that leads back to the service', async () => {
			const { own, engine } = await serviceWith(served);
			const other = await server(says(302, { location: `${own.url}/files/a.svg` }));

			const run = await download(`${other.url}/a.svg`, {}, engine);

			expect(run.status).toBe('success');
			expect(other.asked).toEqual([{ path: '/a.svg' }]);
			expect(own.asked).toEqual([{ path: '/files/a.svg' }]);
		});

		test('opens no endpoint of the service', async () => {
			const { own, engine } = await serviceWith(served);
			await download(`${own.url}/api/v2/messages`, {}, engine);
			expect(own.asked).toEqual([{ path: '/api/v2/messages' }]);
		});

		test('opens no JSON, as an endpoint may have answered that nobody knows of', async () => {
			const { own, keys, engine } = await serviceWith(
				says(200, { 'content-type': 'application/vnd.api+json' }, Buffer.from('{"contacts":[]}')),
			);

			const { error, items } = await download(`${own.url}/v3/contacts`, {}, engine);

			expect(own.asked).toEqual([{ path: '/v3/contacts', ...keys }]);
			expect(error?.message).toBe('The URL leads to data of the service, and not to a file');
			expect(items('Node')).toEqual([]);
		});
	});

	describe('a file that is too large', () => {
		const LARGEST = { options: { maxMegabytes: 1 } };

		test('is not read where the server says how large it is', async () => {
			const headers = { 'content-length': String(2 * MEGABYTE) };
			const body = new Readable({ read() {} });
			body.push('x');
			const { url } = await server(() => ({ headers, body }));

			expect((await download(url, LARGEST)).error?.message).toBe('The file is larger than 1 MB');
		});

		test('is read no further than allowed where the server does not say', async () => {
			let written = 0;
			const endless = new Readable({
				read() {
					written += 64 * 1024;
					this.push(written < 500 * MEGABYTE ? Buffer.alloc(64 * 1024) : null);
				},
			});
			const { url } = await server(() => ({ body: endless }));

			expect((await download(url, LARGEST)).error?.message).toBe('The file is larger than 1 MB');
			expect(written).toBeLessThan(50 * MEGABYTE);
		});

		test('is one that is larger by a byte', async () => {
			const fitting = await server(says(200, {}, Buffer.alloc(MEGABYTE)));
			const large = await server(says(200, {}, Buffer.alloc(MEGABYTE + 1)));

			expect((await download(fitting.url, LARGEST)).status).toBe('success');
			expect((await download(large.url, LARGEST)).status).toBe('error');
		});
	});

	test.each([
		[404, {}, 'The file is not there any more (status 404)'],
		[403, {}, 'The server that has the file answered with status 403'],
		[500, {}, 'The server that has the file answered with status 500'],
		[302, { location: '/again' }, 'The server that has the file did not answer'],
		[302, { location: 'file:///a' }, 'The server that has the file did not answer'],
	])(
		'says what is wrong with a file that is answered with %s, %j',
		async (status, headers, message) => {
			const { url } = await server(says(status, headers));

			const { error } = await download(`${url}/a.svg`);

			expect(error?.message).toBe(message);
			expect(error?.description).toContain(`${url}/a.svg`);
		},
	);

	test.each([
		['ftp://a.example/a.svg', 'Media URL “ftp://a.example/a.svg” is not a web address'],
		['={{ $json.nothing }}', 'Media URL is empty'],
		['http://127.0.0.1:9/a.svg', 'The server that has the file did not answer'],
	])('says what is wrong with %s', async (mediaUrl, message) => {
		expect((await download(mediaUrl)).error?.message).toBe(message);
	});

	test('does not wait for ever for a server that says nothing', async () => {
		await service.begin(kindOfService(200));
		const silent = await server(async () => await new Promise(() => {}));

		const { error } = await download(silent.url, { options: { maxMegabytes: 0.01 } });

		expect(error?.message).toBe('The server that has the file did not answer');
	});

	test('ends a file that only drips, and does not ask for it again', async () => {
		await service.begin(kindOfService(400));
		const drip = async function* () {
			for (let drops = 0; drops < 500; drops += 1) yield await pause(20, 'x');
		};
		const dripping = await server(() => ({ body: Readable.from(drip()) }));

		const { error } = await download(dripping.url, { options: { maxMegabytes: 0.01 } });

		expect(error?.message).toBe('The file did not arrive in time');
		expect(dripping.asked).toHaveLength(1);
	});

	test('tries again where a server stumbles or is asked too often, no sooner than it says', async () => {
		const clock = new SkippingClock();
		await service.begin({ memory: new ProcessMemory(clock) });
		const answers = [says(503), says(429, { 'retry-after': '40' }), served];
		const { url, asked } = await server(() => answers[asked.length - 1]!());

		expect((await download(url)).status).toBe('success');
		expect(asked).toHaveLength(3);
		expect(clock.ms).toBe(41_000);
	});

	test('names the item whose file it cannot get, and gets the others', async () => {
		const { url } = await server(({ path }) => says(path === '/gone' ? 404 : 200)());

		const { json } = await service.run({
			parameters: DOWNLOAD,
			items: [{ media_url: `${url}/gone` }, { media_url: `${url}/a.txt` }],
			node: { onError: 'continueRegularOutput' },
		});

		expect(json('Node').map(({ error_message: error, file_name: name }) => error ?? name)).toEqual([
			'The file is not there any more (status 404)',
			'a.txt',
		]);
	});

	test('says of a text without a picture that it has none, and goes on with the others', async () => {
		const { url } = await server(served);
		const text = { message_handle: 'm1', from: '+15551230001', content: 'Thanks!' };

		const run = await service.run({
			parameters: DOWNLOAD,
			items: [text, { ...text, media_url: null }, { ...text, media_url: `${url}/a.svg` }],
		});

		expect(run.json('Node')).toEqual([
			{ note: 'This message has no picture' },
			{ note: 'This message has no picture' },
			expect.objectContaining({ file_name: 'a.svg' }),
		]);
		expect(run.data.Node?.[0]?.hints).toMatchObject([
			{ message: expect.stringMatching(/no picture.*put a Filter/) as string },
		]);
	});
});
