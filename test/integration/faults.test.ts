import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { NO_REQUEST_LIMITS, type FaultKind } from '../../sandbox/src';
import { withPicture } from '../support/picture';
import { fastMemory } from '../support/testClock';
import { TestService } from '../support/service';
import { startStub } from '../support/stub';

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const UNCONFIRMED = 'has not confirmed the message';

/** What each fault means for a send: whether the service had accepted it by then. */
const FAULTS: Array<{ kind: FaultKind; isAccepted: boolean; isRepeatable?: boolean }> = [
	{ kind: 'reset-before', isAccepted: false },
	{ kind: 'reset-after', isAccepted: true },
	{ kind: 'hang-before', isAccepted: false },
	{ kind: 'hang-after', isAccepted: true },
	{ kind: 'status-500', isAccepted: false },
	{ kind: 'status-500-after', isAccepted: true },
	{ kind: 'status-503', isAccepted: false },
	{ kind: 'status-503-after', isAccepted: true },
	{ kind: 'html', isAccepted: false },
	{ kind: 'html-after', isAccepted: true },
	{ kind: 'truncated-after', isAccepted: true },
	{ kind: 'refuse-429', isAccepted: false, isRepeatable: true },
	{ kind: 'refuse-429-bare', isAccepted: false, isRepeatable: true },
];

let service: TestService;

/** @param answerTimeoutMs shorter than a hanging answer, and longer than a busy machine takes to give one */
const startService = async (answerTimeoutMs: number) =>
	await TestService.start({
		requestLimits: NO_REQUEST_LIMITS,
		lookupAfterMs: 0,
		memory: fastMemory(answerTimeoutMs),
	});

beforeEach(async () => {
	service = await startService(500);
});

afterEach(async () => {
	await service.stop();
});

const SEND = {
	resource: 'message',
	operation: 'send',
	number: '={{ $json.number }}',
	content: '={{ $json.content }}',
};

const HELLO = { number: '+15551230001', content: 'hello' };
const NEXT = { number: '+15551230002', content: 'the next item' };

describe('a send', () => {
	test.each(FAULTS)(
		'that meets $kind reaches the customer once or not at all, says which, and the batch goes on',
		async ({ kind, isAccepted, isRepeatable }) => {
			await service.fault(PATHS.sendMessage, kind, 1, { retry_after_seconds: 0 });

			const run = await service.run({ parameters: SEND, items: [HELLO, NEXT], node: CONTINUE });

			const [first, second] = run.json('Node');
			const rows = await service.accepted();
			const reached = rows.filter(({ content }) => content === HELLO.content);
			expect(second).toMatchObject({ status: 'QUEUED', content: NEXT.content });
			if (isAccepted || isRepeatable) {
				expect(reached).toHaveLength(1);
				expect(first?.message_handle).toBe(reached[0]?.message_handle);
			} else {
				expect(reached).toEqual([]);
				expect(first?.error).toContain(UNCONFIRMED);
			}
		},
	);

	test('that was accepted stays accepted when neither its status nor the history can be read', async () => {
		await service.fault(PATHS.status, 'status-500', 10_000);
		await service.fault(PATHS.messages, 'status-500', 10_000);

		const run = await service.run({
			parameters: { ...SEND, options: { waitFor: 'sent', waitSeconds: 1 } },
			items: [HELLO],
		});

		expect(run.json('Node')).toEqual([expect.objectContaining({ status: 'QUEUED' })]);
		expect(await service.accepted()).toHaveLength(1);
	});

	test('that cannot be found in an unreadable history is not confirmed, and not sent again by the option', async () => {
		await service.fault(PATHS.sendMessage, 'reset-after');
		await service.fault(PATHS.messages, 'status-500', 10);

		const run = await service.run({
			parameters: { ...SEND, options: { ifUnconfirmed: 'sendAgain' } },
			items: [HELLO],
		});

		expect(run.nodeError('Node')).toMatchObject({
			message: expect.stringContaining(UNCONFIRMED),
			description: expect.stringContaining('cannot be read at the moment either'),
		});
		expect(await service.accepted()).toHaveLength(1);
	});

	test('that meets no service says so, and nothing was sent', async () => {
		const engine = service.engineWith(service.credential({ baseUrl: 'http://127.0.0.1:1' }));

		const run = await service.run({ parameters: SEND, items: [HELLO] }, engine);

		expect(run.nodeError('Node')).toMatchObject({
			message: 'The service cannot be reached at http://127.0.0.1:1',
			description: expect.stringContaining('ECONNREFUSED'),
		});
	});

	test('is never repeated after a redirect, nor are the keys carried along', async () => {
		const elsewhere = await startStub(() => ({ status: 201, body: { message_handle: 'm1' } }));
		const stub = await startStub(() => ({ status: 302, headers: { location: elsewhere.url } }));
		const engine = service.engineWith(service.credential({ baseUrl: stub.url }));

		const run = await service.run({ parameters: SEND, items: [HELLO] }, engine);
		await Promise.all([stub.stop(), elsewhere.stop()]);

		expect(run.nodeError('Node')?.message).toContain('is not the messaging service');
		expect(stub.requests).toHaveLength(1);
		expect(elsewhere.requests).toEqual([]);
	});
});

describe('media from a binary field', () => {
	test('is uploaded once, however often Retry On Fail tries', async () => {
		const stub = await startStub(({ path }) => {
			if (path === PATHS.media) return { body: { media_url: 'https://cdn.example.com/1' } };
			return path === PATHS.messages ? { body: { messages: [] } } : { status: 500 };
		});
		const run = await service.engineWith(service.credential({ baseUrl: stub.url })).runWorkflow({
			nodes: [
				{
					type: 'twoWayMessaging',
					name: 'Node',
					parameters: { ...SEND, number: HELLO.number, content: 'hello', media: 'binary' },
					retryOnFail: true,
					maxTries: 3,
					waitBetweenTries: 1,
				},
			],
			items: withPicture(),
		});
		await stub.stop();

		const asked = (path: string) => stub.requests.filter((request) => request.path === path).length;
		expect(run.nodeError('Node')?.message).toContain(UNCONFIRMED);
		expect(asked(PATHS.media)).toBe(1);
		expect(asked(PATHS.sendMessage)).toBe(1);
	});

	test('is uploaded again where the answer was lost, as no customer notices', async () => {
		await service.fault(PATHS.media, 'reset-after');
		const run = await service.engine.runWorkflow({
			nodes: [
				{
					type: 'twoWayMessaging',
					name: 'Node',
					parameters: { resource: 'media', operation: 'upload' },
				},
			],
			items: withPicture(),
		});

		expect(run.json('Node')).toEqual([{ media_url: expect.stringContaining('http') }]);
	});
});

describe('a question', () => {
	const QUESTIONS: Array<{ path: string; parameters: INodeParameters; said: IDataObject }> = [
		{
			path: PATHS.status,
			parameters: {
				resource: 'message',
				operation: 'getStatus',
				messageHandle: '={{ $json.message_handle }}',
			},
			said: { status: expect.stringMatching(/^(QUEUED|SENT|DELIVERED)$/) as string },
		},
		{
			path: PATHS.messages,
			parameters: { resource: 'message', operation: 'getMany' },
			said: { content: 'asked about' },
		},
		{
			path: PATHS.lines,
			parameters: { resource: 'line', operation: 'getMany' },
			said: { label: 'Front desk' },
		},
		{
			path: PATHS.lines,
			parameters: {
				resource: 'line',
				operation: 'get',
				line: { __rl: true, mode: 'number', value: '+15550100001' },
			},
			said: { label: 'Front desk' },
		},
		{
			path: PATHS.lookup,
			parameters: { resource: 'number', operation: 'lookup', number: '+15551230001' },
			said: { service: 'iMessage' },
		},
	];

	describe.each(QUESTIONS)(
		'$parameters.resource: $parameters.operation',
		({ path, parameters, said }) => {
			test.each(FAULTS)('is asked again after $kind', async ({ kind }) => {
				const [sent] = (
					await service.run({
						parameters: { ...SEND, number: '+15551230001', content: 'asked about' },
					})
				).json('Node');
				await service.fault(path, kind, 1, { retry_after_seconds: 0 });

				const run = await service.run({ parameters, items: [sent ?? {}] });

				expect(run.nodeError('Node')).toBeUndefined();
				expect(run.json('Node')[0]).toMatchObject(said);
			});

			test('that stays without an answer says so', async () => {
				const engine = service.engineWith(service.credential({ baseUrl: 'http://127.0.0.1:1' }));

				const run = await service.run({ parameters, items: [{ message_handle: 'm1' }] }, engine);

				expect(run.nodeError('Node')?.message).toBe(
					'The service cannot be reached at http://127.0.0.1:1',
				);
			});
		},
	);
});

/** Draws the same numbers for the same seed (mulberry32). */
function drawsFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

describe('hundreds of sends under drawn faults', () => {
	const SENDS = 300;

	/** A refusal without a time takes a second of waiting, so it has its own test only. */
	const DRAWN = FAULTS.filter(({ kind }) => kind !== 'refuse-429-bare');

	/** One request in four goes wrong, in one of the ways. */
	async function drawFaults(path: string, requests: number, draw: () => number) {
		for (let planned = 0; planned < requests;) {
			const passing = Math.floor(draw() * 7);
			if (passing > 0) await service.fault(path, 'pass', passing);
			const { kind } = DRAWN[Math.floor(draw() * DRAWN.length)] ?? { kind: 'pass' as const };
			await service.fault(path, kind, 1, { retry_after_seconds: 0 });
			planned += passing + 1;
		}
	}

	const seed = Number(process.env.SEED ?? 1);

	test(`no message is accepted twice, and each item says what the service has (SEED=${seed})`, async () => {
		await service.stop();
		// An answer that comes too late is one fault more, and hundreds hang.
		service = await startService(100);
		const draw = drawsFrom(seed);
		await drawFaults(PATHS.sendMessage, SENDS, draw);
		await drawFaults(PATHS.messages, SENDS / 4, draw);
		const items = Array.from({ length: SENDS }, (_, at) => ({
			number: `+1555124${String(at % 100).padStart(4, '0')}`,
			content: `message ${at}`,
		}));

		const run = await service.run({ parameters: SEND, items, node: CONTINUE });

		const accepted = new Map<string, string[]>();
		for (const { content, message_handle: handle } of await service.accepted()) {
			accepted.set(content, [...(accepted.get(content) ?? []), handle]);
		}
		const outputs = run.json('Node');
		expect(outputs).toHaveLength(SENDS);
		let unconfirmed = 0;
		outputs.forEach((output, at) => {
			const handles = accepted.get(`message ${at}`) ?? [];
			expect(handles.length).toBeLessThanOrEqual(1);
			if (output.error === undefined) {
				expect([output.message_handle]).toEqual(handles);
			} else {
				expect(output.error).toContain(UNCONFIRMED);
				unconfirmed += 1;
			}
		});
		// About one in eight requests goes wrong before the service accepts it.
		expect(unconfirmed).toBeGreaterThan(0);
		expect(unconfirmed).toBeLessThan(SENDS / 4);
	});

	test(`the same text to the same person is kept apart, message by message (SEED=${seed})`, async () => {
		const draw = drawsFrom(seed + 1);
		await drawFaults(PATHS.sendMessage, 60, draw);
		const items = Array.from({ length: 60 }, () => HELLO);

		const run = await service.run({ parameters: SEND, items, node: CONTINUE });

		const reported = run.json('Node').flatMap(({ message_handle: handle }) => handle ?? []);
		const held = (await service.accepted()).map(({ message_handle: handle }) => handle);
		expect([...reported].sort()).toEqual([...held].sort());
	});

	test(`with Retry On Fail, a run that fails midway sends nothing twice (SEED=${seed})`, async () => {
		const draw = drawsFrom(seed + 2);
		await service.fault(PATHS.sendMessage, 'pass', 10);
		await drawFaults(PATHS.sendMessage, 60, draw);
		const items = Array.from({ length: 50 }, (_, at) => ({ ...HELLO, content: `message ${at}` }));

		await service.run({
			parameters: SEND,
			items,
			node: { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 },
		});

		const contents = (await service.accepted()).map(({ content }) => content);
		expect(new Set(contents).size).toBe(contents.length);
		expect(contents.length).toBeGreaterThanOrEqual(10);
	});
});
