import axios from 'axios';
import type { Row } from '../../support/playground/customer';
import type { TemporaryPlayground } from '../../support/playground/temporaryPlayground';
import { waitUntil } from '../../support/waitUntil';
import { ModelStub } from '../modelStub';

const PACKAGE = 'n8n-nodes-two-way-messaging';
const ANNA = '+15551230021';
const BEN = '+15551230022';
const MALLORY = '+15551230023';
const COLLEAGUE = '+15551230024';
const SUB = 'twmReplySub00001';
const BEHIND_SEND = 'twmReplySend0001';
const AGENTS = { 2: 'twmReplyAgent002', 3: 'twmReplyAgent003' } as const;

type Node = { name: string; type: string; typeVersion: number; parameters: object };
type Link = { node: string; type: string; index: number };

const base = (name: string, type: string, typeVersion: number, parameters: object = {}): Node => ({
	...{ name, type: type.includes('.') ? type : `n8n-nodes-base.${type}`, typeVersion },
	parameters,
});
const to = (node: string, index = 0, type = 'main'): Link => ({ node, type, index });

const fields = (name: string) =>
	base(name, 'set', 3.4, { mode: 'raw', jsonOutput: '{ "note": "hi" }' });

const reply = (type: string, content: string) =>
	base('Reply', `${PACKAGE}.${type}`, 1, { resource: 'message', operation: 'reply', content });

const START = base('Start', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
const LOOP = base('Loop', 'splitInBatches', 3);

/** A workflow that keeps no field of the messages it gets, and leads them through n8n's own nodes to Reply. */
const SUB_NODES = [
	START,
	fields('Fields'),
	base('If', 'if', 2.2, {
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
	base('Code', 'code', 2, {
		jsCode: 'return $input.all().map((_, item) => ({ json: { item }, pairedItem: { item } }));',
	}),
	base('Merge', 'merge', 3, { mode: 'combine', combineBy: 'combineByPosition' }),
	LOOP,
	base('Wait', 'wait', 1.1, { amount: 1 }),
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

/** A workflow that texts a colleague about each message before it answers it. */
const BEHIND_SEND_NODES = [
	START,
	LOOP,
	base('Send', `${PACKAGE}.twoWayMessaging`, 1, { number: COLLEAGUE, content: 'please look' }),
	base('Wait', 'wait', 1.1, { amount: 1 }),
	reply('twoWayMessaging', 'We will be back to you'),
];
const BEHIND_SEND_LINKS = {
	Start: { main: [[to('Loop')]] },
	Loop: { main: [[], [to('Send')]] },
	Send: { main: [[to('Wait')]] },
	Wait: { main: [[to('Reply')]] },
	Reply: { main: [[to('Loop')]] },
};

/** A workflow in which an agent has Reply as its tool. Version 2 calls it by itself, version 3 lets n8n's engine do it. */
const agentNodes = (version: number) => [
	START,
	LOOP,
	base('Agent', '@n8n/n8n-nodes-langchain.agent', version, {
		...{ promptType: 'define', text: '={{ $json.content }}', options: {} },
	}),
	base('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
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
	{ ...base('Hook', 'webhook', 2, { path: id, httpMethod: 'POST' }), webhookId: id },
	base('Split', 'splitOut', 1, { fieldToSplitOut: 'body.items' }),
	base('Call', 'executeWorkflow', 1.2, {
		workflowId: { __rl: true, mode: 'id', value: id },
		workflowInputs: { mappingMode: 'defineBelow', value: {} },
	}),
];
const CALLER_LINKS = { Hook: { main: [[to('Split')]] }, Split: { main: [[to('Call')]] } };

/** Reply behind nodes of n8n's own, and as a tool of its agents. */
export const testReply = (temporary: () => TemporaryPlayground) => {
	const model = new ModelStub();

	const publish = async (id: string, nodes: Node[], connections: object): Promise<void> => {
		const { n8n } = temporary().running;
		const ours = await n8n.findCredential('twoWayMessagingApi', 'Two-Way Messaging Sandbox');
		const models = await n8n.findCredential('openAiApi', 'Stand-in model');
		const credentialsOf = ({ type }: Node) => {
			if (type.startsWith(PACKAGE)) return { twoWayMessagingApi: { id: ours ?? '', name: 'Ours' } };
			return type.endsWith('OpenAi') ? { openAiApi: { id: models ?? '', name: 'Model' } } : {};
		};
		const workflow = {
			...{ id, name: id, active: false, settings: { executionOrder: 'v1' } },
			nodes: nodes.map((node, at) => ({
				...{ ...node, id: `${id}-${at}`, position: [at * 200, 0] },
				credentials: credentialsOf(node),
			})),
			connections,
		} as unknown as Parameters<typeof n8n.createWorkflow>[0];
		const { versionId } = await n8n.createWorkflow(workflow);
		await n8n.activate(id, versionId);
	};

	beforeAll(async () => {
		await model.listen();
		await temporary().running.n8n.createCredential('openAiApi', 'Stand-in model', {
			...{ apiKey: 'key_of_the_stand_in', url: model.url },
		});
		await publish(SUB, SUB_NODES, SUB_LINKS);
		await publish(BEHIND_SEND, BEHIND_SEND_NODES, BEHIND_SEND_LINKS);
		for (const [version, id] of Object.entries(AGENTS)) {
			await publish(id, agentNodes(Number(version)), AGENT_LINKS);
		}
		for (const id of [SUB, BEHIND_SEND, ...Object.values(AGENTS)]) {
			await publish(`${id}Call`, callerNodes(id), CALLER_LINKS);
		}
	});

	afterAll(async () => await model.close());

	/** A message as the trigger outputs it. */
	const message = async (from: string) => {
		const { data } = await axios.get<{ lines: Array<{ line_handle: string; number: string }> }>(
			`${temporary().running.sandboxUrl}/sandbox/state`,
			{ proxy: false },
		);
		const line = data.lines[1];
		return {
			...{ event: 'receive', from, to: line?.number, content: 'hello', is_outbound: false },
			...{ message_handle: `m-${from}`, line_handle: line?.line_handle, status: 'RECEIVED' },
		};
	};

	/** Everybody whom the service was asked to text, oldest first. */
	const sent = async (): Promise<string[]> => {
		const url = `${temporary().running.sandboxUrl}/sandbox/messages`;
		const { data } = await axios.get<{ messages: Row[] }>(url, {
			params: { limit: 500 },
			proxy: false,
		});
		return data.messages
			.filter(({ is_outbound: isOutbound }) => isOutbound)
			.map(({ to: number }) => number)
			.reverse();
	};

	/** Everybody who was texted, once the executions of a workflow have ended. */
	const textedBy = async (id: string, items: object[]): Promise<string[]> => {
		const { n8n, n8nUrl } = temporary().running;
		const had = (await sent()).length;
		await axios.post(`${n8nUrl}/webhook/${id}`, { items }, { proxy: false });
		await waitUntil('the execution to end', async () => {
			const executions = await n8n.executions(`${id}Call`);
			const ended = ['success', 'error', 'crashed'];
			return executions.length > 0 && executions.every(({ status }) => ended.includes(status))
				? true
				: undefined;
		});
		return (await sent()).slice(had);
	};

	test('Reply answers each customer in a called workflow, behind every node that drops the fields', async () => {
		await temporary().showingLog(async () => {
			expect(await textedBy(SUB, [await message(ANNA), await message(BEN)])).toEqual([ANNA, BEN]);
		});
	});

	test('Reply answers each customer behind a Send to a colleague', async () => {
		await temporary().showingLog(async () => {
			const texted = await textedBy(BEHIND_SEND, [await message(ANNA), await message(BEN)]);
			expect(texted).toEqual([COLLEAGUE, ANNA, COLLEAGUE, BEN]);
		});
	});

	describe.each(Object.entries(AGENTS))('Reply as a tool of an agent of version %s', (_, id) => {
		test('answers each customer of a loop', async () => {
			model.toolArguments = { Text: 'hi' };
			await temporary().showingLog(async () => {
				expect(await textedBy(id, [await message(ANNA), await message(BEN)])).toEqual([ANNA, BEN]);
			});
		});

		test('texts nobody whom the model names', async () => {
			model.toolArguments = { Text: 'hi', ...(await message(MALLORY)) };
			await temporary().showingLog(async () => {
				expect(await textedBy(id, [await message(ANNA)])).toEqual([ANNA]);
			});
		});
	});
};
