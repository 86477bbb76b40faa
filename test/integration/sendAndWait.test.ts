import type { INodeParameters } from 'n8n-workflow';
import { TwoWayMessagingApi } from '../../credentials/TwoWayMessagingApi.credentials';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { runWorkflow, type Run, type RunRequest } from '../support/executions';
import { Instance } from '../support/instance';
import { fastMemory } from '../support/testClock';
import { TestService } from '../support/service';
import { endWait, visit, type Visit } from '../support/waits';

const QUESTION = {
	resource: 'message',
	operation: 'sendAndWait',
	number: '={{ $json.number }}',
	content: '=Can we come at 10, {{ $json.name }}?',
};
const ANNA = { number: '+15551230001', name: 'Anna' };
const LIMITED = { limitWaitTime: true, resumeAmount: 2, resumeUnit: 'hours' };

let service: TestService;
let instance: Instance;

beforeEach(async () => {
	service = await TestService.start({ memory: fastMemory() });
	instance = new Instance({
		nodeTypes: [new TwoWayMessaging(service.memory)],
		credentialTypes: [new TwoWayMessagingApi()],
		credentials: { twoWayMessagingApi: service.credential() },
	});
});

afterEach(async () => {
	await service.stop();
});

const requestOf = (
	parameters: INodeParameters = {},
	items: object[] = [ANNA],
	node: object = {},
): RunRequest => ({
	nodes: [
		{ type: 'start', name: 'Start' },
		{ type: 'twoWayMessaging', name: 'Ask', parameters: { ...QUESTION, ...parameters }, ...node },
	],
	connections: { Start: { main: [[{ node: 'Ask', type: 'main', index: 0 }]] } },
	items: items.map((json) => ({ json: { ...json } })),
});

const ask = async (request: RunRequest = requestOf()): Promise<Run> =>
	await runWorkflow(instance, request);

const answer = async (waiting: Run, visited: Visit, request = requestOf()) =>
	await visit(instance, request, waiting, visited);

const press = async (decision: string, waiting: Run, request = requestOf()) =>
	await answer(waiting, { method: 'POST', body: { decision } }, request);

const linkOf = (content: string) => /\n\n(http\S+)$/.exec(content)?.[1] ?? '';

describe('asking', () => {
	test('sends the question with one signed link, and the execution waits', async () => {
		const waiting = await ask();

		expect(waiting.status).toBe('waiting');
		const [row, ...others] = await service.accepted();
		expect(others).toEqual([]);
		expect(row?.to).toBe('+15551230001');
		expect(row?.content).toMatch(/^Can we come at 10, Anna\?\n\nhttp/);
		expect(linkOf(row?.content ?? '')).toMatch(
			new RegExp(`/webhook-waiting/${waiting.executionId}/Ask\\?signature=[0-9a-f]{64}$`),
		);
	});

	test('keeps the link, which answers for the customer, out of the items', async () => {
		const waiting = await ask();

		expect(JSON.stringify(waiting.saved)).not.toContain('signature=');
		expect(waiting.json('Ask')).toEqual([
			{
				answered: false,
				question: expect.objectContaining({
					content: 'Can we come at 10, Anna?',
					to: '+15551230001',
					status: 'QUEUED',
				}) as object,
			},
		]);
	});

	test('waits for ever without a time limit, and as long as the limit says with one', async () => {
		expect((await ask()).waitTill?.getUTCFullYear()).toBe(3000);

		const limited = await ask(requestOf(LIMITED));

		const leftMs = (limited.waitTill?.getTime() ?? 0) - Date.now();
		expect(leftMs).toBeGreaterThan(119 * 60_000);
		expect(leftMs).toBeLessThanOrEqual(120 * 60_000);
	});

	test('Retry On Fail never asks twice', async () => {
		await service.fault('/v1/send-message', 'reset-after');

		const waiting = await ask(requestOf({}, [ANNA], { retryOnFail: true, maxTries: 3 }));

		expect(waiting.status).toBe('waiting');
		expect(await service.accepted()).toHaveLength(1);
	});

	test.each([
		['more than one item', {}, [ANNA, ANNA], /One question can be asked at a time/],
		['an empty text', { content: ' ' }, [ANNA], /There is no question \[item 0\]/],
		['no number', { number: '=' }, [ANNA], /Phone Number is empty \[item 0\]/],
		['a limit of nothing', { ...LIMITED, resumeAmount: 0 }, [ANNA], /Wait at Most is not a time/],
	])('is refused with %s, and nothing is sent', async (_, parameters, items, message) => {
		const run = await ask(requestOf(parameters, items));

		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(message);
		expect(await service.rows()).toEqual([]);
	});

	test('a refusal of the service ends the execution, which does not wait', async () => {
		await service.control.patch(`/sandbox/contacts/${ANNA.number}`, { opted_out: true });

		const run = await ask();

		expect(run.status).toBe('error');
		expect(run.error?.message).toBe('The customer has opted out of messages [item 0]');
	});
});

describe('the page behind the link', () => {
	test('asks before it counts: a preview that fetches the link does not answer', async () => {
		const waiting = await ask();

		const { response, run } = await answer(waiting, { method: 'GET' });

		expect(run).toBeUndefined();
		expect(response.status).toBe(200);
		expect(response.body).toContain('Can we come at 10, Anna?');
		expect(response.body).toContain('>Approve</button>');
		expect(response.body).toContain('>Decline</button>');
	});

	test.each([
		['approve', true],
		['decline', false],
	])('to %s lets the execution continue with approved %s', async (decision, approved) => {
		const { response, run } = await press(decision, await ask());

		expect(response.body).toContain('Thank you');
		expect(run?.status).toBe('success');
		expect(run?.items('Ask')).toEqual([
			{
				json: {
					answered: true,
					approved,
					answered_at: expect.any(String) as string,
					question: expect.objectContaining({ content: 'Can we come at 10, Anna?' }) as object,
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	test('has the labels that were chosen, and one button where only approval is asked for', async () => {
		const request = requestOf({ approvalType: 'single', approveLabel: '=Yes, {{ $json.name }}' });
		const waiting = await ask(request);

		const { response } = await answer(waiting, { method: 'GET' }, request);

		expect(String(response.body).match(/<button/g)).toHaveLength(1);
		expect(response.body).toContain('>Yes, Anna</button>');
		expect((await press('decline', waiting, request)).run).toBeUndefined();
	});

	test.each([[{}], [{ decision: 'perhaps' }], [undefined]])(
		'asks again when the posted decision is not one of its buttons: %j',
		async (body) => {
			const { response, run } = await answer(await ask(), { method: 'POST', body });

			expect(run).toBeUndefined();
			expect(response.status).toBe(400);
			expect(response.body).toContain('Approve');
		},
	);
});

describe('the time limit', () => {
	test('without an answer the execution continues at the second output, linked to its item', async () => {
		const request = requestOf(LIMITED);

		const run = await endWait(instance, request, await ask(request));

		expect(run.status).toBe('success');
		expect(run.items('Ask', 0)).toEqual([]);
		expect(run.json('Ask', 1)).toEqual([
			{
				answered: false,
				question: expect.objectContaining({ content: 'Can we come at 10, Anna?' }) as object,
			},
		]);
		const { pairedItem } = run.items('Ask', 1)[0] ?? {};
		const { input = 0 } = pairedItem as { input?: number };
		expect(run.data.Ask?.[0]?.source[input]).toMatchObject({ previousNode: 'Start' });
		expect(await service.accepted()).toHaveLength(1);
	});

	test('with an answer in time the execution continues at the first output', async () => {
		const request = requestOf(LIMITED);

		const { run } = await press('approve', await ask(request), request);

		expect(run?.json('Ask', 0)).toEqual([expect.objectContaining({ answered: true })]);
		expect(run?.items('Ask', 1)).toEqual([]);
	});
});
