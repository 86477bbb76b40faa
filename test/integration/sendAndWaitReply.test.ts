import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../nodes/TwoWayMessaging/clock';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { awkward } from '../../sandbox/src/characters/awkward';
import type { LiveWorkflow } from '../support/engine';
import { runWorkflow, type Run } from '../support/executions';
import type { Instance } from '../support/instance';
import { savedField } from '../support/savedFields';
import { fastMemory } from '../support/testClock';
import { MINUTE_MS } from '../support/times';
import { visit } from '../support/waits';
import {
	ANNA,
	ASK,
	askingInstance,
	askingTwice,
	askingWorkflow,
	startAddress,
	started,
} from './askingWorkflow';
import { itemsOf, post, receiveEvent, signed, TriggerService } from './triggerWorkflow';

let trigger: TriggerService;
let instance: Instance;
let address: Awaited<ReturnType<typeof startAddress>>;

/** @param memory in which pauses take no time, unless they are what a test is about */
const start = async (memory = fastMemory()) => {
	trigger = await TriggerService.start({ memory });
	address = await startAddress();
	instance = askingInstance(trigger.credential, address.url, memory);
};

afterEach(async () => {
	await trigger.stop();
	await address.stop();
});

const ask = async (parameters: INodeParameters = {}) =>
	await runWorkflow(instance, askingWorkflow(parameters));

/** A workflow of the trigger that listens. */
const listen = async (parameters: INodeParameters = {}, activation?: 'init') => {
	const live = await trigger.serve(parameters);
	await live.activate(activation);
	return live;
};

const questionsOf = (live: LiveWorkflow) =>
	savedField(live.staticData['node:Trigger'], 'questions') ?? [];

const optOut = async (isOut = true) =>
	await trigger.service.control.patch(`/sandbox/contacts/${ANNA}`, { opted_out: isOut });

/** Anna's text as the service sends it, made so long ago. */
const receive = async (live: LiveWorkflow, text: string, agoMs = 0) => {
	const created_at = new Date(Date.now() - agoMs).toISOString();
	const event = { ...receiveEvent('early', { from: ANNA, text }), created_at };
	expect((await post(live, signed(event, trigger.secret))).status).toBe(200);
};

describe('a question that is answered by text', () => {
	test('waits for its trigger where that is published just now, as when n8n starts', async () => {
		await start(new ProcessMemory(systemClock));
		const asking = ask();
		await pause(100);
		await listen();

		expect((await asking).status).toBe('waiting');
		expect(await trigger.service.rows()).toHaveLength(1);
	});

	test('is saved also when many others are asked at the same time, as n8n saves one whole list at a time', async () => {
		await start(new ProcessMemory(systemClock));
		const live = await listen();

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
});

describe('a question that is answered by text is refused before it is sent', () => {
	beforeEach(async () => await start());

	const expectRefusal = async (message: string) => {
		const run = await ask();
		expect(run.error?.message).toContain(message);
		expect(await trigger.service.rows()).toEqual([]);
	};

	test.each([
		['where none was published', undefined, false],
		['where it was stopped', {}, true],
		['where it listens to other events only', { events: ['outbound'] }, false],
	])('when no trigger listens: %s', async (_, served, isStopped) => {
		const live = served && (await listen(served));
		if (isStopped) await live?.deactivate();
		await expectRefusal('No trigger listens for the answer');
	});

	test('when n8n does not reach its own URL', async () => {
		await listen();
		await address.stop();
		await expectRefusal('This n8n cannot reach its own URL');
	});
});

describe('a question that is answered by text, once it has left,', () => {
	beforeEach(async () => await start());

	/** The URL of the question that was asked last. */
	const lastUrl = (live: LiveWorkflow) => questionsOf(live).at(-1)?.resumeUrl ?? '';

	const pass = async (waiting: Run, body: unknown, url: string, request = askingWorkflow()) =>
		await visit(instance, request, waiting, { method: 'POST', body, url });

	const NOT_ANSWERED = {
		response: expect.objectContaining({ status: 410, body: { answered: false } }) as object,
	};

	test('is removed when the service refuses it', async () => {
		const live = await listen();
		await optOut();
		expect((await ask()).status).toBe('success');
		await optOut(false);

		await trigger.text('hello');

		expect(await started(live, 1)).toMatchObject([{ content: 'hello' }]);
		expect(address.posted).toEqual([]);
	});

	test('continues with the customer’s text as a message, and with what was asked', async () => {
		const live = await listen();
		const waiting = await ask();
		const url = lastUrl(live);

		await trigger.text('yes, please');
		await address.passed(1);

		expect(itemsOf(live)).toEqual([]);
		const { response, run } = await pass(waiting, address.posted[0], url);
		expect(response.body).toEqual({ answered: true });
		expect(run?.items(ASK)).toMatchObject([
			{
				json: {
					...{ answered: true, content: 'yes, please', from: ANNA },
					...{ status: 'RECEIVED', is_outbound: false },
					question: { content: 'Can we come at 10?' },
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	test('is answered by the next text and by no earlier one, also where the service’s clock is behind', async () => {
		await trigger.service.control.post('/sandbox/character', { character: 'awkward' });
		const live = await listen({ checkEvery: 0 }, 'init');
		await ask();

		await receive(live, 'earlier', awkward.clockBehindMs + MINUTE_MS);
		expect(await started(live, 1)).toMatchObject([{ content: 'earlier' }]);
		await trigger.text('yes');

		expect(await address.passed(1)).toMatchObject([{ message: { content: 'yes' } }]);
		expect(itemsOf(live)).toHaveLength(1);
	});

	test('does not continue with anything but its own answer', async () => {
		const live = await listen();
		const waiting = await ask();
		const message = { from: ANNA, content: 'yes' };
		const url = lastUrl(live);

		for (const body of [{ decision: 'approve' }, { message }, { token: 'another', message }]) {
			expect(await pass(waiting, body, url)).toEqual(NOT_ANSWERED);
		}
		const page = await visit(instance, askingWorkflow(), waiting, { method: 'GET', url });
		expect(page.response.status).toBe(404);
		expect(page.run).toBeUndefined();
	});

	test('of an execution that asks several has a URL of its own, and takes no answer to an earlier one', async () => {
		const live = await listen();
		const request = askingTwice(askingWorkflow());
		const first = await runWorkflow(instance, request);
		const { token, resumeUrl = '' } = questionsOf(live).at(-1) ?? {};
		const answer = { token, message: { from: ANNA, content: 'yes' } };
		const second = (await pass(first, answer, resumeUrl, request)).run;
		expect(second?.status).toBe('waiting');

		expect(await pass(second!, answer, resumeUrl, request)).toEqual(NOT_ANSWERED);
		expect(lastUrl(live)).not.toBe(resumeUrl);
		expect(questionsOf(live)).toHaveLength(1);
	});
});

describe('while a question is being sent', () => {
	beforeEach(async () => await start());

	/** Asks, receives a text while the request to a path is under way, and lets that go on. */
	const receiveWhileAsking = async (
		text: string,
		parameters: INodeParameters = {},
		path: string = PATHS.sendMessage,
	) => {
		// The texts of these tests have no rows in the history. Whatever was made before would start nothing.
		const live = await listen({ options: { completeMessages: false }, ...parameters }, 'init');
		address.says = { status: 409, body: { message: 'is running already' } };
		const { arrived, goOn } = trigger.service.hold(path);
		const asking = ask();
		await arrived;
		await receive(live, text);
		goOn();
		const { status } = await asking;
		address.says = undefined;
		return { live, status };
	};

	test('its answer waits until the execution waits, and starts no workflow', async () => {
		const { live, status } = await receiveWhileAsking('Yes', { filters: { textIs: 'menu' } });
		expect(status).toBe('waiting');
		expect(await address.passed(1)).toMatchObject([{ message: { content: 'Yes' } }]);
		expect(itemsOf(live)).toEqual([]);
	});

	test('its answer waits also while the node looks whether it was accepted', async () => {
		await trigger.service.fault(PATHS.sendMessage, 'status-500-after');
		const { live, status } = await receiveWhileAsking('Yes', {}, PATHS.messages);
		expect(status).toBe('waiting');
		expect(await address.passed(1)).toHaveLength(1);
		expect(itemsOf(live)).toEqual([]);
	});

	test('a text that opts out ends it as soon as it is accepted', async () => {
		await receiveWhileAsking('STOP');
		expect(await address.passed(1)).toMatchObject([{ ends: 'optedOut' }]);
	});

	test('a text starts the workflow as usual when the service refuses the question', async () => {
		await optOut();
		const { live, status } = await receiveWhileAsking('Yes');
		expect(status).toBe('success');
		expect(await started(live, 1)).toMatchObject([{ content: 'Yes' }]);
		expect(address.posted).toEqual([]);
	});
});
