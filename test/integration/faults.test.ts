import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { FAULT_KINDS, NO_REQUEST_LIMITS } from '../../sandbox/src';
import { PICTURE, withPicture } from '../support/picture';
import { SkippingClock } from '../support/testClock';
import { ANNA, BEN, CONTINUE, SEND, serviceInEachTest } from '../support/service';
import { startStub, type StubAnswer, type StubRequest } from '../support/stub';

const UNCONFIRMED = 'has not confirmed the message';

/** What a request can meet that is no answer of the service; `-after` what it accepts. */
const KINDS = FAULT_KINDS.filter((kind) => !['pass', 'slow', 'status-409'].includes(kind));

const kindOfService = (answerTimeoutMs?: number) => ({
	...{ requestLimits: NO_REQUEST_LIMITS, lookupAfterMs: 0 },
	memory: new ProcessMemory(new SkippingClock(Date.now()), answerTimeoutMs),
});
const service = serviceInEachTest(kindOfService);

/** The node does not wait long for an answer that hangs. */
const waitBriefly = async () => await service.begin(kindOfService(300));

const HELLO = { number: ANNA, content: 'hello' };
const NEXT = { number: BEN, content: 'the next item' };
const NOW = { retry_after_seconds: 0 };

/** What is asked for, and what the answer says. */
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
		said: { content: HELLO.content },
	},
	{
		path: PATHS.lines,
		parameters: { resource: 'line', operation: 'getMany' },
		said: { label: 'Front desk' },
	},
	{
		path: PATHS.lookup,
		parameters: { resource: 'number', operation: 'lookup', number: HELLO.number },
		said: { service: 'iMessage' },
	},
];

describe('a send', () => {
	test.each(KINDS)(
		'that meets %s reaches the customer once or not at all, says which, and the batch goes on',
		async (kind) => {
			if (kind.startsWith('hang')) await waitBriefly();
			await service.fault(PATHS.sendMessage, kind, 1, NOW);
			const run = await service.run({ parameters: SEND, items: [HELLO, NEXT], node: CONTINUE });
			const [first, second] = run.json('Node');
			const rows = await service.accepted();
			const reached = rows.filter(({ content }) => content === HELLO.content);
			expect(second).toMatchObject({ status: 'QUEUED', content: NEXT.content });
			if (kind.endsWith('-after') || kind.startsWith('refuse-')) {
				expect(reached).toHaveLength(1);
				expect(first?.message_handle).toBe(reached[0]?.message_handle);
			} else {
				expect(reached).toEqual([]);
				expect(first?.error_message).toContain(UNCONFIRMED);
			}
		},
	);

	test('that was accepted stays accepted when neither its status nor the history can be read', async () => {
		await service.fault(PATHS.status, 'status-500', 10_000);
		await service.fault(PATHS.messages, 'status-500', 10_000);
		const options = { waitFor: 'sent', waitSeconds: 1 };
		const run = await service.run({ parameters: { ...SEND, options }, items: [HELLO] });
		expect(run.json('Node')).toEqual([expect.objectContaining({ status: 'QUEUED' })]);
		expect(await service.accepted()).toHaveLength(1);
	});

	test('is never repeated after a redirect, nor are the keys carried along', async () => {
		const elsewhere = await startStub(() => ({ status: 201, body: { message_handle: 'm1' } }));
		const answer = () => ({ status: 302, headers: { location: elsewhere.url } });
		const run = await service.runAt(answer, { parameters: SEND, items: [HELLO] });
		await elsewhere.stop();
		expect(run.nodeError('Node')?.message).toContain('is not the messaging service');
		expect(run.asked).toHaveLength(1);
		expect(elsewhere.requests).toEqual([]);
	});
});

describe('a file from a binary field', () => {
	const MEDIA_URL = 'https://cdn.example.com/1';

	test('is uploaded once, however often Retry On Fail tries, and its URL is sent', async () => {
		const answer = ({ path }: StubRequest): StubAnswer => {
			if (path === PATHS.media) return { body: { media_url: MEDIA_URL } };
			return path === PATHS.messages ? { body: { messages: [] } } : { status: 500 };
		};
		const parameters = { ...SEND, ...HELLO, media: 'binary' };
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const run = await service.runAt(answer, { parameters, node, files: withPicture() });
		const bodiesOf = (path: string) =>
			run.asked.filter((request) => request.path === path).map(({ body }) => String(body));
		expect(run.nodeError('Node')?.message).toContain(UNCONFIRMED);
		expect(bodiesOf(PATHS.media)).toEqual([expect.stringContaining(String(PICTURE))]);
		expect(bodiesOf(PATHS.sendMessage)).toEqual([expect.stringContaining(MEDIA_URL)]);
	});

	test('is uploaded again where the answer was lost, as no customer notices', async () => {
		await service.fault(PATHS.media, 'reset-after');
		const parameters = { resource: 'media', operation: 'upload' };
		const run = await service.run({ parameters, files: withPicture() });
		expect(run.json('Node')).toEqual([{ media_url: expect.stringContaining('http') }]);
	});
});

test.each(KINDS)('every question is asked again after %s', async (kind) => {
	if (kind.startsWith('hang')) await waitBriefly();
	const items = (await service.run({ parameters: SEND, items: [HELLO] })).json('Node');
	for (const { path, parameters, said } of QUESTIONS) {
		await service.fault(path, kind, 1, NOW);
		const run = await service.run({ parameters, items });
		expect(run.nodeError('Node')).toBeUndefined();
		expect(run.json('Node')[0]).toMatchObject(said);
	}
});

test('what meets no service says so', async () => {
	const baseUrl = 'http://127.0.0.1:1';
	const engine = service.engineWith(service.credential({ baseUrl }));
	for (const { parameters } of [{ parameters: SEND }, ...QUESTIONS]) {
		const items = [{ ...HELLO, message_handle: 'm1' }];
		const run = await service.run({ parameters, items }, engine);
		expect(run.nodeError('Node')).toMatchObject({
			message: `The service cannot be reached at ${baseUrl}`,
			description: expect.stringContaining('ECONNREFUSED') as string,
		});
	}
});

const SEED = Number(process.env.SEED ?? 1);

test(`of many sends under drawn faults each item says what the service has (SEED=${SEED})`, async () => {
	await waitBriefly();
	const SENDS = 60;
	/** One request in four goes wrong, in one of the ways. */
	const drawFaults = async (path: string, requests: number) => {
		const drawn = fc.record({ passing: fc.nat(6), kind: fc.constantFrom(...KINDS) });
		for (const { passing, kind } of fc.sample(drawn, { seed: SEED, numRuns: requests / 4 })) {
			if (passing > 0) await service.fault(path, 'pass', passing);
			await service.fault(path, kind, 1, NOW);
		}
	};
	await drawFaults(PATHS.sendMessage, SENDS);
	await drawFaults(PATHS.messages, SENDS / 4);
	// Every other message says the same to the same person.
	const items = Array.from({ length: SENDS }, (_, at) =>
		at % 2 ? HELLO : { ...HELLO, content: `message ${at}` },
	);

	const run = await service.run({ parameters: SEND, items, node: CONTINUE });

	const outputs = run.json('Node');
	const told = outputs.flatMap(({ error_message: why }) => (why ? [why] : []));
	for (const why of told) expect(why).toContain(UNCONFIRMED);
	// About one in eight requests goes wrong before the service accepts it.
	expect(told.length).toBeGreaterThan(0);
	expect(told.length).toBeLessThan(SENDS / 4);
	const sent = outputs.flatMap(({ message_handle: handle, content }) =>
		handle ? `${String(handle)} ${String(content)}` : [],
	);
	const accepted = await service.accepted();
	expect(sent.sort()).toEqual(accepted.map((row) => `${row.message_handle} ${row.content}`).sort());
});
