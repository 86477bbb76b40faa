import axios from 'axios';
import type { Row } from '../../support/playground/customer';
import { endedExecutions } from '../../support/playground/executionData';
import type { TemporaryPlayground } from '../../support/playground/temporaryPlayground';
import { PACKAGE, to, workflowOf, type NodeOf } from '../../support/playground/workflowOf';
import { ModelStub } from '../modelStub';

const [ANNA, BEN, MALLORY] = ['+15551230021', '+15551230022', '+15551230023'] as const;
const SUB = 'twmReplySub00001';
const AGENTS = { 2: 'twmReplyAgent002', 3: 'twmReplyAgent003' } as const;

const node = (name: string, type: string, typeVersion: number, parameters = {}): NodeOf => ({
	...{ name, type, typeVersion, parameters },
});

const fields = (name: string) =>
	node(name, 'set', 3.4, { mode: 'raw', jsonOutput: '{ "note": "hi" }' });

const reply = (type: string, content: string) =>
	node('Reply', `${PACKAGE}.${type}`, 1, { resource: 'message', operation: 'reply', content });

const START = node('Start', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
const LOOP = node('Loop', 'splitInBatches', 3);

/** A workflow that keeps no field of the messages it gets, and leads them through n8n's own nodes to Reply. */
const SUB_NODES = [
	START,
	fields('Fields'),
	node('If', 'if', 2.2, {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			combinator: 'and',
			conditions: [
				{
					...{ id: 'c1', leftValue: '={{ $json.note }}', rightValue: 'hi' },
					operator: { type: 'string', operation: 'equals' },
				},
			],
		},
	}),
	fields('Left'),
	node('Code', 'code', 2, {
		jsCode: 'return $input.all().map((_, item) => ({ json: { item }, pairedItem: { item } }));',
	}),
	node('Merge', 'merge', 3, { mode: 'combine', combineBy: 'combineByPosition' }),
	LOOP,
	node('Wait', 'wait', 1.1, { amount: 1 }),
	fields('Last'),
	reply('twoWayMessaging', 'hi'),
];
const SUB_LINKS = {
	Start: { main: [[to('Fields')]] },
	Fields: { main: [[to('If')]] },
	If: { main: [[to('Left'), to('Code')], []] },
	Left: { main: [[to('Merge')]] },
	Code: { main: [[to('Merge', 1)]] },
	Merge: { main: [[to('Loop')]] },
	Loop: { main: [[], [to('Wait')]] },
	Wait: { main: [[to('Last')]] },
	Last: { main: [[to('Reply')]] },
	Reply: { main: [[to('Loop')]] },
};

/** A workflow in which an agent has Reply as its tool. Version 2 calls it by itself, version 3 lets n8n's engine do it. */
const agentNodes = (version: number) => [
	START,
	LOOP,
	node('Agent', '@n8n/n8n-nodes-langchain.agent', version, {
		...{ promptType: 'define', text: '={{ $json.content }}', options: {} },
	}),
	node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
		model: { __rl: true, mode: 'list', value: 'gpt-5-mini' },
		options: {},
	}),
	reply('twoWayMessagingTool', "={{ $fromAI('Text', 'What the message says', 'string') }}"),
];
const AGENT_LINKS = {
	Start: { main: [[to('Loop')]] },
	Loop: { main: [[], [to('Agent')]] },
	Agent: { main: [[to('Loop')]] },
	Model: { ai_languageModel: [[to('Agent', 0, 'ai_languageModel')]] },
	Reply: { ai_tool: [[to('Agent', 0, 'ai_tool')]] },
};

/** A workflow that passes the items of a webhook request on to another. */
const callerNodes = (id: string) => [
	{ ...node('Hook', 'webhook', 2, { path: id, httpMethod: 'POST' }), webhookId: id },
	node('Split', 'splitOut', 1, { fieldToSplitOut: 'body.items' }),
	node('Call', 'executeWorkflow', 1.2, {
		workflowId: { __rl: true, mode: 'id', value: id },
		workflowInputs: { mappingMode: 'defineBelow', value: {} },
	}),
];

/** Reply behind nodes of n8n's own, and as a tool of its agents. */
export const testReply = (temporary: () => TemporaryPlayground) => {
	const model = new ModelStub();
	const control = async <Answer>(path: string) => {
		const { sandboxUrl } = temporary().running;
		return (await axios.get<Answer>(`${sandboxUrl}/sandbox${path}`, { proxy: false })).data;
	};

	const publish = async (id: string, nodes: NodeOf[], connections?: object): Promise<void> => {
		const { n8n } = temporary().running;
		const ours = await n8n.findCredential('twoWayMessagingApi', 'Two-Way Messaging Sandbox');
		const models = await n8n.findCredential('openAiApi', 'Stand-in model');
		const withCredential = nodes.map((one) => {
			const credentials = {
				...(one.type.startsWith(PACKAGE) && { twoWayMessagingApi: { id: ours, name: 'Ours' } }),
				...(one.type.endsWith('OpenAi') && { openAiApi: { id: models, name: 'Model' } }),
			};
			return { ...one, credentials };
		});
		const { versionId } = await n8n.createWorkflow(workflowOf(id, withCredential, connections));
		await n8n.activate(id, versionId);
	};

	beforeAll(async () => {
		await model.listen();
		const key = { apiKey: 'key_of_the_stand_in', url: model.url };
		await temporary().running.n8n.createCredential('openAiApi', 'Stand-in model', key);
		await publish(SUB, SUB_NODES, SUB_LINKS);
		for (const [version, id] of Object.entries(AGENTS)) {
			await publish(id, agentNodes(Number(version)), AGENT_LINKS);
		}
		for (const id of [SUB, ...Object.values(AGENTS)]) await publish(`${id}Call`, callerNodes(id));
	});

	afterAll(async () => await model.close());

	/** A message as the trigger outputs it. */
	const message = async (from: string) => {
		const { lines } = await control<{ lines: Array<{ line_handle: string; number: string }> }>(
			'/state',
		);
		const line = lines[1];
		return {
			...{ event: 'receive', from, to: line?.number, content: 'hello', is_outbound: false },
			...{ message_handle: `m-${from}`, line_handle: line?.line_handle, status: 'RECEIVED' },
		};
	};

	/** Everybody whom the service was asked to text, oldest first. */
	const sent = async (): Promise<string[]> =>
		(await control<{ messages: Row[] }>('/messages?limit=500')).messages
			.filter(({ is_outbound: isOutbound }) => isOutbound)
			.map(({ to: number }) => number)
			.reverse();

	/** Everybody who was texted, once the executions of a workflow have ended. */
	const textedBy = async (id: string, items: object[]): Promise<string[]> => {
		const { n8n, n8nUrl } = temporary().running;
		const had = (await sent()).length;
		await axios.post(`${n8nUrl}/webhook/${id}`, { items }, { proxy: false });
		await endedExecutions(n8n, `${id}Call`, 1);
		return (await sent()).slice(had);
	};

	test('Reply answers each customer in a called workflow, behind every node that drops the fields', async () => {
		await temporary().showingLog(async () => {
			expect(await textedBy(SUB, [await message(ANNA), await message(BEN)])).toEqual([ANNA, BEN]);
		});
	});

	test.each(Object.entries(AGENTS))(
		'Reply as a tool of an agent of version %s answers each customer of a loop, and nobody else',
		async (_, id) =>
			await temporary().showingLog(async () => {
				model.toolArguments = { Text: 'hi' };
				expect(await textedBy(id, [await message(ANNA), await message(BEN)])).toEqual([ANNA, BEN]);
				model.toolArguments = { Text: 'hi', ...(await message(MALLORY)) };
				expect(await textedBy(id, [await message(ANNA)])).toEqual([ANNA]);
			}),
	);
};
