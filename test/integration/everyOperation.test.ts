import type { INodeParameters } from 'n8n-workflow';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { startStub } from '../support/stub';
import { PICTURE, withPicture } from '../support/picture';
import { TestService } from '../support/service';

/* What a person relies on with every operation: waits end, files arrive, n8n's own settings work. */

const SEND = { resource: 'message', operation: 'send', number: '+15551230001', content: 'hello' };

let service: TestService;

afterEach(async () => {
	await service.stop();
});

describe('a cancelled execution', () => {
	beforeEach(async () => {
		service = await TestService.start({ sentAfterMs: 600_000, lookupAfterMs: 600_000 });
	});

	test.each([
		['§8.1 the time that a rate limit names', SEND, 0, PATHS.sendMessage],
		[
			'the status of a message',
			{ ...SEND, options: { waitFor: 'sent', waitSeconds: 600 } },
			// Both messages leave before the wait begins.
			2,
			undefined,
		],
		[
			'§4.6 a look-up',
			{
				resource: 'number',
				operation: 'lookup',
				number: '+15551230001',
				options: { waitSeconds: 600 },
			},
			0,
			undefined,
		],
	])('ends at once while it waits for %s', async (_what, parameters, sent, limitedPath) => {
		if (limitedPath) {
			await service.fault(limitedPath, 'refuse-429', 1, { retry_after_seconds: 600 });
		}
		const stop = new AbortController();
		const running = service.run({
			parameters,
			signal: stop.signal,
			// Continue On Fail must not turn the cancellation into an item and go on.
			node: { onError: 'continueRegularOutput' },
			items: [{}, {}],
		});
		const calls = async () => (await service.accepted()).length;
		await new Promise((resolve) => setTimeout(resolve, 300));
		stop.abort();

		const run = await running;
		const sentByThen = await calls();

		expect(run.status).toBe('canceled');
		expect(run.json('Node').filter((item) => 'error' in item)).toEqual([]);
		expect(sentByThen).toBe(sent);
	});
});

describe('media', () => {
	beforeEach(async () => {
		service = await TestService.start();
	});

	const runWithPicture = async (parameters: INodeParameters) =>
		await service.engine.runWorkflow({
			nodes: [{ type: 'twoWayMessaging', name: 'Node', parameters }],
			items: withPicture(),
		});

	test('§4.8 from a binary field is uploaded byte for byte, and its URL is sent', async () => {
		const run = await runWithPicture({ ...SEND, media: 'binary', binaryPropertyName: 'data' });

		const [row] = (await service.accepted()) as Array<{ media_url?: string }>;
		const served = await service.control.get(String(row?.media_url), {
			responseType: 'arraybuffer',
		});
		expect(run.nodeError('Node')).toBeUndefined();
		expect(Buffer.from(served.data as ArrayBuffer).equals(PICTURE)).toBe(true);
		expect(served.headers['content-type']).toContain('image/svg+xml');
	});

	test.each([
		['media_url', { body: { media_url: 'https://cdn.example.com/1' } }],
		['url', { body: { url: 'https://cdn.example.com/1' } }],
		['data.url', { body: { data: { url: 'https://cdn.example.com/1' } } }],
		['the Location header', { status: 201, headers: { location: 'https://cdn.example.com/1' } }],
	])('§4.8 the URL is read from %s', async (_place, answer) => {
		const stub = await startStub(() => answer);
		const run = await service.engineWith(service.credential({ baseUrl: stub.url })).runWorkflow({
			nodes: [
				{
					type: 'twoWayMessaging',
					name: 'Node',
					parameters: { resource: 'media', operation: 'upload', binaryPropertyName: 'data' },
				},
			],
			items: withPicture(),
		});
		await stub.stop();

		expect(run.json('Node')).toEqual([{ media_url: 'https://cdn.example.com/1' }]);
	});

	test('an item without the file is refused with its number, and nothing is sent', async () => {
		const run = await service.run({
			parameters: { ...SEND, media: 'binary', binaryPropertyName: 'data' },
		});

		expect(run.status).toBe('error');
		expect(run.nodeError('Node')).toMatchObject({ context: { itemIndex: 0 } });
		expect(await service.accepted()).toEqual([]);
	});
});

describe('n8n’s own settings', () => {
	beforeEach(async () => {
		service = await TestService.start();
	});

	test('the error output gets the items that were refused, linked to their input', async () => {
		const run = await service.run({
			parameters: { ...SEND, number: '={{ $json.number }}' },
			items: [{ number: '+15551230001' }, { number: 'nobody' }],
			node: { onError: 'continueErrorOutput' },
		});

		expect(run.items('Node', 0)).toMatchObject([
			{ json: { to: '+15551230001' }, pairedItem: { item: 0 } },
		]);
		expect(run.items('Node', 1)).toMatchObject([
			{
				json: { error: 'The phone number “nobody” is not in international format' },
				pairedItem: { item: 1 },
			},
		]);
	});

	test('a second execution sends the same again: only a second try of one execution does not', async () => {
		await service.run({ parameters: SEND });
		await service.run({ parameters: SEND });

		expect(await service.accepted()).toHaveLength(2);
	});

	test('a node that runs several times in one execution sends each time', async () => {
		await service.run({ parameters: SEND, items: [{}], executionId: 'loop' });
		const run = await service.engine.runWorkflow({
			executionId: 'loop-2',
			nodes: [
				{ type: 'twoWayMessaging', name: 'First', parameters: SEND },
				{ type: 'twoWayMessaging', name: 'Second', parameters: SEND },
			],
		});

		expect(run.json('Second')).toHaveLength(1);
		expect(await service.accepted()).toHaveLength(3);
	});
});
