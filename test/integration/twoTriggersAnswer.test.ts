import type { IDataObject } from 'n8n-workflow';
import { TwoWayMessagingApi } from '../../credentials/TwoWayMessagingApi.credentials';
import type { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { createEngine, type LiveWorkflow } from '../support/engine';
import { runWorkflow } from '../support/executions';
import { startStub } from '../support/stub';
import { fastMemory } from '../support/testClock';
import { ANNA, askingInstance, askingWorkflow } from './askingWorkflow';
import { itemsOf, receiveEvent, triggerNode, TriggerService } from './triggerWorkflow';

let service: TriggerService;
/** The executions that wait: each takes one text and then waits no more. */
let waiting: Awaited<ReturnType<typeof startStub>>;
/** Which question got which text. */
let answers: Array<{ token: string; content: string }>;
let served: LiveWorkflow[];

beforeEach(async () => {
	service = await TriggerService.start();
	answers = [];
	served = [];
	waiting = await startStub(({ body }) => {
		const { token, message } = JSON.parse(body.toString()) as {
			token: string;
			message: { content: string };
		};
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
