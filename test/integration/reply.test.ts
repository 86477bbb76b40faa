import type { IConnections, IDataObject, INodeParameters } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { CHARACTER_NAMES, NO_REQUEST_LIMITS } from '../../sandbox/src';
import { Agent, agentRequest, asTool, WAYS_TO_CALL } from '../support/agent';
import { runWorkflow, type Run, type RunRequest } from '../support/executions';
import { FLOW_NODES } from '../support/flowNodes';
import { Instance, type NodeSpec } from '../support/instance';
import { ANNA, BEN, FRONT_DESK, SUPPORT } from '../support/service';
import { endWait, visit } from '../support/waits';
import { TriggerService } from './triggerService';
import { TRIGGER } from './triggerWorkflow';

const COLLEAGUE = '+15551230003';
const { handle: LINE_HANDLE, number: LINE } = SUPPORT;
const NO_MESSAGE =
	'There is no message of a customer here: not in the item, and not at the start of the workflow';

let trigger: TriggerService;

const start = async (options: Parameters<typeof TriggerService.start>[0] = {}) => {
	trigger = await TriggerService.start({ requestLimits: NO_REQUEST_LIMITS, ...options });
};

afterEach(async () => await trigger.stop());

/** The items that the trigger makes of the texts of customers to the second line, in the service's present form. */
const received = async (texts: object[], parameters: INodeParameters = {}) => {
	const n8n = await trigger.listen({ checkEvery: 0, ...parameters });
	for (const text of texts) await trigger.text('hello', { to: LINE, ...text });
	return n8n.items;
};

/** What the trigger would put out for texts of these customers to the second line. */
const textsOf = async (...customers: string[]): Promise<IDataObject[]> => {
	const items: IDataObject[] = [];
	for (const from of customers) {
		const row = await trigger.service.text('hello', { from, to: LINE });
		items.push({ event: 'receive', ...row });
	}
	return items;
};

const START: NodeSpec = { type: 'twoWayMessagingTrigger', name: TRIGGER };

const replyNode = (parameters: INodeParameters = {}, more: Partial<NodeSpec> = {}): NodeSpec => ({
	type: 'twoWayMessaging',
	name: 'Reply',
	parameters: { resource: 'message', operation: 'reply', content: 'hi there', ...parameters },
	...more,
});

const instanceWith = (agent?: Agent, tool?: TwoWayMessaging) =>
	new Instance({
		nodeTypes: [
			new TwoWayMessagingTrigger(),
			new TwoWayMessaging(trigger.service.memory),
			...FLOW_NODES,
			...(agent && tool ? [agent, tool] : []),
		],
		credential: trigger.service.credential(),
	});

const to = (node: string, index = 0) => ({ node, type: NodeConnectionTypes.Main, index });

/** Connections by which each node leads to the next one, by whichever output. */
const inARow = (...names: string[]): IConnections =>
	Object.fromEntries(
		names.slice(1).map((name, at) => [names[at]!, { main: [[to(name)], [to(name)], [to(name)]] }]),
	);

const loopOver = (...names: string[]): IConnections => ({
	...inARow(...names, 'loop'),
	...{ [TRIGGER]: { main: [[to('loop')]] }, loop: { main: [[], [to(names[0]!)]] } },
});

/** Runs a workflow that begins with the items of the trigger, and ends with Reply. */
const run = async (
	items: IDataObject[],
	between: NodeSpec[] = [],
	{ first = START, reply = replyNode(), ...more }: RunOptions = {},
): Promise<Run> =>
	await runWorkflow(instanceWith(), {
		nodes: [first, ...between, reply],
		items: items.map((json) => ({ json })),
		...more,
	});

type RunOptions = Partial<RunRequest> & { first?: NodeSpec; reply?: NodeSpec };

/** Who was texted by which line, and what. */
const sent = async () =>
	(await trigger.service.accepted()).map(({ to: number, line_handle: line, content }) => ({
		number,
		line,
		content,
	}));

const numbers = async () => (await sent()).map(({ number }) => number);

const TO_ANNA = { number: ANNA, line: LINE_HANDLE, content: 'hi there' };
const TO_BEN = { ...TO_ANNA, number: BEN };

const messageNode = (name: string, parameters: INodeParameters): NodeSpec => ({
	...{ type: 'twoWayMessaging', name },
	parameters: { resource: 'message', ...parameters },
});
const sendNode = (name: string) =>
	messageNode(name, { operation: 'send', number: COLLEAGUE, content: 'first' });

const SEND = sendNode('Send');
const GET_STATUS = messageNode('Status', {
	operation: 'getStatus',
	messageHandle: '={{ $json.message_handle }}',
});
const GET_MANY = messageNode('History', { operation: 'getMany', filters: {} });

const EVENT_FORMS = ['envelope', 'flat'] as const;
const WORLDS = CHARACTER_NAMES.flatMap((character) =>
	EVENT_FORMS.map((eventForm) => ({ character, eventForm })),
);

describe.each(WORLDS)('Reply, with a $character service and $eventForm events', (world) => {
	beforeEach(async () => await start(world));

	test('§4.4, §6.2, §6.3 answers the customer who texted, whatever stands between', async () => {
		const items = await received([{ from: ANNA }]);

		for (const between of [[], [{ type: 'editFields' }], [SEND], [SEND, GET_STATUS]]) {
			const before = (await sent()).length;
			const { status } = await run(items, between);

			expect(status).toBe('success');
			const isSend = between.includes(SEND);
			const [first, ...others] = (await sent()).slice(before);
			expect(first).toMatchObject(isSend ? { number: COLLEAGUE } : TO_ANNA);
			expect(others).toEqual(isSend ? [TO_ANNA] : []);
		}
	});

	test('understands the service’s own body, with Simplify off', async () => {
		const items = await received([{ from: ANNA }], { options: { simplify: false } });
		await run(items, [{ type: 'editFields' }]);
		expect(await sent()).toEqual([TO_ANNA]);
	});

	test('behind rows of the history, goes to the customer of each', async () => {
		await received([{ from: ANNA }, { from: BEN }]);
		await run([{}], [GET_MANY]);
		expect(new Set(await sent())).toEqual(new Set([TO_ANNA, TO_BEN]));
	});
});

describe('Reply', () => {
	beforeEach(async () => await start());

	const anna = async () => await textsOf(ANNA);
	/** Two customers in one execution, so that only n8n's links tell whom an item belongs to. */
	const both = async () => await textsOf(ANNA, BEN);

	test.each<[string, string[], IConnections?]>([
		['Edit Fields that keeps no field', ['editFields']],
		['Code that links its items', ['code']],
		['an AI Agent', ['model']],
		['several nodes', ['editFields', 'code', 'model']],
		['Loop Over Items', ['loop', 'editFields'], loopOver('editFields', 'Reply')],
	])('tells customers apart behind %s', async (...[, types, connections]) => {
		const between = types.map((type) => ({ type, name: type }));
		await run(await both(), between, { ...(connections && { connections }) });
		expect(await sent()).toEqual([TO_ANNA, TO_BEN]);
	});

	test.each(['codeWithoutLinks', 'aggregate'])(
		'sends nothing behind %s, where several customers may be meant',
		async (type) => {
			const { error } = await run(await both(), [{ type }]);
			expect(error?.message).toBe('Several messages may be meant, and n8n does not say which');
			expect(error?.description).toContain('pairedItem');
			expect(await sent()).toEqual([]);
		},
	);

	describe('behind a message of ours', () => {
		const EVENT = { event: 'outbound', message_handle: 'm1', to: BEN, line_handle: LINE_HANDLE };

		test.each<[string, IDataObject, NodeSpec[]]>([
			['an event', EVENT, []],
			['an event, with other nodes between', EVENT, [SEND, { type: 'editFields' }]],
			['the service’s own event', { type: 'outbound', data: { message: EVENT } }, []],
			['an item that says so', { to: BEN, is_outbound: true }, []],
			['a message just sent, where nobody texted', {}, [SEND]],
			['the status of one, where nobody texted', {}, [SEND, GET_STATUS]],
			['a row of the history', {}, [SEND, GET_MANY]],
		])('refuses to answer it, as that could go on without end: %s', async (_, item, between) => {
			const { error } = await run([item], between);
			expect(error?.message).toBe('Reply answers customers, and this message is one of yours');
			expect(error?.description).toContain("'Message Sent or Failed'");
			expect(await numbers()).toEqual(between.includes(SEND) ? [COLLEAGUE] : []);
		});

		const TWICE = { type: 'twice' };
		const FIRST_REPLY = replyNode({ content: 'soon' }, { name: 'First reply' });

		test.each<[string, NodeSpec[], string[]]>([
			['and a node that keeps its fields', [SEND, { type: 'passOn' }], [COLLEAGUE, ANNA]],
			['and a node that has lost its links', [SEND, TWICE], [COLLEAGUE, ANNA, ANNA]],
			['and another one', [SEND, sendNode('Send 2')], [COLLEAGUE, COLLEAGUE, ANNA]],
			['and a Reply', [SEND, FIRST_REPLY], [COLLEAGUE, ANNA, ANNA]],
			[
				'between nodes that lose their links',
				[{ ...TWICE, name: 'One' }, SEND, TWICE],
				[COLLEAGUE, COLLEAGUE, ANNA, ANNA, ANNA, ANNA],
			],
		])('answers the customer who texted behind it %s', async (_, between, texted) => {
			await run(await anna(), between);
			expect(await numbers()).toEqual(texted);
		});

		test('answers each customer of a loop', async () => {
			await run(await both(), [{ type: 'loop' }, SEND], { connections: loopOver('Send', 'Reply') });
			expect(await numbers()).toEqual([COLLEAGUE, ANNA, COLLEAGUE, BEN]);
		});

		test('sends nothing where several customers have started the workflow and the links are lost', async () => {
			await run(await both(), [SEND, TWICE]);
			expect(await numbers()).toEqual([COLLEAGUE, COLLEAGUE]);
		});

		test('sends nothing where nobody says where the message comes from, and it went to somebody else', async () => {
			const [item] = await anna();
			const row = { message_handle: 'm9', to: BEN, is_outbound: true };

			const { error } = await run([{ ...item, row }], [{ type: 'database' }]);

			expect(error?.message).toBe(
				'Two customers may be meant: whom the item’s message went to, and who started the workflow',
			);
			expect(error?.description).toContain('Edit Fields');
			expect(await sent()).toEqual([]);
		});

		test.each([
			['went to the customer who texted', { message_handle: 'm9', to: ANNA, is_outbound: true }],
			['is the customer’s by its ID', {}],
		])('answers the customer who texted where a message from elsewhere %s', async (_, fields) => {
			const [item] = await anna();
			const row = { message_handle: item?.message_handle, ...fields };
			await run([{ ...item, row }], [{ type: 'database' }]);
			expect(await sent()).toEqual([TO_ANNA]);
		});

		test('Get Conversation reads what was said with the customer who texted', async () => {
			const reply = messageNode('Read', { operation: 'getConversation' });
			const { json } = await run(await anna(), [SEND], { reply });
			expect(json('Read')).toMatchObject([{ customer: ANNA }]);
		});
	});

	describe('behind a question to a colleague', () => {
		const ask = (name: string, number: string) =>
			messageNode(name, {
				...{ operation: 'sendAndWait', responseType: 'approval', limitWaitTime: true },
				...{ number, content: 'Shall we?' },
			});

		/** An execution that Anna has started, and that waits for an answer. */
		const begin = async (...nodes: NodeSpec[]) => {
			const instance = instanceWith();
			const request: RunRequest = {
				nodes: [START, ...nodes],
				connections: inARow(TRIGGER, ...nodes.map(({ name, type }) => name ?? type)),
				items: (await anna()).map((json) => ({ json })),
			};
			const waiting = await runWorkflow(instance, request);
			return { instance, request, waiting };
		};

		test.each(
			['approve', 'decline', 'time over'].flatMap((end) => [
				{ end, parameters: {}, number: ANNA },
				{ end, parameters: { replyTo: 'customer' }, number: ANNA },
				{ end, parameters: { replyTo: 'answerer' }, number: COLLEAGUE },
			]),
		)('after $end, with $parameters, goes to $number, also through other nodes', async (given) => {
			const replies = ['At once', 'Later'].map((name) => replyNode(given.parameters, { name }));
			const nodes = [ask('Ask', COLLEAGUE), replies[0]!, { type: 'editFields' }, replies[1]!];
			const { instance, request, waiting } = await begin(...nodes);
			const [question] = await trigger.service.accepted();
			const url = /\n(http\S+)$/.exec(question?.content ?? '')?.[1];
			const press = { method: 'POST', body: { decision: given.end }, url } as const;

			await (given.end === 'time over'
				? endWait(instance, request, waiting)
				: visit(instance, request, waiting, press));

			const line = given.number === ANNA ? LINE_HANDLE : question?.line_handle;
			const reply = { number: given.number, line, content: 'hi there' };
			expect((await sent()).slice(1)).toEqual([reply, reply]);
		});

		test('goes to who was asked last of several, through other nodes', async () => {
			const questions = [ask('Ask', COLLEAGUE), ask('Ask 2', BEN)];
			const reply = replyNode({ replyTo: 'answerer' });
			const { instance, request, waiting } = await begin(
				...[...questions, { type: 'editFields' }, reply],
			);
			await endWait(instance, request, await endWait(instance, request, waiting));
			expect(await numbers()).toEqual([COLLEAGUE, BEN, BEN]);
		});

		const QUESTION = { message_handle: 'q1', to: COLLEAGUE, line_handle: LINE_HANDLE };
		const TEXT = {
			...{ answered: true, from: COLLEAGUE, to: LINE, content: 'yes', is_outbound: false },
			...{ message_handle: 'm9', line_handle: LINE_HANDLE, question: QUESTION },
		};

		test.each<[string, INodeParameters, string]>([
			['a customer has started the workflow', {}, ANNA],
			['a customer has started the workflow', { replyTo: 'customer' }, ANNA],
			['a customer has started the workflow', { replyTo: 'answerer' }, COLLEAGUE],
			['nobody has', { replyTo: 'customer' }, COLLEAGUE],
			['nobody has', { replyTo: 'answerer' }, COLLEAGUE],
		])('that a text answers, where %s, with %j goes to %s', async (who, parameters, number) => {
			const reply = replyNode(parameters);
			const [item] = await anna();
			if (who === 'nobody has') await run([TEXT], [], { reply });
			else await run([{ ...item, row: TEXT }], [{ type: 'database' }], { reply });
			expect(await numbers()).toEqual([number]);
		});
	});

	const SCHEDULE = { type: 'scheduleTrigger', name: 'Start' };

	const NOBODY = new RegExp(`^${NO_MESSAGE}.*Nothing was sent`);
	const PERSON = { message_handle: 'm1', from: ANNA, to: LINE, is_outbound: false };
	const LAST_ASKED = { reply: replyNode({ replyTo: 'answerer' }) };

	test.each<[string, IDataObject, RegExp, RunOptions?]>([
		['no message has started the workflow', {}, NOBODY, { first: SCHEDULE }],
		['a line has started the workflow', { event: 'line_blocked', line_handle: 'l1' }, NOBODY],
		['the item is about something else', { status: 'received', from: ANNA, to: LINE }, NOBODY],
		['nobody is named', { message_handle: 'm1', status: 'SENT' }, /not say who the customer is/],
		[
			'it came to a number that is no line',
			{ ...PERSON, to: BEN },
			/^No line .* number \+15551230002/,
		],
		['short codes text', { ...PERSON, from: '72345' }, /“72345”, is not in .* cannot be texted/],
		['its line is gone', { ...PERSON, line_handle: 'gone' }, /not one of yours\. .*operation Send/],
		['nobody was asked who is meant', PERSON, /^Nobody was asked before this node/, LAST_ASKED],
	])('sends nothing where %s', async (...[, item, words, more]) => {
		const { error } = await run([item], [], more);
		const said = `${error?.message}. ${error?.description}`;
		expect(said).toMatch(words);
		expect(await sent()).toEqual([]);
	});

	test('names the item that it cannot answer, and answers the others', async () => {
		const reply = replyNode({}, { onError: 'continueRegularOutput' });

		const { json } = await run([{ note: 1 }, ...(await anna())], [], { first: SCHEDULE, reply });

		expect(json('Reply').map(({ error_message: error, to: number }) => error || number)).toEqual([
			...[NO_MESSAGE, ANNA],
		]);
		expect(await sent()).toEqual([TO_ANNA]);
	});

	test('§6.3 reads from the history which line a text without one came to', async () => {
		const [item] = await anna();
		await run([{ ...item, to: undefined, line_handle: undefined }]);
		expect(await sent()).toEqual([TO_ANNA]);
	});

	test('uses no line but the one that the item names, whatever the customer texted since', async () => {
		const items = await anna();
		await trigger.text('to the other line', { to: FRONT_DESK.number });
		await run(items);
		expect(await sent()).toEqual([TO_ANNA]);
	});

	test('goes to the customer of a conversation', async () => {
		await run([{ customer: BEN, line_handle: LINE_HANDLE, messages: [], transcript: '' }]);
		expect(await sent()).toEqual([TO_BEN]);
	});

	test('has the options of Send, and sends media too', async () => {
		const items = await anna();
		const mediaUrl = 'https://example.com/menu.jpg';
		await run(items, [], { reply: replyNode({ content: '', media: 'url', mediaUrl }) });
		await trigger.service.customer(ANNA, { opted_out: true });

		const { json } = await run(items, [], {
			reply: replyNode({ options: { ifOptedOut: 'skip' } }),
		});

		expect(json('Reply')).toMatchObject([{ to: ANNA, status: 'SKIPPED' }]);
		expect(await trigger.service.accepted()).toMatchObject([{ to: ANNA, media_url: mediaUrl }]);
	});
});

describe.each(WAYS_TO_CALL)('Reply as a tool that an agent calls %s', (way) => {
	beforeEach(async () => await start());

	const LOOP: NodeSpec = { type: 'loop' };

	/** Runs an agent behind the trigger and one node, or in a loop. */
	const callTool = async (items: IDataObject[], call: IDataObject = {}, between?: NodeSpec) => {
		const content = "={{ $fromAI('Text', '', 'string', 'hi there') }}";
		const { nodes, connections } = agentRequest(
			replyNode({ content }, { type: 'twoWayMessagingTool' }),
		);
		const names = between ? [between.name ?? between.type] : [];
		const tool = asTool(new TwoWayMessaging(trigger.service.memory));
		return await runWorkflow(instanceWith(new Agent(way, [call]), tool), {
			nodes: [START, ...(between ? [between] : []), ...nodes.slice(1)],
			items: items.map((json) => ({ json })),
			connections: {
				Tool: connections?.Tool ?? {},
				...(between === LOOP ? loopOver('Agent') : inARow(TRIGGER, ...names, 'Agent')),
			},
		});
	};

	test('answers the customer who texted behind a message to a colleague', async () => {
		await callTool(await textsOf(ANNA), {}, SEND);
		expect(await numbers()).toEqual([COLLEAGUE, ANNA]);
	});

	test('lets the model set the text, and nothing else', async () => {
		const other = {
			...{ from: BEN, to: BEN, number: BEN, customer: BEN, is_outbound: false },
			...{ message_handle: 'm9', line_handle: 'l9', event: 'receive', messages: [] },
		};
		const call = { Text: 'as you say', ...other, data: { message: other }, message: other };

		await callTool(await textsOf(ANNA), call);

		expect(await sent()).toMatchObject([{ number: ANNA, line: LINE_HANDLE }]);
	});

	test('answers each customer of a loop of the agent', async () => {
		await callTool(await textsOf(ANNA, BEN), {}, LOOP);
		expect(await sent()).toEqual([TO_ANNA, TO_BEN]);
	});

	test('cannot be talked into texting another customer of a loop', async () => {
		const [anna, ben] = await textsOf(ANNA, BEN);
		await callTool([anna ?? {}, ben ?? {}], anna, LOOP);
		expect((await numbers()).filter((number) => number === ANNA)).toHaveLength(1);
	});

	test('texts nobody where the agent works on several customers’ items at once', async () => {
		const items = await textsOf(ANNA, BEN);
		await callTool(items, {}, { type: 'editFields' });
		expect(await sent()).toEqual([]);
	});
});
