import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { agentItems } from '../../nodes/TwoWayMessaging/n8n/agentTools';
import { linkedItem } from '../../nodes/TwoWayMessaging/n8n/linkedItems';
import { Agent, asTool, WAYS_TO_CALL, type WayToCall } from '../support/agent';
import { runWorkflow } from '../support/executions';
import { FLOW_NODES } from '../support/flowNodes';
import { Instance } from '../support/instance';
import { Probe, runProbe } from './probe';

const to = (node: string, index = 0) => ({ node, type: NodeConnectionTypes.Main, index });
const ANNA = { json: { name: 'Anna' } };
const BEN = { json: { name: 'Ben' } };

/** What one call of the tool shows: the items that the agent may work on, and what they were at the start. */
type Seen = { items?: IDataObject[]; atStart?: unknown[] };

/** Lets an agent call a tool, once for each of its runs, behind a node of a type. */
async function seenInCalls(
	way: WayToCall,
	call: IDataObject,
	{
		behind = 'editFields',
		items = [ANNA, BEN],
		agent = new Agent(way, [call]),
		review = false,
	} = {},
): Promise<Seen[]> {
	const seen: Seen[] = [];
	const probe = new Probe(async (given) => {
		const context = review ? calledBy('Review', given) : given;
		const found = agentItems(context, ['name']);
		seen.push({
			items: found?.map(({ json }) => json),
			atStart: found?.map((item) => linkedItem(context, item, 'Start')?.name),
		});
		return [[{ json: { done: true } }]];
	});
	const instance = new Instance({
		nodeTypes: [agent, asTool(probe), ...FLOW_NODES],
		credentialTypes: [],
		credentials: {},
	});
	const isLoop = behind === 'loop';
	await runWorkflow(instance, {
		nodes: [
			{ type: 'start', name: 'Start' },
			{ type: behind, name: 'Between' },
			{ type: 'agent', name: 'Agent' },
			{ type: 'probeTool', name: 'Tool' },
		],
		connections: {
			Start: { main: [[to('Between')]] },
			Between: { main: isLoop ? [[], [to('Agent')]] : [[to('Agent')]] },
			Agent: { main: isLoop ? [[to('Between')]] : [[]] },
			Tool: { ai_tool: [[{ node: 'Agent', type: NodeConnectionTypes.AiTool, index: 0 }]] },
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

/** An agent that puts out what every item behind the loop says, so that its own output looks like its input. */
function echoingAgent(way: WayToCall): Agent {
	const agent = new Agent(way, [{ text: 'hi' }]);
	const { execute } = agent;
	agent.execute = async function (response) {
		const result = await execute.call(this, response);
		return Array.isArray(result)
			? [[{ json: { name: 'somebody' }, pairedItem: { item: 0 } }]]
			: result;
	};
	return agent;
}

describe.each(WAYS_TO_CALL)('the items of an agent that calls its tool %s', (way) => {
	test('lead back to the start, and are all: n8n does not say which one a call is for', async () => {
		const [seen] = await seenInCalls(way, { name: 'Mallory' });

		expect(seen).toEqual({ items: [{ note: 'hi' }, { note: 'hi' }], atStart: ['Anna', 'Ben'] });
	});

	test('are those of the present run of a loop', async () => {
		const seen = await seenInCalls(way, { text: 'hi' }, { behind: 'loop' });

		expect(seen.map(({ items }) => items?.map(({ name }) => name))).toEqual([['Anna'], ['Ben']]);
	});

	test('are never those of another run of a loop, whatever the model says', async () => {
		const [, second] = await seenInCalls(way, { name: 'Anna' }, { behind: 'loop' });

		expect(JSON.stringify(second)).not.toContain('Anna');
	});
});

describe('where n8n’s engine runs the tool in a loop, the agent’s own first run is not taken for its input', () => {
	const SOMEBODY = { json: { name: 'somebody' } };

	test('although it looks like it', async () => {
		const [, second] = await seenInCalls(
			'by the engine',
			{},
			{ behind: 'loop', items: [SOMEBODY, SOMEBODY], agent: echoingAgent('by the engine') },
		);

		expect(second).toEqual({
			items: [expect.objectContaining({ name: 'somebody' })],
			atStart: [undefined],
		});
	});

	test('although a human review stands between the agent and the tool', async () => {
		const [, second] = await seenInCalls('by the engine', {}, { behind: 'loop', review: true });

		expect(second).toEqual({
			items: [expect.objectContaining({ name: 'Ben' })],
			atStart: [undefined],
		});
	});
});

test('a node that is no tool of an agent has no such items', async () => {
	let items: unknown = 'not asked';
	await runProbe(async (context) => {
		items = agentItems(context, []);
		return [[]];
	});

	expect(items).toBeUndefined();
});
