import type { IDataObject } from 'n8n-workflow';
import { TwoWayMessagingApi } from '../../credentials/TwoWayMessagingApi.credentials';
import type { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { createEngine, type LiveWorkflow } from '../support/engine';
import { runWorkflow } from '../support/executions';
import { savedField } from '../support/savedFields';
import { startStub, type StubAnswer } from '../support/stub';
import { fastMemory } from '../support/testClock';
import { ANNA, askingInstance, askingWorkflow } from './askingWorkflow';
import { itemsOf, receiveEvent, triggerNode, TriggerService } from './triggerWorkflow';

let service: TriggerService;
/** The executions that wait: each takes one text and then waits no more. */
let waiting: Awaited<ReturnType<typeof startStub>>;
/** What an execution answers in place of taking the text, by the question's token. */
let says: Map<string, StubAnswer>;
/** Which question got which text. */
let answers: Array<{ token: string; content: string }>;
let served: LiveWorkflow[];

beforeEach(async () => {
	service = await TriggerService.start();
	answers = [];
	says = new Map();
	served = [];
	waiting = await startStub(({ body }) => {
		const { token, message } = JSON.parse(body.toString()) as {
			token: string;
			message: { content: string };
		};
		const said = says.get(token);
		if (said) return said;
		if (answers.some((answer) => answer.token === token)) {
			return { status: 409, body: { message: 'has finished' } };
		}
		answers.push({ token, content: message.content });
		return { body: { answered: true } };
	});
});

afterEach(async () => {
	for (const live of served) await live.close();
	await service.stop();
	await waiting.stop();
});

/** Publishes a workflow of the trigger, with what n8n has saved of it. */
const publish = async (workflowId: string, memory: ProcessMemory, staticData: IDataObject = {}) => {
	const engine = createEngine({
		nodeTypes: [new TwoWayMessagingTrigger(memory)],
		credentialTypes: [new TwoWayMessagingApi()],
		credentials: { twoWayMessagingApi: service.credential },
		workflowId,
	});
	const nodes = [triggerNode({ options: { completeMessages: false } })];
	const live = await engine.serveWorkflow({ nodes, staticData: structuredClone(staticData) });
	served.push(live);
	await live.activate();
	return live;
};

const receive = async (live: LiveWorkflow, handle: string, text: string) => {
	const before = live.runs.length;
	const created_at = new Date().toISOString();
	const event = { ...receiveEvent(handle, { from: ANNA, text }), created_at };
	expect((await service.send(live, event)).status).toBe(200);
	await live.waitForRuns(before + 1);
};

test('a text that has answered a question answers no other when another trigger gets it after a kill', async () => {
	const memory = fastMemory();
	const workflows = [await publish('first', memory), await publish('other', memory)] as const;
	const asking = askingInstance(service.credential, waiting.url, memory);
	await runWorkflow(asking, askingWorkflow({ content: 'Shall we deliver on Friday?' }));
	await runWorkflow(asking, askingWorkflow({ content: 'Do you want a gift box?' }));
	await receive(workflows[0], 'm1', 'Yes');
	expect(answers).toHaveLength(1);

	const next = fastMemory();
	await publish('first', next, workflows[0].staticData);
	const other = await publish('other', next, workflows[1].staticData);
	await receive(other, 'm1', 'Yes');

	expect(answers).toHaveLength(1);
	expect(itemsOf(other)).toEqual([]);

	await receive(other, 'm2', 'And Friday is fine, too');
	expect(answers.map(({ content }) => content)).toEqual(['Yes', 'And Friday is fine, too']);
	expect(itemsOf(other)).toEqual([]);
});

test('a text that no question has taken is marked with none of them, also where another trigger had saved that', async () => {
	const memory = fastMemory();
	const first = await publish('this one', memory);
	const other = await publish('that one', memory);
	const questions = () => savedField(other.staticData['node:Trigger'], 'questions') ?? [];
	const asking = askingInstance(service.credential, waiting.url, memory);
	await runWorkflow(asking, askingWorkflow({ content: 'Shall we deliver on Friday?' }));
	await runWorkflow(asking, askingWorkflow({ content: 'Do you want a gift box?' }));
	const [older, newer] = questions().map(({ token }) => token);
	says.set(String(newer), { status: 410, body: { answered: false } });
	says.set(String(older), { status: 429 });

	await receive(first, 'm1', 'Yes');

	expect(itemsOf(first)).toEqual([expect.objectContaining({ content: 'Yes' })]);
	expect(questions().map(({ token }) => token)).toContain(older);
	expect(questions().flatMap(({ usedTexts = [] }) => usedTexts)).toEqual([]);
});
