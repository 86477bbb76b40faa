import type { IConnections, IDataObject, INodeParameters } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { TwoWayMessagingApi } from '../../credentials/TwoWayMessagingApi.credentials';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { CHARACTER_NAMES, NO_REQUEST_LIMITS } from '../../sandbox/src';
import { Agent, asTool, WAYS_TO_CALL } from '../support/agent';
import { runWorkflow, type Run, type RunRequest } from '../support/executions';
import { FLOW_NODES } from '../support/flowNodes';
import { Instance, type NodeSpec } from '../support/instance';
import { startStub } from '../support/stub';
import { fastMemory } from '../support/testClock';
import { endWait, visit } from '../support/waits';
import { itemsOf, TRIGGER, TriggerService } from './triggerWorkflow';

const ANNA = '+15551230001';
const BEN = '+15551230002';
const COLLEAGUE = '+15551230003';
const FIRST_LINE = '+15550100001';
const LINE = '+15550100002';
const NO_MESSAGE =
	'There is no message of a customer here: not in the item, and not at the start of the workflow';
const LINE_HANDLE = '7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a02';

let trigger: TriggerService;

const start = async (options: Parameters<typeof TriggerService.start>[0] = {}) => {
	trigger = await TriggerService.start({
		requestLimits: NO_REQUEST_LIMITS,
		memory: fastMemory(),
		...options,
	});
};

afterEach(async () => await trigger.stop());

/** The items that the trigger makes of the texts of customers to the second line, in the service's present form. */
const received = async (texts: object[], parameters: INodeParameters = {}) => {
	const live = await trigger.serve({ checkEvery: 0, ...parameters });
	await live.activate();
	for (const text of texts) {
		await trigger.service.control.post('/sandbox/inbound', { to: LINE, content: 'hello', ...text });
	}
	await trigger.delivered();
	await live.waitForRuns(texts.length);
	await live.close();
	return itemsOf(live);
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
		credentialTypes: [new TwoWayMessagingApi()],
		credentials: { twoWayMessagingApi: trigger.service.credential() },
	});

const to = (node: string, index = 0) => ({ node, type: NodeConnectionTypes.Main, index });

/** Runs a workflow that begins with the items of the trigger, and ends with Reply. */
const run = async (
	items: IDataObject[],
	between: NodeSpec[] = [],
	{ reply = replyNode(), ...more }: Partial<RunRequest> & { reply?: NodeSpec } = {},
): Promise<Run> =>
	await runWorkflow(instanceWith(), {
		nodes: [START, ...between, reply],
		items: items.map((json) => ({ json })),
		...more,
	});

/** Who was texted by which line, and what. */
const sent = async () =>
	(await trigger.service.accepted()).map(({ to: number, line_handle: line, content }) => ({
		number,
		line,
		content,
	}));

const TO_ANNA = { number: ANNA, line: LINE_HANDLE, content: 'hi there' };
const TO_BEN = { ...TO_ANNA, number: BEN };

const SEND_TO_COLLEAGUE: NodeSpec = {
	...{ type: 'twoWayMessaging', name: 'Send' },
	parameters: { resource: 'message', operation: 'send', number: COLLEAGUE, content: 'first' },
};

const GET_STATUS: NodeSpec = {
	...{ type: 'twoWayMessaging', name: 'Status' },
	parameters: {
		...{ resource: 'message', operation: 'getStatus' },
		messageHandle: '={{ $json.message_handle }}',
	},
};

const GET_MANY: NodeSpec = {
	...{ type: 'twoWayMessaging', name: 'History' },
	parameters: { resource: 'message', operation: 'getMany', filters: {} },
};

const EVENT_FORMS = ['envelope', 'flat'] as const;
const WORLDS = CHARACTER_NAMES.flatMap((character) =>
	EVENT_FORMS.map((eventForm) => ({ character, eventForm })),
);

describe.each(WORLDS)(
	'Reply, with a $character service and events in the $eventForm form',
	(world) => {
		beforeEach(async () => await start(world));

		test('§6.2, §6.3 answers the customer by the line that was texted', async () => {
			const items = await received([{ from: ANNA }]);

			const { status } = await run(items);

			expect(status).toBe('success');
			expect(await sent()).toEqual([TO_ANNA]);
		});

		test('answers the text that started the workflow, where the item has none of its fields', async () => {
			const items = await received([{ from: ANNA }]);

			await run(items, [{ type: 'editFields' }]);

			expect(await sent()).toEqual([TO_ANNA]);
		});

		test('understands the service’s own body, with Simplify off', async () => {
			const items = await received([{ from: ANNA }], { options: { simplify: false } });

			await run(items, [{ type: 'editFields' }]);

			expect(await sent()).toEqual([TO_ANNA]);
		});

		test('behind a message to a colleague, answers the customer who texted', async () => {
			await run(await received([{ from: ANNA }]), [SEND_TO_COLLEAGUE]);

			expect((await sent()).map(({ number }) => number)).toEqual([COLLEAGUE, ANNA]);
		});

		test('§4.4 behind the status of a message to a colleague, answers the customer who texted', async () => {
			await run(await received([{ from: ANNA }]), [SEND_TO_COLLEAGUE, GET_STATUS]);

			expect((await sent()).map(({ number }) => number)).toEqual([COLLEAGUE, ANNA]);
		});

		test('behind rows of the history, goes to the customer of each', async () => {
			await received([{ from: ANNA }, { from: BEN }]);

			await run([{}], [GET_MANY]);

			expect((await sent()).map(({ number, line }) => [number, line]).sort()).toEqual([
				[ANNA, LINE_HANDLE],
				[BEN, LINE_HANDLE],
			]);
		});
	},
);

describe('Reply', () => {
	beforeEach(async () => await start());

	/** Two customers in one execution, so that only n8n's links tell whom an item belongs to. */
	const both = async () => await received([{ from: ANNA }, { from: BEN }]);

	test.each([
		['Edit Fields that keeps no field', ['editFields']],
		['Code that links its items', ['code']],
		['an AI Agent', ['model']],
		['several nodes', ['editFields', 'code', 'model']],
	])('tells customers apart behind %s', async (_, types) => {
		await run(
			await both(),
			types.map((type) => ({ type, name: type })),
		);

		expect(await sent()).toEqual([TO_ANNA, TO_BEN]);
	});

	test('tells customers apart behind If', async () => {
		await run(await both(), [{ type: 'editFields' }, { type: 'if' }], {
			connections: {
				[TRIGGER]: { main: [[to('editFields')]] },
				editFields: { main: [[to('if')]] },
				if: { main: [[], [to('Reply')]] },
			},
		});

		expect(await sent()).toEqual([TO_ANNA, TO_BEN]);
	});

	test('tells customers apart behind Merge', async () => {
		await run(await both(), [{ type: 'editFields' }, { type: 'code' }, { type: 'merge' }], {
			connections: {
				[TRIGGER]: { main: [[to('editFields'), to('code')]] },
				editFields: { main: [[to('merge')]] },
				code: { main: [[to('merge', 1)]] },
				merge: { main: [[to('Reply')]] },
			},
		});

		expect(await sent()).toEqual([TO_ANNA, TO_BEN]);
	});

	describe('behind a message of ours', () => {
		const numbers = async () => (await sent()).map(({ number }) => number);
		const EVENT = { event: 'outbound', message_handle: 'm1', to: BEN, line_handle: LINE_HANDLE };

		test.each<[string, IDataObject, NodeSpec[]]>([
			['an event', EVENT, []],
			['an event, with other nodes between', EVENT, [SEND_TO_COLLEAGUE, { type: 'editFields' }]],
			['the service’s own event', { type: 'outbound', data: { message: EVENT } }, []],
			['an item that says so', { to: BEN, is_outbound: true }, []],
			['a message just sent, where nobody texted', {}, [SEND_TO_COLLEAGUE]],
			['the status of one, where nobody texted', {}, [SEND_TO_COLLEAGUE, GET_STATUS]],
			['a row of the history', {}, [SEND_TO_COLLEAGUE, GET_MANY]],
		])('refuses to answer it, as that could go on without end: %s', async (_, item, between) => {
			const { error } = await run([item], between);

			expect(error?.message).toBe('Reply answers customers, and this message is one of yours');
			expect(error?.description).toContain("'Message Sent or Failed'");
			expect(await numbers()).toEqual(between.includes(SEND_TO_COLLEAGUE) ? [COLLEAGUE] : []);
		});

		test.each([
			['a node that keeps its fields', 'passOn', 1],
			['a node that has lost its links', 'twice', 2],
		])('answers the customer who texted, also behind %s', async (_, type, times) => {
			await run(await received([{ from: ANNA }]), [SEND_TO_COLLEAGUE, { type }]);

			expect(await numbers()).toEqual([COLLEAGUE, ...Array<string>(times).fill(ANNA)]);
		});

		test('answers by the line that was texted', async () => {
			await run(await received([{ from: ANNA, to: FIRST_LINE }]), [
				{ ...SEND_TO_COLLEAGUE, parameters: { ...SEND_TO_COLLEAGUE.parameters, number: ANNA } },
			]);

			const [, reply] = await trigger.service.accepted();
			expect(reply).toMatchObject({ to: ANNA, line_handle: LINE_HANDLE.replace(/2$/, '1') });
		});

		test.each([
			['one after the other', [SEND_TO_COLLEAGUE, { ...SEND_TO_COLLEAGUE, name: 'Send 2' }]],
			['and a Reply', [SEND_TO_COLLEAGUE, replyNode({ content: 'soon' }, { name: 'First reply' })]],
		])('answers the customer who texted behind several of them, %s', async (_, between) => {
			await run(await received([{ from: ANNA }]), between);

			expect((await numbers()).at(-1)).toBe(ANNA);
		});

		test('answers each customer of a loop', async () => {
			await run(await both(), [{ type: 'loop' }, SEND_TO_COLLEAGUE], {
				connections: {
					[TRIGGER]: { main: [[to('loop')]] },
					loop: { main: [[], [to('Send')]] },
					Send: { main: [[to('Reply')]] },
					Reply: { main: [[to('loop')]] },
				},
			});

			expect(await numbers()).toEqual([COLLEAGUE, ANNA, COLLEAGUE, BEN]);
		});

		test('answers the customer who texted where the message was skipped', async () => {
			const items = await received([{ from: ANNA }]);
			await trigger.service.control.patch(`/sandbox/contacts/${COLLEAGUE}`, { opted_out: true });
			const parameters = { ...SEND_TO_COLLEAGUE.parameters, options: { ifOptedOut: 'skip' } };

			await run(items, [{ ...SEND_TO_COLLEAGUE, parameters }]);

			expect(await numbers()).toEqual([ANNA]);
		});

		test('answers the one customer who texted, behind several messages whose links are lost', async () => {
			const between = [{ type: 'twice', name: 'One' }, SEND_TO_COLLEAGUE, { type: 'twice' }];

			await run(await received([{ from: ANNA }]), between);

			expect((await numbers()).slice(2)).toEqual([ANNA, ANNA, ANNA, ANNA]);
		});

		test('answers the customer who texted where the history shows what was just sent', async () => {
			await run(await received([{ from: ANNA }]), [
				SEND_TO_COLLEAGUE,
				{ ...GET_MANY, parameters: { ...GET_MANY.parameters, filters: { direction: 'outbound' } } },
			]);

			expect(await numbers()).toEqual([COLLEAGUE, ANNA]);
		});

		test('sends nothing where nobody says where the message comes from, and it went to somebody else', async () => {
			const [item] = await received([{ from: ANNA }]);
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
			const [item] = await received([{ from: ANNA }]);
			const row = { message_handle: item?.message_handle, ...fields };

			await run([{ ...item, row }], [{ type: 'database' }]);

			expect(await sent()).toEqual([TO_ANNA]);
		});

		test('sends nothing where several customers have started the workflow and the links are lost', async () => {
			await run(await both(), [SEND_TO_COLLEAGUE, { type: 'twice' }]);

			expect(await numbers()).toEqual([COLLEAGUE, COLLEAGUE]);
		});

		test('Get Conversation reads what was said with the customer who texted', async () => {
			const getConversation = { resource: 'message', operation: 'getConversation' };

			const { json } = await run(await received([{ from: ANNA }]), [SEND_TO_COLLEAGUE], {
				reply: { ...replyNode(), parameters: getConversation },
			});

			expect(json('Reply')).toMatchObject([{ customer: ANNA }]);
		});
	});

	const LOOP: IConnections = {
		[TRIGGER]: { main: [[to('loop')]] },
		loop: { main: [[], [to('editFields')]] },
		editFields: { main: [[to('Reply')]] },
		Reply: { main: [[to('loop')]] },
	};

	test('tells customers apart within Loop Over Items', async () => {
		await run(await both(), [{ type: 'loop' }, { type: 'editFields' }], { connections: LOOP });

		expect(await sent()).toEqual([TO_ANNA, TO_BEN]);
	});

	test('tells customers apart behind Loop Over Items', async () => {
		await run(await both(), [{ type: 'loop' }, { type: 'editFields' }], {
			connections: {
				...LOOP,
				loop: { main: [[to('Reply')], [to('editFields')]] },
				editFields: { main: [[to('loop')]] },
				Reply: { main: [[]] },
			},
		});

		expect(await sent()).toEqual([TO_ANNA, TO_BEN]);
	});

	test('tells customers apart after a wait', async () => {
		const instance = instanceWith();
		const request: RunRequest = {
			nodes: [START, { type: 'editFields' }, { type: 'wait' }, replyNode()],
			items: (await both()).map((json) => ({ json })),
		};
		const waiting = await runWorkflow(instance, request);
		expect(waiting.waitTill).toBeDefined();

		await endWait(instance, request, waiting);

		expect(await sent()).toEqual([TO_ANNA, TO_BEN]);
	});

	test('tells customers apart in a workflow that another one gave the messages to', async () => {
		const items = (await both()).map((json) => ({ json }));

		await runWorkflow(instanceWith(), {
			nodes: [
				{ type: 'n8n-nodes-base.executeWorkflowTrigger' },
				{ type: 'editFields' },
				replyNode(),
			],
			items,
		});

		expect(await sent()).toEqual([TO_ANNA, TO_BEN]);
	});

	test.each(['codeWithoutLinks', 'aggregate'])(
		'sends nothing behind %s, where several customers may be meant',
		async (type) => {
			const { error } = await run(await both(), [{ type }]);

			expect(error?.message).toMatch(/^Several messages may be meant, and n8n does not say which$/);
			expect(error?.description).toContain('pairedItem');
			expect(await sent()).toEqual([]);
		},
	);

	test.each(['codeWithoutLinks', 'aggregate'])(
		'answers behind %s, where one customer alone has started the workflow',
		async (type) => {
			await run(await received([{ from: ANNA }]), [{ type }]);

			expect(new Set((await sent()).map(({ number }) => number))).toEqual(new Set([ANNA]));
		},
	);

	describe('behind a question to a colleague', () => {
		const ASK: NodeSpec = {
			...{ type: 'twoWayMessaging', name: 'Ask' },
			parameters: {
				...{ resource: 'message', operation: 'sendAndWait', responseType: 'approval' },
				...{ number: COLLEAGUE, content: 'Shall we?', limitWaitTime: true },
			},
		};
		const CUSTOMER_OR_COLLEAGUE: Array<[INodeParameters, string]> = [
			[{}, ANNA],
			[{ replyTo: 'customer' }, ANNA],
			[{ replyTo: 'answerer' }, COLLEAGUE],
		];

		/** Asks, lets the question end, and replies, directly or behind a node that keeps no field. */
		const askAndReply = async (end: string, reply: INodeParameters, between: NodeSpec[] = []) => {
			const instance = instanceWith();
			const next = [to(between[0]?.type ?? 'Reply')];
			const request: RunRequest = {
				nodes: [START, ASK, ...between, replyNode(reply)],
				connections: {
					[TRIGGER]: { main: [[to('Ask')]] },
					Ask: { main: [next, next, next] },
					...(between.length > 0 && { editFields: { main: [[to('Reply')]] } }),
				},
				items: (await received([{ from: ANNA }])).map((json) => ({ json })),
			};
			const waiting = await runWorkflow(instance, request);
			const [asked] = await trigger.service.accepted();
			const url = /\n(http\S+)$/.exec(asked?.content ?? '')?.[1];
			const body = { decision: end };
			await (end === 'time over'
				? endWait(instance, request, waiting)
				: visit(instance, request, waiting, { method: 'POST', body, url }));
			const [question, ...others] = await sent();
			return { question, others };
		};

		describe.each(['approve', 'decline', 'time over'])('that ends by: %s', (end) => {
			test.each(CUSTOMER_OR_COLLEAGUE)('with %j goes to %s', async (reply, number) => {
				const { question, others } = await askAndReply(end, reply);

				const line = number === ANNA ? LINE_HANDLE : question?.line;
				expect(others).toEqual([{ number, line, content: 'hi there' }]);
			});

			test.each(CUSTOMER_OR_COLLEAGUE)(
				'with %j goes to %s, through other nodes',
				async (reply, number) => {
					const { others } = await askAndReply(end, reply, [{ type: 'editFields' }]);

					expect(others.map((one) => one.number)).toEqual([number]);
				},
			);
		});

		const QUESTION = { message_handle: 'q1', to: COLLEAGUE, line_handle: LINE_HANDLE };
		const TEXT = {
			...{ answered: true, from: COLLEAGUE, to: LINE, content: 'yes', is_outbound: false },
			...{ message_handle: 'm9', line_handle: LINE_HANDLE, question: QUESTION },
		};

		test.each(CUSTOMER_OR_COLLEAGUE)(
			'that a text answers, with %j goes to %s',
			async (reply, number) => {
				const [item] = await received([{ from: ANNA }]);

				await run([{ ...item, row: TEXT }], [{ type: 'database' }], { reply: replyNode(reply) });

				expect((await sent()).map((one) => one.number)).toEqual([number]);
			},
		);

		test.each(['customer', 'answerer'])(
			'goes to who was asked, where no message has started the workflow: %s',
			async (replyTo) => {
				await run([TEXT], [], { reply: replyNode({ replyTo }) });

				expect((await sent()).map((one) => one.number)).toEqual([COLLEAGUE]);
			},
		);

		test('sends nothing to who was asked last where nobody was', async () => {
			const items = await received([{ from: ANNA }]);

			const { error } = await run(items, [], { reply: replyNode({ replyTo: 'answerer' }) });

			expect(error?.message).toMatch('Nobody was asked before this node');
			expect(await sent()).toEqual([]);
		});
	});

	test.each([
		['no message has started the workflow', { type: 'scheduleTrigger', name: 'Start' }, [{}]],
		[
			'a line has started the workflow',
			START,
			[{ event: 'line_blocked', line_handle: LINE_HANDLE }],
		],
		['the item is about something else', START, [{ status: 'received', from: ANNA, to: LINE }]],
	])('sends nothing where %s', async (_, first, items) => {
		const { error } = await runWorkflow(instanceWith(), {
			nodes: [first, replyNode()],
			items: items.map((json: IDataObject) => ({ json })),
		});

		expect(error?.message).toBe(NO_MESSAGE);
		expect(error?.description).toContain('Nothing was sent');
		expect(await sent()).toEqual([]);
	});

	test('names the item that it cannot answer, and answers the others', async () => {
		const [anna] = await received([{ from: ANNA }]);

		const { items } = await runWorkflow(instanceWith(), {
			nodes: [
				{ type: 'scheduleTrigger', name: 'Start' },
				replyNode({}, { onError: 'continueRegularOutput' }),
			],
			items: [{ json: { note: 1 } }, { json: anna ?? {} }],
		});

		expect(items('Reply').map(({ json }) => json.error ?? json.to)).toEqual([NO_MESSAGE, ANNA]);
		expect(await sent()).toEqual([TO_ANNA]);
	});

	test('refuses a message whose customer neither it nor the history names', async () => {
		const { error } = await run([{ message_handle: 'unknown', status: 'SENT' }]);

		expect(error?.message).toBe('The message to reply to does not say who the customer is');
		expect(await sent()).toEqual([]);
	});

	test('refuses a message whose line neither it nor the history names', async () => {
		const item = { message_handle: 'unknown', from: ANNA, is_outbound: false };

		const { error } = await run([item]);

		expect(error?.message).toBe('The message to reply to does not say which line it belongs to');
		expect(await sent()).toEqual([]);
	});

	test('refuses a message to a number that is no line', async () => {
		const { error } = await run([
			{ message_handle: 'm1', from: ANNA, to: BEN, is_outbound: false },
		]);

		expect(error?.message).toBe(`No line of yours has the number ${BEN}`);
		expect(await sent()).toEqual([]);
	});

	test('refuses a customer who cannot be texted', async () => {
		const item = { message_handle: 'm1', from: '72345', is_outbound: false, line_handle: 'l1' };

		const { error } = await run([item]);

		expect(error?.message).toBe('The customer’s number, “72345”, is not in international format');
		expect(error?.description).toContain('short codes cannot be texted');
	});

	test('says of a line that no longer sends what can be done without a field Line', async () => {
		const item = { from: ANNA, is_outbound: false, line_handle: 'gone' };

		const { error } = await run([item]);

		expect(error?.message).toBe('The line does not exist or is not active');
		expect(error?.description).toContain('use the operation Send');
		expect(error?.description).not.toContain('under Line');
	});

	test('§6.3 reads from the history which line a text without one came to', async () => {
		const [item] = await received([{ from: ANNA }]);

		await run([{ ...item, to: undefined, line_handle: undefined }]);

		expect(await sent()).toEqual([TO_ANNA]);
	});

	test('uses no line but the one that the item names, whatever the customer texted since', async () => {
		const items = await received([{ from: ANNA }]);
		await trigger.text('to the other line', { from: ANNA, to: FIRST_LINE });

		await run(items);

		expect(await sent()).toEqual([TO_ANNA]);
	});

	test('goes to the customer of a conversation', async () => {
		const item = { customer: BEN, line_handle: LINE_HANDLE, messages: [], transcript: '' };

		await run(await received([{ from: ANNA }]), [{ type: 'editFields' }], {
			reply: replyNode(),
		});
		await run([item]);

		expect(await sent()).toEqual([TO_ANNA, TO_BEN]);
	});

	test.each([
		['the fields that we give it', true],
		['the service’s own bodies', false],
	])('answers several texts in one item, with %s', async (_, simplify) => {
		const [first, second] = await received(
			[
				{ from: ANNA, content: 'one' },
				{ from: ANNA, content: 'two' },
			],
			{ options: { simplify } },
		);
		const messages = [first ?? {}, second ?? {}];

		await run([simplify ? { ...second, messages } : { messages }]);

		expect(await sent()).toEqual([TO_ANNA]);
	});

	test('has the options of Send', async () => {
		const items = await received([{ from: ANNA }]);
		await trigger.service.control.patch(`/sandbox/contacts/${ANNA}`, { opted_out: true });

		const { json } = await run(items, [], {
			reply: replyNode({ options: { ifOptedOut: 'skip' } }),
		});

		expect(json('Reply')).toEqual([expect.objectContaining({ to: ANNA, status: 'SKIPPED' })]);
	});

	test('texts once when a try loses its answer and n8n tries again', async () => {
		await trigger.service.fault(PATHS.sendMessage, 'reset-after');
		await trigger.service.fault(PATHS.messages, 'status-500', 3);

		await run(await received([{ from: ANNA }]), [], {
			reply: replyNode({}, { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }),
		});

		expect(await sent()).toEqual([TO_ANNA]);
	});

	test('sends media too', async () => {
		await run(await received([{ from: ANNA }]), [], {
			reply: replyNode({ content: '', media: 'url', mediaUrl: 'https://example.com/menu.jpg' }),
		});

		const [message] = await trigger.service.accepted();
		expect(message).toMatchObject({ to: ANNA, media_url: 'https://example.com/menu.jpg' });
	});

	test('asks the service for nothing but the send, where the message names its line', async () => {
		const items = await received([{ from: ANNA }]);
		const stub = await startStub(() => ({
			status: 201,
			body: { message_handle: 'm1', status: 'QUEUED' },
		}));
		const instance = new Instance({
			nodeTypes: [new TwoWayMessagingTrigger(), new TwoWayMessaging(trigger.service.memory)],
			credentialTypes: [new TwoWayMessagingApi()],
			credentials: { twoWayMessagingApi: trigger.service.credential({ baseUrl: stub.url }) },
		});

		await runWorkflow(instance, {
			nodes: [START, replyNode()],
			items: items.map((json) => ({ json })),
		});
		await stub.stop();

		expect(stub.requests.map(({ path }) => path)).toEqual([PATHS.sendMessage]);
	});
});

describe.each(WAYS_TO_CALL)('Reply as a tool that an agent calls %s', (way) => {
	beforeEach(async () => await start());

	const callTool = async (
		items: IDataObject[],
		{ calls = [{}], between = [] as NodeSpec[], connections = {} as IConnections } = {},
	): Promise<Run> => {
		const tool = replyNode(
			{ content: "={{ $fromAI('Text', '', 'string', 'hi there') }}" },
			{ type: 'twoWayMessagingTool', name: 'Tool' },
		);
		const nodes = [START, ...between, { type: 'agent', name: 'Agent' }];
		const chain = nodes
			.slice(0, -1)
			.map((node, at) => [
				node.name ?? node.type,
				{ main: [[to(nodes[at + 1]?.name ?? nodes[at + 1]?.type ?? '')]] },
			]);
		return await runWorkflow(
			instanceWith(new Agent(way, calls), asTool(new TwoWayMessaging(trigger.service.memory))),
			{
				nodes: [...nodes, tool],
				items: items.map((json) => ({ json })),
				connections: {
					...(Object.fromEntries(chain) as IConnections),
					...connections,
					Tool: {
						ai_tool: [[{ node: 'Agent', type: NodeConnectionTypes.AiTool, index: 0 }]],
					},
				},
			},
		);
	};

	const LOOP = {
		[TRIGGER]: { main: [[to('loop')]] },
		loop: { main: [[], [to('Agent')]] },
		Agent: { main: [[to('loop')]] },
	};

	test.each([
		['the trigger', []],
		['nodes that keep no field', [{ type: 'editFields' }, { type: 'code' }]],
	])('answers the customer behind %s', async (_, between) => {
		await callTool(await received([{ from: ANNA }]), { between });

		expect(await sent()).toEqual([TO_ANNA]);
	});

	test('answers the customer who texted behind a message to a colleague', async () => {
		await callTool(await received([{ from: ANNA }]), { between: [SEND_TO_COLLEAGUE] });

		expect((await sent()).map(({ number }) => number)).toEqual([COLLEAGUE, ANNA]);
	});

	test('lets the model set the text, and nothing else', async () => {
		const other = {
			...{ from: BEN, to: BEN, number: BEN, customer: BEN, is_outbound: false },
			...{ message_handle: 'm9', line_handle: 'l9', event: 'receive', messages: [] },
		};

		await callTool(await received([{ from: ANNA }]), {
			calls: [{ Text: 'as you say', ...other, data: { message: other }, message: other }],
		});

		expect((await sent()).map(({ number, line }) => [number, line])).toEqual([[ANNA, LINE_HANDLE]]);
	});

	test('answers each customer of a loop', async () => {
		await callTool(await received([{ from: ANNA }, { from: BEN }]), {
			between: [{ type: 'loop' }],
			connections: LOOP,
		});

		expect(await sent()).toEqual([TO_ANNA, TO_BEN]);
	});

	test('cannot be talked into texting another customer of a loop', async () => {
		const [anna, ben] = await received([{ from: ANNA }, { from: BEN }]);

		await callTool([anna ?? {}, ben ?? {}], {
			calls: [{ ...anna }],
			between: [{ type: 'loop' }],
			connections: LOOP,
		});

		const numbers = (await sent()).map(({ number }) => number);
		expect(numbers.filter((number) => number === ANNA)).toHaveLength(1);
	});

	test('texts nobody wrong in a loop in which the agent’s items have lost their fields', async () => {
		await callTool(await received([{ from: ANNA }, { from: BEN }]), {
			between: [{ type: 'loop' }, { type: 'editFields' }],
			connections: { ...LOOP, loop: { main: [[], [to('editFields')]] } },
		});

		const numbers = (await sent()).map(({ number }) => number);
		expect([[ANNA], [ANNA, BEN]]).toContainEqual(numbers);
	});

	test('texts nobody where the agent works on several customers’ items at once', async () => {
		await callTool(await received([{ from: ANNA }, { from: BEN }]), {
			between: [{ type: 'editFields' }],
		});

		expect(await sent()).toEqual([]);
	});
});
