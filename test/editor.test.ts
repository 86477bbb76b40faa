import type {
	IDataObject,
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { NodeHelpers as OldestHelpers } from 'n8n-workflow-1-86';
import { TwoWayMessagingApi } from '../credentials/TwoWayMessagingApi.credentials';
import { TwoWayMessaging } from '../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { TwoWayMessagingTrigger } from '../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { Instance } from './support/instance';
import { fieldsOf, OPERATIONS } from './support/operations';

type Field = ReturnType<typeof fieldsOf>[number];

const { description: action } = new TwoWayMessaging();
const { description: trigger } = new TwoWayMessagingTrigger();
const nodes = [action, trigger];
const fields = [
	...nodes.flatMap(({ displayName, properties }) => fieldsOf(properties, displayName)),
	...fieldsOf(new TwoWayMessagingApi().properties, 'Credential'),
];
const choices = fields.flatMap(({ path, field }) =>
	['options', 'multiOptions'].includes(field.type)
		? ((field.options ?? []) as INodePropertyOptions[]).map((choice) => ({ path, field, choice }))
		: [],
);

/** The values of every list of choices with this name, in the order in which people see them. */
const choicesOf = (name: string) =>
	fields
		.filter(({ field }) => field.name === name)
		.map(({ field }) =>
			((field.options ?? []) as INodePropertyOptions[]).map(({ value }) => value),
		);

const ITEM_FIELDS = ['from', 'content', 'media_url', 'chatInput', 'sessionId', 'transcript'];

/** Letters of a label that a collection shows, in a window of usual width. */
const LONGEST_LABEL = 26;

/** Letters under a node's name that n8n's canvas shows. */
const LONGEST_SUBTITLE = 27;

/** What the editor shows for an expression of a node, which has no items then. */
const shown = (
	nodeType: INodeType,
	expression: string | undefined,
	parameters: INodeParameters,
) => {
	const instance = new Instance({ nodeTypes: [nodeType] });
	const node = instance.node({ type: nodeType.description.name, parameters });
	const workflow = instance.workflow([node]);
	return workflow.expression.getSimpleParameterValue(node, expression, 'internal', {});
};

const pathsOf = (wrong: Array<{ path: string }>) => wrong.map(({ path }) => path);
const wordsOf = (text = ''): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

describe('what the editor shows', () => {
	const ofType = (...types: string[]) => fields.filter(({ field }) => types.includes(field.type));
	const isChosenBelow = (number: Field) =>
		fields[fields.indexOf(number) + 1]?.field.displayName === 'Unit';

	test.each<[rule: string, about: Field[], holds: (one: Field) => unknown]>([
		[
			'says more than its label does',
			fields.filter(
				({ field: { type, name } }) =>
					!['notice', 'collection'].includes(type) && !['resource', 'operation'].includes(name),
			),
			({ field: { displayName, description } }) =>
				wordsOf(description).filter((word) => !wordsOf(displayName).includes(word)).length >= 3,
		],
		[
			'into which people type a text shows an example',
			ofType('string').filter(({ field }) => !field.typeOptions?.password),
			({ field }) => field.placeholder?.startsWith('e.g. '),
		],
		[
			'for a number names in its label what that counts, or lets people choose it below',
			ofType('number').filter(({ field }) => field.name !== 'limit'),
			(one) =>
				/ \((Seconds|Minutes|Hours|Megabytes|Times)\)$|^Max Events /.test(one.field.displayName) ||
				isChosenBelow(one),
		],
		[
			'of a collection has a label that is short enough for the editor',
			fields.filter(({ path }) => path.split(' › ').length > 2),
			({ field }) => field.displayName.length <= LONGEST_LABEL,
		],
		[
			'of choices has its default among them',
			ofType('options'),
			({ field }) =>
				choices.some((one) => one.field === field && one.choice.value === field.default),
		],
	])('a field %s', (_, about, holds) => {
		expect(about.length).toBeGreaterThan(5);
		expect(pathsOf(about.filter((one) => !holds(one)))).toEqual([]);
	});

	test('explains every choice but those that explain themselves', () => {
		const wrong = choices.filter(
			({ field, choice }) =>
				!['resource', 'resumeUnit', 'languages', 'numberCountry'].includes(field.name) &&
				wordsOf(choice.description).length < 2,
		);
		expect(choices.length).toBeGreaterThan(20);
		expect(pathsOf(wrong)).toEqual([]);
	});

	test('says ID to people, and not handle', () => {
		const labels = fields.map(({ field }) => field.displayName);
		const modes = fields.flatMap(({ field }) =>
			(field.modes ?? []).map((mode) => mode.displayName),
		);
		expect(modes).not.toEqual([]);
		expect([...labels, ...modes].filter((label) => /handle/i.test(label))).toEqual([]);
	});

	test.each([
		['media', ['none', 'url', 'binary']],
		['resumeUnit', ['minutes', 'hours', 'days']],
		['outcome', ['any', 'sent', 'failed']],
		['expected', ['anything', 'yesOrNo', 'choice']],
		['waitFor', ['queued', 'sent', 'delivered']],
		['events', ['receive', 'outbound', 'line_blocked', 'line_unblocked']],
		['receiveBy', ['webhook', 'polling']],
	])(
		'offers of %s first what most begin with, then in the order of time and size',
		(name, values) => {
			expect(choicesOf(name)[0]).toEqual(values);
		},
	);

	test('spells n8n as n8n does, and shows no URL of a webhook, which the node tells the service', () => {
		expect(trigger.webhooks?.map(({ ndvHideUrl }) => ndvHideUrl)).toEqual([true]);
		expect(JSON.stringify([nodes, fields])).not.toMatch(/N8n|N8N/);
	});

	test('names the event under the trigger on the canvas, and says how many more there are', () => {
		const said = (events: string[]) =>
			shown(new TwoWayMessagingTrigger(), trigger.subtitle, { events });
		expect(said(['receive', 'line_blocked'])).toBe('Message Received + 1');
		expect(said(['outbound'])).toBe('Message Sent or Failed');
	});

	test('says under the action node on the canvas what it does, as the list of actions says it or shorter', () => {
		for (const { resource, operation, action: listed } of OPERATIONS) {
			const said = shown(new TwoWayMessaging(), action.subtitle, { resource, operation });
			expect(listed).toMatch(/^[A-Z][a-z ]+$/);
			expect(String(said).length).toBeLessThanOrEqual(LONGEST_SUBTITLE);
			if (listed.length <= LONGEST_SUBTITLE) expect(said).toBe(listed);
		}
	});

	const TIMES = 'Friday at 10\nMonday at 2';
	const BUTTONS = { responseType: 'approval' };
	const choice = (choices: string) => ({ expected: 'choice', choices });
	test.each<[string, INodeParameters, string[]]>([
		['send', {}, ['']],
		['sendAndWait', {}, ['Answered', 'No Answer']],
		['sendAndWait', { expected: 'yesOrNo' }, ['Yes', 'No', 'No Answer']],
		['sendAndWait', BUTTONS, ['Yes', 'No', 'No Answer']],
		['sendAndWait', { ...BUTTONS, approvalType: 'single' }, ['Answered', 'No Answer']],
		['sendAndWait', { responseType: '={{ "approval" }}' }, ['Answered', 'No Answer']],
		['sendAndWait', choice(TIMES), [...TIMES.split('\n'), 'No Answer']],
		['sendAndWait', choice(' A1,, B2 '), ['A1', 'B2', 'No Answer']],
		['sendAndWait', choice(`=${TIMES}`), ['Answered', 'No Answer']],
		['sendAndWait', choice('A1'), ['Answered', 'No Answer']],
		['sendAndWait', choice(Array.from('abcdefghijk').join()), ['Answered', 'No Answer']],
	])('shows of %s with %j the outputs %j', (operation, more, names) => {
		const parameters = { resource: 'message', operation, ...more };
		const outputs = shown(new TwoWayMessaging(), action.outputs as string, parameters);
		const main = names.map((displayName) => (displayName ? { type: 'main', displayName } : 'main'));
		expect(outputs).toMatchObject(main);
	});

	test('says how to see an event, and has a schedule of checks, for each way of receiving events', () => {
		const ways = choicesOf('receiveBy')[0];
		const notices = trigger.properties.filter(({ type }) => type === 'notice');
		const schedules = trigger.properties.filter(({ name }) => name === 'checkEvery');
		const shownFor = (some: INodeProperties[]) =>
			some.flatMap(({ displayOptions }) => displayOptions?.show?.receiveBy ?? []);
		expect(shownFor(notices)).toEqual(ways);
		expect(shownFor(schedules).sort()).toEqual(ways?.sort());
	});
});

describe.each([
	['this n8n', NodeHelpers],
	['the oldest n8n', OldestHelpers as unknown as typeof NodeHelpers],
])('%s', (_, helpers) => {
	const node = { typeVersion: 1 };
	/** The fields of a node as n8n fills them in before it shows, runs or activates anything. */
	const fillIn = (properties: INodeProperties[], saved: INodeParameters, withDefaults = true) =>
		helpers.getNodeParameters(properties, saved, withDefaults, false, node, null);

	test('says that a workflow may start itself where it may', () => {
		const notice = trigger.properties.find(({ displayName }) =>
			displayName.includes('starts it again'),
		)!;
		const isShown = (...events: string[]) =>
			helpers.displayParameter({ events }, notice, node, null);
		expect(isShown('receive', 'line_blocked', 'outbound')).toBe(true);
		expect(isShown('receive', 'line_blocked')).toBe(false);
		expect(isShown('outbound', 'line_blocked')).toBe(false);
	});

	test('understands the fields of every operation, and of each way of receiving events', () => {
		expect(OPERATIONS.length).toBeGreaterThan(7);
		for (const { resource, operation } of OPERATIONS) {
			const chosen = { resource, operation };
			expect(fillIn(action.properties, chosen)).toMatchObject(chosen);
		}
		for (const receiveBy of ['webhook', 'polling']) {
			expect(fillIn(trigger.properties, { receiveBy })).toMatchObject({ receiveBy });
		}
	});

	test.each([{}, { ifOptedOut: 'skip' }, { ifLineBlocked: 'fail', waitFor: 'queued' }])(
		'keeps what a saved workflow says under Options, whatever an option arrives with: %j',
		(options) => {
			const saved = { resource: 'message', operation: 'send', number: '+15551230001', options };
			for (const withDefaults of [true, false]) {
				expect(fillIn(action.properties, saved, withDefaults)?.options).toEqual(options);
			}
		},
	);
});

describe('what the editor says of a node before and while it runs', () => {
	const hintsFor = (parameters: INodeParameters, items: IDataObject[]) => {
		const type = 'twoWayMessaging';
		const nodeTypes = [new TwoWayMessaging()];
		const instance = new Instance({ nodeTypes });
		const node = instance.node({ type, parameters: { resource: 'message', ...parameters } });
		const { expression } = instance.workflow([node]);
		const input = items.map((json) => ({ json }));
		return (action.hints ?? []).filter(({ displayCondition = '' }) =>
			expression.getParameterValue(displayCondition, null, 0, 0, node.name, input, 'manual', {}),
		);
	};

	test('says while it waits that it goes on when the customer answers, and nothing else', () => {
		const said = (operation: string) =>
			shown(new TwoWayMessaging(), action.waitingNodeTooltip, { operation });
		expect(said('sendAndWait')).toBe('The execution continues when the customer answers.');
		expect(said('send')).toBe('');
	});

	const text = { from: '+15551230001', is_outbound: false, line_handle: 'l1' };
	const answer = { operation: 'send', number: '={{ $json.from }}' };
	const lineOf = (mode: string, value: string) => ({ line: { __rl: true, mode, value } });

	test.each<[string, INodeParameters, IDataObject[], string[]]>([
		['two items ask', { operation: 'sendAndWait' }, [{}, {}], ['Loop Over Items']],
		['one item asks', { operation: 'sendAndWait' }, [{}], []],
		['two items answer', { operation: 'reply' }, [{}, {}], []],
		['Send may answer by any line', answer, [text], ['Use the operation Reply']],
		['it is set to any', { ...answer, ...lineOf('list', '') }, [text], ['Use the operation Reply']],
		['the line is chosen', { ...answer, ...lineOf('handle', 'l1') }, [text], []],
		['somebody else is texted', { ...answer, number: '+15551230009' }, [text], []],
		['the item is a message of ours', answer, [{ ...text, is_outbound: true }], []],
	])('hints what to do instead where %s', (_, parameters, items, hints) => {
		expect(hintsFor({ number: '+15551230001', ...parameters }, items)).toMatchObject(
			hints.map((words) => ({ message: expect.stringContaining(words) as string })),
		);
	});

	test('hints of the editor name operations, fields and nodes as people see them', () => {
		const words = (action.hints ?? []).map(({ message }) => message).join(' ');
		expect(words).not.toMatch(/sendAndWait|\$json/);
	});
});

describe('what n8n’s assistant is told', () => {
	test('names only nodes of this package and fields and choices that exist', () => {
		const hinted = nodes as Array<{ name: string; builderHint?: { searchHint: string } }>;
		const words = hinted.map(({ builderHint }) => builderHint?.searchHint ?? '').join(' ');
		const known = [
			...fields.map(({ field }) => field.name),
			...choices.map(({ choice }) => String(choice.value)),
			...ITEM_FIELDS,
		];
		const named = [...words.matchAll(/'(\w+)'/g)].map(([, name = '']) => name);
		expect(named.length).toBeGreaterThan(5);
		expect(named.filter((name) => !known.includes(name))).toEqual([]);
	});

	test('is a hint at each field that is often filled in wrong', () => {
		const hinted = fields.filter(({ field }) => 'builderHint' in field);
		expect(hinted.map(({ field }) => field.name).sort()).toEqual(
			['content', 'limitWaitTime', 'line', 'number', 'responseType', 'with'].sort(),
		);
	});
});

test.each([
	['message', 'reply', 'Reply to message in Two-Way Messaging'],
	['number', 'lookup', 'Look up channel of phone number in Two-Way Messaging'],
])('a model is told of the node as its tool, for %s %s: %s', (resource, operation, words) => {
	const node = { parameters: { resource, operation } } as unknown as INode;
	const told = NodeHelpers.getToolDescriptionForNode(node, { description: action } as INodeType);
	expect(told).toBe(words);
});
