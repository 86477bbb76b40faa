import type { INodeParameters } from 'n8n-workflow';
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { processMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { WaitingList } from '../../nodes/TwoWayMessaging/waiting/waitingList';
import { awkward } from '../../sandbox/src/characters/awkward';
import { runWorkflow, type RunRequest } from '../support/executions';
import type { Instance } from '../support/instance';
import { fastMemory } from '../support/testClock';
import { visit } from '../support/waits';
import { ANNA, ASK, askingInstance, askingWorkflow, startAddress, started } from './askingWorkflow';
import { itemsOf, post, receiveEvent, signed, TriggerService } from './triggerWorkflow';
import { savedField } from '../support/savedFields';

let trigger: TriggerService;
let instance: Instance;
let address: Awaited<ReturnType<typeof startAddress>>;

beforeEach(async () => {
	trigger = await TriggerService.start();
	address = await startAddress();
	instance = askingInstance(trigger.credential, address.url);
});

afterEach(async () => {
	await trigger.stop();
	await address.stop();
});

const ask = async (parameters: INodeParameters = {}) =>
	await runWorkflow(instance, askingWorkflow(parameters));

/** How the nodes name the key pair. */
const accountId = () =>
	createHash('sha256')
		.update(`${String(trigger.credential.baseUrl)}\n${String(trigger.credential.apiKey)}`)
		.digest('hex');

const questionsOf = (live: Awaited<ReturnType<TriggerService['serve']>>) =>
	savedField(live.staticData['node:Trigger'], 'questions');

/** The URL of the question that was asked last. */
const lastUrl = (live: Awaited<ReturnType<TriggerService['serve']>>) =>
	questionsOf(live)?.at(-1)?.resumeUrl ?? '';

describe('a question that is answered by text', () => {
	test('waits for its trigger where that is published just now, as when n8n starts', async () => {
		const asking = ask();
		await pause(100);
		await (await trigger.serve()).activate();

		expect((await asking).status).toBe('waiting');
		expect(await trigger.service.rows()).toHaveLength(1);
	});

	test.each([
		['where none was published', undefined, false],
		['where it was stopped', {}, true],
		['where it listens to other events only', { events: ['outbound'] }, false],
	])('is refused before it is sent when no trigger listens: %s', async (_, served, isStopped) => {
		const memory = fastMemory();
		const quick = await TriggerService.start({ memory });
		const live = served && (await quick.serve(served));
		await live?.activate();
		if (isStopped) await live?.deactivate();

		const run = await runWorkflow(
			askingInstance(quick.credential, address.url, memory),
			askingWorkflow(),
		);
		const rows = await quick.service.rows();
		await quick.stop();

		expect([run.error?.message, rows]).toEqual(['No trigger listens for the answer', []]);
	});

	test('is refused before it is sent when n8n does not reach its own URL', async () => {
		await (await trigger.serve()).activate();
		await address.stop();

		const run = await ask();

		expect(run.error?.message).toBe('This n8n cannot reach its own URL');
		expect(await trigger.service.rows()).toEqual([]);
	});

	test('goes out as it was written, without a link', async () => {
		await (await trigger.serve()).activate();

		expect((await ask()).status).toBe('waiting');

		expect(await trigger.service.accepted()).toEqual([
			expect.objectContaining({ to: ANNA, content: 'Can we come at 10?' }),
		]);
	});

	test('is saved also when many others are asked at the same time, as n8n saves one whole list at a time', async () => {
		const live = await trigger.serve();
		await live.activate();

		// Two rounds, as every other write is a slow one: in one of them it is the last but one.
		for (const [asked, more] of [
			[4, 4],
			[7, 3],
		] as const) {
			const asks = Array.from({ length: more }, async (_, place) => {
				await pause(60 * place);
				return await ask();
			});
			await Promise.all(asks);
			await pause(200);
			expect(questionsOf(live)).toHaveLength(asked);
		}
	});

	test('is refused before it is sent when thousands wait already', async () => {
		const live = await trigger.serve();
		await live.activate();
		const waiting = Array.from({ length: 5_000 }, (_, place) => ({
			account: accountId(),
			number: `+1555${String(place).padStart(7, '0')}`,
			resumeUrl: `https://n8n.example/${place}`,
			token: String(place),
			askedAtMs: Date.now(),
		}));
		const waitingList = processMemory.part(WaitingList);
		waitingList.restore(waiting);

		const run = await ask();

		for (const one of waiting) waitingList.remove(one);
		expect(run.error?.message).toMatch(/^5000 questions already wait for an answer by text/);
		expect(await trigger.service.rows()).toEqual([]);
	});

	test('is removed when the service refuses it', async () => {
		const live = await trigger.serve();
		await live.activate();
		await trigger.service.control.patch(`/sandbox/contacts/${ANNA}`, { opted_out: true });
		expect((await ask()).status).toBe('success');
		await trigger.service.control.patch(`/sandbox/contacts/${ANNA}`, { opted_out: false });

		await trigger.text('hello');

		expect(await started(live, 1)).toMatchObject([{ content: 'hello' }]);
		expect(address.posted).toEqual([]);
	});

	test('continues with the customer’s text as a message, and with what was asked', async () => {
		const live = await trigger.serve();
		await live.activate();
		const waiting = await ask();
		const url = lastUrl(live);

		await trigger.text('yes, please');
		await address.passed(1);

		expect(itemsOf(live)).toEqual([]);
		const { response, run } = await visit(instance, askingWorkflow(), waiting, {
			method: 'POST',
			body: address.posted[0],
			url,
		});
		expect(response.body).toEqual({ answered: true });
		expect(run?.items(ASK)).toEqual([
			{
				json: expect.objectContaining({
					answered: true,
					content: 'yes, please',
					from: ANNA,
					status: 'RECEIVED',
					is_outbound: false,
					question: expect.objectContaining({ content: 'Can we come at 10?' }) as object,
				}) as object,
				pairedItem: { item: 0 },
			},
		]);
	});

	test('is answered by the next text, and not by an earlier one, also where the service’s clock is minutes behind', async () => {
		await trigger.service.control.post('/sandbox/character', { character: 'awkward' });
		const live = await trigger.serve({ checkEvery: 0 });
		await live.activate('init');
		await ask();
		const minuteAgoMs = Date.now() - awkward.clockBehindMs - 60_000;
		const earlier = {
			...receiveEvent('earlier', { from: ANNA, text: 'earlier' }),
			created_at: new Date(minuteAgoMs).toISOString(),
		};

		await post(live, signed(earlier, trigger.secret));
		expect(await started(live, 1)).toMatchObject([{ content: 'earlier' }]);
		await trigger.text('yes');

		expect(await address.passed(1)).toMatchObject([{ message: { content: 'yes' } }]);
		expect(itemsOf(live)).toHaveLength(1);
	});

	test('does not continue with anything but its own answer', async () => {
		const live = await trigger.serve();
		await live.activate();
		const waiting = await ask();
		const message = { from: ANNA, content: 'yes' };
		const url = lastUrl(live);

		for (const body of [{ decision: 'approve' }, { message }, { token: 'another', message }]) {
			const visited = await visit(instance, askingWorkflow(), waiting, {
				method: 'POST',
				body,
				url,
			});
			expect(visited.response).toMatchObject({ status: 410, body: { answered: false } });
			expect(visited.run).toBeUndefined();
		}
		const page = await visit(instance, askingWorkflow(), waiting, { method: 'GET', url });
		expect(page.response.status).toBe(404);
		expect(page.run).toBeUndefined();
	});

	test('of an execution that asks several has a URL of its own, and takes no answer to an earlier one', async () => {
		const live = await trigger.serve();
		await live.activate();
		const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
		const [start, question] = askingWorkflow().nodes;
		const request: RunRequest = {
			nodes: [start!, { type: 'start', name: 'Left' }, { type: 'start', name: 'Right' }, question!],
			connections: {
				Start: { main: [[to('Left'), to('Right')]] },
				Left: { main: [[to(ASK)]] },
				Right: { main: [[to(ASK)]] },
			},
		};
		const first = await runWorkflow(instance, request);
		const asked = questionsOf(live)?.at(-1);
		const message = { from: ANNA, content: 'yes' };
		const answered = {
			method: 'POST',
			body: { token: asked?.token, message },
			url: asked?.resumeUrl,
		} as const;
		const second = (await visit(instance, request, first, answered)).run;
		expect(second?.status).toBe('waiting');

		const again = await visit(instance, request, second!, answered);

		expect(again.response).toMatchObject({ status: 410, body: { answered: false } });
		expect(again.run).toBeUndefined();
		expect(lastUrl(live)).not.toBe(asked?.resumeUrl);
		expect(questionsOf(live)).toHaveLength(1);
	});

	test('by a line that was chosen is not answered on another line', async () => {
		const live = await trigger.serve();
		await live.activate();
		await ask({ line: { __rl: true, mode: 'number', value: '+15550100001' } });

		await trigger.text('not to you', { to: '+15550100002' });
		expect(await started(live, 1)).toMatchObject([{ content: 'not to you' }]);
		await trigger.text('yes', { to: '+15550100001' });

		expect(await address.passed(1)).toMatchObject([{ message: { content: 'yes' } }]);
		expect(itemsOf(live)).toHaveLength(1);
	});
});

describe('while a question is being sent', () => {
	const SLOW = { delay_ms: 1_500 };
	/** The texts of these tests have no rows in the history. */
	const AS_TEXTED = { options: { completeMessages: false } };

	/** Asks slowly, and receives a text meanwhile, which the service made so long before. */
	const receiveWhileAsking = async (content: string, parameters: INodeParameters, ageMs = 0) => {
		const live = await trigger.serve({ ...AS_TEXTED, ...parameters });
		// It was published long ago: what was made before would start nothing.
		await live.activate('init');
		await trigger.service.fault('/v1/send-message', 'slow', 1, SLOW);
		address.says = { status: 409, body: { message: 'is running already' } };
		const asking = ask().finally(() => (address.says = undefined));
		await pause(500);
		const created_at = new Date(Date.now() - ageMs).toISOString();
		const event = { ...receiveEvent('early', { from: ANNA, text: content }), created_at };
		expect((await post(live, signed(event, trigger.secret))).status).toBe(200);
		return { live, asking };
	};

	test('its answer waits until the execution waits, and starts no workflow', async () => {
		const { live, asking } = await receiveWhileAsking('Yes', { filters: { textIs: 'menu' } });
		expect((await asking).status).toBe('waiting');

		expect(await address.passed(1)).toMatchObject([{ message: { content: 'Yes' } }]);
		expect(itemsOf(live)).toEqual([]);
	});

	test('its answer waits also while the node looks whether it was accepted', async () => {
		const live = await trigger.serve(AS_TEXTED);
		await live.activate();
		await trigger.service.fault('/v1/send-message', 'status-500-after');
		await trigger.service.fault('/v2/messages', 'slow', 1, SLOW);
		const asking = ask();
		await pause(700);
		const created_at = new Date().toISOString();
		const event = { ...receiveEvent('early', { from: ANNA, text: 'Yes' }), created_at };
		await post(live, signed(event, trigger.secret));

		expect((await asking).status).toBe('waiting');

		expect(await address.passed(1)).toHaveLength(1);
		expect(itemsOf(live)).toEqual([]);
	});

	test('its answer waits also while Retry On Fail looks whether an earlier try was accepted', async () => {
		const live = await trigger.serve(AS_TEXTED);
		await live.activate();
		await trigger.service.fault('/v1/send-message', 'status-500-after');
		// The first try cannot look into the history, and the second one takes its time.
		await trigger.service.fault('/v2/messages', 'status-409', 2);
		await trigger.service.fault('/v2/messages', 'slow', 1, SLOW);
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const asking = runWorkflow(instance, askingWorkflow({}, node));
		await pause(1_000);
		const created_at = new Date().toISOString();
		const event = { ...receiveEvent('early', { from: ANNA, text: 'Yes' }), created_at };
		await post(live, signed(event, trigger.secret));

		expect((await asking).status).toBe('waiting');

		expect(await address.passed(1)).toHaveLength(1);
		expect(itemsOf(live)).toEqual([]);
	});

	test('a text that opts out ends it as soon as it is accepted', async () => {
		const { asking } = await receiveWhileAsking('STOP', {});
		await asking;

		expect(await address.passed(1)).toMatchObject([{ ends: 'optedOut' }]);
	});

	test('a text starts the workflow as usual when the service refuses the question', async () => {
		await trigger.service.control.patch(`/sandbox/contacts/${ANNA}`, { opted_out: true });
		const { live, asking } = await receiveWhileAsking('Yes', {});

		expect((await asking).status).toBe('success');
		address.says = { status: 409, body: { message: 'has finished' } };

		expect(await started(live, 1)).toMatchObject([{ content: 'Yes' }]);
		expect(address.posted).toEqual([]);
	});

	test('an older text starts the workflow, and waits for nothing', async () => {
		const { live, asking } = await receiveWhileAsking('Hello', {}, 150_000);
		expect(await started(live, 1)).toMatchObject([{ content: 'Hello' }]);
		expect(await trigger.service.accepted()).toEqual([]);

		await asking;
		expect(address.posted).toEqual([]);
	});
});
