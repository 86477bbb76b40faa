import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeProperties,
	INodeType,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeHelpers, SEND_AND_WAIT_OPERATION } from 'n8n-workflow';
import {
	agentItems,
	ANSWER_BY_BUTTONS,
	ASK_AND_WAIT,
	isHumanReview,
	isTool,
	RESPONSE_TYPE_FIELD,
	REVIEW_TEXT_FIELD,
	toolCallOf,
} from '../../nodes/TwoWayMessaging/n8n/agentTools';
import { linkedItem, readRunIndex } from '../../nodes/TwoWayMessaging/n8n/linkedItems';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { Agent, agentRequest, asTool, WAYS_TO_CALL, type WayToCall } from '../support/agent';
import { runWorkflow, type RunRequest } from '../support/executions';
import { FLOW_NODES } from '../support/flowNodes';
import { instanceWith, probeOf, runProbe } from './probe';

const to = (node: string) => ({ node, type: NodeConnectionTypes.Main, index: 0 });
const ANNA = { json: { name: 'Anna' } };
const BEN = { json: { name: 'Ben' } };

const runTool = async (agent: Agent, probe: INodeType, request: RunRequest) =>
	await runWorkflow(instanceWith(agent, asTool(probe), ...FLOW_NODES), request);

/** What a try of a tool call shows of the call: n8n's object of it, and the run index. */
type Try = { call: object | undefined; runIndex: number };

/** Lets an agent call a tool twice with the same words; each call fails once, and is tried again. */
async function triesOfTwoCalls(way: WayToCall): Promise<Try[]> {
	const tries: Try[] = [];
	const probe = probeOf(async (context) => {
		tries.push({ call: toolCallOf(context), runIndex: readRunIndex(context, 0) });
		if (tries.length % 2 === 1) throw new Error('the first try ends here');
		return [[{ json: { done: true } }]];
	});
	const retries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const agent = new Agent(way, [{ text: 'hi' }, { text: 'hi' }]);
	await runTool(agent, probe, agentRequest({ type: 'probeTool', ...retries }));
	expect(tries).toHaveLength(4);
	return tries;
}

describe('a call of a tool by an agent', () => {
	test.each(WAYS_TO_CALL)(
		'%s is known by the same in every try, and by another than the next call',
		async (way) => {
			const [first, firstAgain, second, secondAgain] = await triesOfTwoCalls(way);
			const known = (one?: Try) => one?.call ?? one?.runIndex;

			expect(known(firstAgain)).toBe(known(first));
			expect(known(secondAgain)).toBe(known(second));
			expect(known(second)).not.toBe(known(first));
		},
	);

	test('is an object where the agent calls by itself, and none where the engine runs the node', async () => {
		const calls: unknown[] = (await triesOfTwoCalls('by the engine')).map(({ call }) => call);
		await runProbe(async (context) => {
			calls.push(toolCallOf(context));
			return [[]];
		});
		const byItself = await triesOfTwoCalls('by itself');

		expect(calls).toEqual(Array(5).fill(undefined));
		expect(byItself.map(({ call }) => typeof call)).toEqual(Array(4).fill('object'));
	});

	test('is told by the node’s type in an n8n that does not say who calls', () => {
		const json = { text: 'hi' };
		const old = (type: string) =>
			({
				getNode: () => ({ type }),
				getInputData: () => [{ json }],
			}) as unknown as IExecuteFunctions;

		expect(toolCallOf(old('twoWayMessagingTool'))).toBe(json);
		expect(toolCallOf(old('twoWayMessaging'))).toBeUndefined();
	});
});

/** What one call of the tool shows: the items that the agent may work on, and what they were at the start. */
type Seen = { items?: IDataObject[]; atStart?: unknown[] };

/** Lets an agent call a tool, once for each of its runs, behind a node of a type. */
async function seenInCalls(
	way: WayToCall,
	{ behind = 'loop', items = [ANNA, BEN], agent = new Agent(way, [{}]), review = false } = {},
): Promise<Seen[]> {
	const seen: Seen[] = [];
	const probe = probeOf(async (given) => {
		const context = review ? calledBy('Review', given) : given;
		const found = agentItems(context, ['name']);
		seen.push({
			items: found?.map(({ json }) => json),
			atStart: found?.map((item) => linkedItem(context, item, 'Start')?.name),
		});
		return [[{ json: { done: true } }]];
	});
	const isLoop = behind === 'loop';
	const { nodes, connections } = agentRequest({ type: 'probeTool' });
	await runTool(agent, probe, {
		nodes: [...nodes, { type: behind, name: 'Between' }],
		connections: {
			...connections,
			Start: { main: [[to('Between')]] },
			Between: { main: isLoop ? [[], [to('Agent')]] : [[to('Agent')]] },
			Agent: { main: isLoop ? [[to('Between')]] : [[]] },
		},
		items,
	});
	return seen;
}

/** The context of a tool whose call comes from another node than its agent, as n8n has it behind a human review. */
function calledBy(previousNode: string, context: IExecuteFunctions): IExecuteFunctions {
	const data = context.getExecuteData();
	const getExecuteData = () => ({ ...data, source: { main: [{ previousNode }] } });
	return new Proxy(context, {
		get: (target, name) =>
			name === 'getExecuteData' ? getExecuteData : (Reflect.get(target, name) as unknown),
	});
}

test.each(WAYS_TO_CALL)(
	'the items of an agent that calls its tool %s are all: n8n does not say which one a call is for',
	async (way) => {
		const [seen] = await seenInCalls(way, { behind: 'editFields' });
		expect(seen).toEqual({ items: [{ note: 'hi' }, { note: 'hi' }], atStart: ['Anna', 'Ben'] });
	},
);

describe('where n8n’s engine runs the tool in a loop, the agent’s own first run is not taken for its input', () => {
	const seenSecond = async (more: object) => (await seenInCalls('by the engine', more))[1];
	const only = (name: string) => ({
		items: [expect.objectContaining({ name })],
		atStart: [undefined],
	});

	test('although it looks like it', async () => {
		const agent = new Agent('by the engine', [{}]);
		const { execute } = agent;
		// It puts out what every item behind the loop says.
		agent.execute = async function (response) {
			const result = await execute.call(this, response);
			const json = { name: 'somebody' };
			return Array.isArray(result) ? [[{ json, pairedItem: { item: 0 } }]] : result;
		};
		const somebody = { json: { name: 'somebody' } };
		expect(await seenSecond({ items: [somebody, somebody], agent })).toEqual(only('somebody'));
	});

	test('although a human review stands between the agent and the tool', async () => {
		expect(await seenSecond({ review: true })).toEqual(only('Ben'));
	});
});

const { description } = new TwoWayMessaging();
const fieldsOfQuestion = description.properties.filter(({ displayOptions }) =>
	displayOptions?.show?.operation?.includes(SEND_AND_WAIT_OPERATION),
);
const textField = fieldsOfQuestion.find(({ name }) => name === 'content') as INodeProperties;

describe('what n8n looks for to make a human review of the node', () => {
	test('is an operation of the name that n8n exports', () => {
		expect(ASK_AND_WAIT).toBe(SEND_AND_WAIT_OPERATION);
		expect(fieldsOfQuestion.length).toBeGreaterThan(5);
	});

	test('is a way to answer with buttons, which n8n sets for a human review', () => {
		const field = fieldsOfQuestion.find(({ name }) => name === RESPONSE_TYPE_FIELD);
		const values = field?.options?.map((option) => ('value' in option ? option.value : undefined));
		expect(values).toContain(ANSWER_BY_BUTTONS);
	});

	test('is a webhook that lets the execution continue', () => {
		expect(description.webhooks).toEqual([
			expect.objectContaining({ httpMethod: 'GET', restartWebhook: true, isFullPath: true }),
			expect.objectContaining({ httpMethod: 'POST', restartWebhook: true, isFullPath: true }),
		]);
	});
});

test('n8n hides the Text field where it has added its own text to the node', () => {
	const chosen = { resource: 'message', operation: ASK_AND_WAIT };
	const isShown = (values: object) =>
		NodeHelpers.displayParameter({ ...chosen, ...values }, textField, null, null);

	expect(isShown({})).toBe(true);
	expect(isShown({ [REVIEW_TEXT_FIELD]: 'May the agent do this?' })).toBe(false);
});

test.each([
	['twoWayMessaging', false, false],
	['twoWayMessagingTool', true, false],
	['twoWayMessagingHitlTool', true, true],
])(
	'the ending of the type %s tells what n8n tells: a tool: %s, a review: %s',
	(ending, ...told) => {
		const type = `n8n-nodes-two-way-messaging.${ending}`;
		const node = { type } as INode;
		expect([isTool(node), isHumanReview(node)]).toEqual(told);
		expect([NodeHelpers.isToolType(type), NodeHelpers.isHitlToolType(type)]).toEqual(told);
	},
);
