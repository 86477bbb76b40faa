import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../nodes/TwoWayMessaging/clock';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { readSaved } from '../../nodes/TwoWayMessaging/trigger/nodeMemory';
import { awkward } from '../../sandbox/src/characters/awkward';
import { runWorkflow, type Run } from '../support/executions';
import type { Instance } from '../support/instance';
import { ANNA } from '../support/service';
import type { StubAnswer } from '../support/stub';
import { fastMemory, SkippingClock } from '../support/testClock';
import { MINUTE_MS } from '../support/times';
import { visit } from '../support/waits';
import { waitUntil } from '../support/waitUntil';
import { askingInstance, askingTwice, askingWorkflow, startAddress } from './askingWorkflow';
import type { LiveProcess } from './triggerProcess';
import { TriggerService } from './triggerService';
import { receiveEvent } from './triggerWorkflow';

let trigger: TriggerService;
let instance: Instance;
let address: Awaited<ReturnType<typeof startAddress>>;
/** What executions say for now, unless they take everything as the answer. */
let says: StubAnswer | undefined;

/** @param memory in which pauses take no time, unless they are what a test is about */
const start = async (memory = fastMemory()) => {
	trigger = await TriggerService.start({ memory });
	says = undefined;
	address = await startAddress(() => says ?? { body: { answered: true } });
	instance = askingInstance(trigger.service.credential(), address.url, memory);
};

afterEach(async () => {
	await trigger.stop();
	await address.stop();
});

const ask = async (parameters: INodeParameters = {}) =>
	await runWorkflow(instance, askingWorkflow(parameters));

const questionsOf = ({ database }: LiveProcess) =>
	readSaved({ getWorkflowStaticData: () => database.staticData }, 'questions') ?? [];

/** Anna's text as the service sends it, made so long ago. */
const receive = async (n8n: LiveProcess, text: string, agoMs = 0) => {
	const created_at = new Date(Date.now() - agoMs).toISOString();
	const event = { ...receiveEvent('early', { text }), created_at };
	expect(await n8n.receive(event, trigger.secret, Date.now())).toBe(200);
};

describe('a question that is answered by text', () => {
	test('waits for its trigger where that is published just now, as when n8n starts', async () => {
		await start(new ProcessMemory(systemClock));
		const asking = ask();
		await pause(100);
		await trigger.listen();

		expect((await asking).status).toBe('waiting');
		expect(await trigger.service.rows()).toHaveLength(1);
	});

	test('waits two seconds for it where n8n has not just started', async () => {
		const clock = new SkippingClock(Date.now());
		await start(new ProcessMemory(clock));
		const sinceMs = (clock.ms += MINUTE_MS);

		expect((await ask()).error?.message).toBe('No trigger listens for the answer');
		expect(clock.ms - sinceMs).toBe(2_000);
	});

	test('is saved also when many others are asked at the same time, as n8n saves one whole list at a time', async () => {
		await start(new ProcessMemory(systemClock));
		const n8n = await trigger.listen();
		const asks = Array.from({ length: 4 }, async (_, place) => {
			await pause(60 * place);
			return await ask();
		});
		await Promise.all(asks);
		expect(questionsOf(n8n)).toHaveLength(4);
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
		const n8n = served && (await trigger.listen(served));
		if (isStopped) await n8n?.release();
		await expectRefusal('No trigger listens for the answer');
	});

	test('when n8n does not reach its own URL', async () => {
		await trigger.listen();
		await address.stop();
		await expectRefusal('This n8n cannot reach its own URL');
	});
});

describe('a question that is answered by text, once it has left,', () => {
	beforeEach(async () => await start());

	const lastUrl = (n8n: LiveProcess) => questionsOf(n8n).at(-1)?.resumeUrl ?? '';

	const pass = async (waiting: Run, body: unknown, url: string, request = askingWorkflow()) =>
		await visit(instance, request, waiting, { method: 'POST', body, url });

	const NOT_ANSWERED = {
		response: expect.objectContaining({ status: 410, body: { answered: false } }) as object,
	};

	test('is answered by the next text and by no earlier one, also where the service’s clock is behind', async () => {
		await trigger.service.control.post('/sandbox/character', { character: 'awkward' });
		const n8n = await trigger.listen({ checkEvery: 0 }, 'init');
		await ask();

		await receive(n8n, 'earlier', awkward.clockBehindMs + MINUTE_MS);
		await trigger.settled();
		expect(n8n.items).toMatchObject([{ content: 'earlier' }]);
		await trigger.text('yes');

		expect(address.passed).toMatchObject([{ message: { content: 'yes' } }]);
		expect(n8n.items).toHaveLength(1);
	});

	test('does not continue with anything but its own answer', async () => {
		const n8n = await trigger.listen();
		const waiting = await ask();
		const message = { from: ANNA, content: 'yes' };
		const url = lastUrl(n8n);

		for (const body of [{ decision: 'approve' }, { message }, { token: 'another', message }]) {
			expect(await pass(waiting, body, url)).toEqual(NOT_ANSWERED);
		}
		const page = await visit(instance, askingWorkflow(), waiting, { method: 'GET', url });
		expect(page.response.status).toBe(404);
		expect(page.run).toBeUndefined();
	});

	test('of an execution that asks several has a URL of its own, and takes no answer to an earlier one', async () => {
		const n8n = await trigger.listen();
		const request = askingTwice(askingWorkflow());
		const first = await runWorkflow(instance, request);
		const { token, resumeUrl = '' } = questionsOf(n8n).at(-1) ?? {};
		const answer = { token, message: { from: ANNA, content: 'yes' } };
		const second = (await pass(first, answer, resumeUrl, request)).run;
		expect(second?.status).toBe('waiting');

		expect(await pass(second!, answer, resumeUrl, request)).toEqual(NOT_ANSWERED);
		expect(lastUrl(n8n)).not.toBe(resumeUrl);
		expect(questionsOf(n8n)).toHaveLength(1);
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
		const n8n = await trigger.listen(
			{ options: { completeMessages: false }, ...parameters },
			'init',
		);
		says = { status: 409, body: { message: 'is running already' } };
		const { arrived, goOn } = trigger.service.hold(path);
		const asking = ask();
		await arrived;
		await receive(n8n, text);
		goOn();
		const { status } = await asking;
		const isWaiting = status === 'waiting';
		address.passed.length = 0;
		says = isWaiting ? undefined : { status: 409, body: { message: 'has finished' } };
		await n8n.idle();
		return { n8n, status };
	};

	test('its answer waits until the execution waits, and starts no workflow', async () => {
		const { n8n, status } = await receiveWhileAsking('Yes', { filters: { textIs: 'menu' } });
		expect(status).toBe('waiting');
		expect(address.passed).toMatchObject([{ message: { content: 'Yes' } }]);
		expect(n8n.items).toEqual([]);
	});

	test('its answer waits also while the node looks whether it was accepted', async () => {
		await trigger.service.fault(PATHS.sendMessage, 'status-500-after');
		const { n8n, status } = await receiveWhileAsking('Yes', {}, PATHS.messages);
		expect(status).toBe('waiting');
		expect(address.passed).toHaveLength(1);
		expect(n8n.items).toEqual([]);
	});

	test('a text that opts out ends it as soon as it is accepted', async () => {
		await receiveWhileAsking('STOP');
		const passed = await waitUntil('the end', async () => address.passed[0]);
		expect(passed).toMatchObject({ ends: 'optedOut' });
	});

	test('a text starts the workflow as usual when the service refuses the question', async () => {
		await trigger.service.customer(ANNA, { opted_out: true });
		const { n8n, status } = await receiveWhileAsking('Yes');
		expect(status).toBe('success');
		expect(n8n.items).toMatchObject([{ content: 'Yes' }]);
	});
});
