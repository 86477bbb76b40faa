import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { createEngine, type LiveWorkflow } from '../../support/engine';
import { TwoWayMessagingApi } from '../../../credentials/TwoWayMessagingApi.credentials';
import { TwoWayMessagingTrigger } from '../../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { runWorkflow, type Run } from '../../support/executions';
import { log } from '../../support/log';
import { startStub, type StubAnswer } from '../../support/stub';
import { fastMemory } from '../../support/testClock';
import { waitUntil } from '../../support/waitUntil';
import { askingInstance, askingWorkflow } from '../askingWorkflow';
import { inbound, startHistory } from '../triggerHistory';
import {
	derivedSecret,
	itemsOf,
	post,
	receiveEvent,
	signed,
	triggerNode,
} from '../triggerWorkflow';

/* An answer reaches its question. */

type Memory = ReturnType<typeof fastMemory>;

let service: Awaited<ReturnType<typeof startHistory>>;
/** The executions that wait. A test says what they answer; without that, each takes one text and goes on. */
let waiting: Awaited<ReturnType<typeof startStub>>;
let says: StubAnswer | 'nothing' | undefined;
/** Which question was passed which text. */
let passed: Array<{ token: string; content: string }>;
/** The one workflow, and what n8n has saved of it. */
let live: LiveWorkflow;
let memory: Memory;
const served: LiveWorkflow[] = [];
let workflows = 0;
let texted: number;

beforeEach(async () => {
	log.clear();
	service = await startHistory();
	says = undefined;
	passed = [];
	const gone = new Set<string>();
	texted = 0;
	workflows += 1;
	waiting = await startStub(async ({ body, method }) => {
		// The node looks whether n8n can be reached.
		if (method === 'GET') return { status: 409 };
		const { token, message } = JSON.parse(body.toString()) as {
			token: string;
			message: { content: string };
		};
		if (gone.has(token)) return { status: 409, body: { message: 'has finished' } };
		passed.push({ token, content: message.content });
		if (says === 'nothing') return await new Promise(() => {});
		if (says) return says;
		gone.add(token);
		return { body: { answered: true } };
	});
	await listen();
});
afterEach(async () => {
	for (const one of served.splice(0)) await one.close();
	await service.stop();
	await waiting.stop();
});

/** A workflow of this process that listens. */
const serve = async (
	workflowId: string,
	{ credential = service.credential, staticData = {}, activation }: Served = {},
) => {
	const engine = createEngine({
		nodeTypes: [new TwoWayMessagingTrigger(memory)],
		credentialTypes: [new TwoWayMessagingApi()],
		credentials: { twoWayMessagingApi: credential },
		workflowId,
	});
	const nodes = [triggerNode({ options: { completeMessages: false } })];
	const workflow = await engine.serveWorkflow({ nodes, staticData });
	served.push(workflow);
	await workflow.activate(activation);
	return workflow;
};

type Served = {
	credential?: ICredentialDataDecryptedObject;
	staticData?: IDataObject;
	activation?: 'init';
};

/** Starts a process of n8n with what the last one has saved, if there was one. */
const listen = async (activation?: 'init', credential?: ICredentialDataDecryptedObject) => {
	memory = fastMemory();
	const staticData = activation && structuredClone(live.staticData);
	live = await serve(`asked-${workflows}`, { credential, staticData, activation });
};

/** n8n is killed, and starts again with what it had saved. */
const restart = async (credential?: ICredentialDataDecryptedObject) => {
	await live.close();
	await listen('init', credential);
};

/** An execution asks a customer, and waits. */
const ask = async (content: string, signal?: AbortSignal): Promise<Run> => {
	const asking = askingInstance(service.credential, waiting.url, memory);
	return await runWorkflow(asking, { ...askingWorkflow({ content }), signal });
};

/** The customer texts, and the webhook brings it unless it is lost. */
const text = async (
	content: string,
	{ isLost = false, apiSecret = 'secret_abc', from = '+15551230001' } = {},
) => {
	const nowMs = Date.now();
	const handle = `t${(texted += 1)}`;
	service.rows.push(inbound(handle, nowMs, { content, from }));
	if (isLost) return;
	const before = live.runs.length;
	const event = {
		...receiveEvent(handle, { text: content, from }),
		created_at: new Date(nowMs).toISOString(),
	};
	expect((await post(live, signed(event, derivedSecret(apiSecret)))).status).toBe(200);
	if (says !== 'nothing') await live.waitForRuns(before + 1);
};

const contents = () => passed.map(({ content }) => content);

test('a question that waits for a text is saved with the trigger before it is sent', async () => {
	let saved: unknown;
	jest.spyOn(service.requests, 'push').mockImplementation((...requests) => {
		if (requests.some(({ path }) => path === '/v1/send-message')) {
			saved ??= structuredClone(live.staticData);
		}
		return 0;
	});
	expect((await ask('Can we come at 10?')).status).toBe('waiting');
	await live.close();
	Object.assign(live, { staticData: saved });
	await listen('init');
	await text('yes');
	expect(contents()).toEqual(['yes']);
	expect(itemsOf(live)).toEqual([]);
});

test('answers survive a restart, whether a webhook brings them or the check at the start', async () => {
	await ask('Can we come at 10?');
	await ask('Can we come at 11?');
	await restart();
	await text('at 11, yes');
	await text('at 10, too', { isLost: true });
	await restart();
	await waitUntil('the answer', async () => passed[1]);
	expect(contents()).toEqual(['at 11, yes', 'at 10, too']);
	expect(new Set(passed.map(({ token }) => token)).size).toBe(2);
	expect(itemsOf(live)).toEqual([]);
});

test('answers survive kills: what is passed on at that moment reaches the same execution, and no other', async () => {
	await ask('Can we come at 10?');
	await ask('Can we come at 11?');
	says = 'nothing';
	await text('yes');
	await waitUntil('the answer', async () => passed[0]);
	// The execution of another customer's text lets n8n save meanwhile.
	await text('hello', { from: '+15551230009' });
	await waitUntil('the item', async () => itemsOf(live)[0]);
	await restart();
	// Sooner than the process that was killed would try again, were it alive.
	await waitUntil('the answer again', async () => passed[1], 5_000);
	says = undefined;
	await restart();
	await waitUntil('the answer once more', async () => passed[2], 5_000);
	await restart();
	expect(contents()).toEqual(['yes', 'yes', 'yes']);
	expect(new Set(passed.map(({ token }) => token)).size).toBe(1);
	expect(itemsOf(live)).toEqual([]);
});

test('answers survive a new key pair', async () => {
	await ask('Can we come at 10?');
	const apiSecret = 'secret_new';
	await restart({ ...service.credential, apiKey: 'pair_2', apiSecret });
	await text('yes', { apiSecret });
	expect(contents()).toEqual(['yes']);
	expect(itemsOf(live)).toEqual([]);
});

test('an answer is passed on once, also after a kill right behind it', async () => {
	await ask('Can we come at 10?');
	await text('yes');
	await restart();
	await text('thank you');
	await waitUntil('the item', async () => itemsOf(live)[0]);
	expect(contents()).toEqual(['yes']);
	expect(itemsOf(live)).toMatchObject([{ content: 'thank you' }]);
});

test('a text answers one of two open questions, also where n8n was restarted before it saved that', async () => {
	await ask('Can we come at 10?');
	await ask('Shall we call before?');
	await text('yes');
	await restart();
	await text('at 9 please');
	await waitUntil('the second answer', async () => contents()[1]);
	expect(contents()).toEqual(['yes', 'at 9 please']);
	expect(itemsOf(live)).toEqual([]);
});

test('where a proxy gives n8n no clear answer for minutes, the text starts nothing, and the log says so', async () => {
	await ask('Can we come at 10?');
	says = { status: 504 };
	await text('yes');
	expect(itemsOf(live)).toEqual([]);
	expect(log.messages('warn').join()).toContain('cannot tell whether');
});

test('a text that starts a workflow is no answer to what that workflow asks, whichever trigger receives it', async () => {
	const second = await serve(`second-${workflows}`);
	await text('deliver it, please');
	expect((await ask('Where may we deliver?')).status).toBe('waiting');
	const event = { ...receiveEvent('t1', { text: 'deliver it, please' }) };
	await post(second, signed(event, derivedSecret('secret_abc')));
	await waitUntil('the item', async () => itemsOf(second)[0]);
	expect(contents()).toEqual([]);
	expect(itemsOf(second)).toMatchObject([{ content: 'deliver it, please' }]);
	await text('12 Mill Lane');
	await waitUntil('the answer', async () => passed[0]);
	expect(contents()).toEqual(['12 Mill Lane']);
});
