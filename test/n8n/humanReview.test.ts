import type { INode, INodeProperties } from 'n8n-workflow';
import { NodeHelpers, SEND_AND_WAIT_OPERATION } from 'n8n-workflow';
import {
	ANSWER_BY_BUTTONS,
	ASK_AND_WAIT,
	isHumanReview,
	isTool,
	RESPONSE_TYPE_FIELD,
	REVIEW_TEXT_FIELD,
} from '../../nodes/TwoWayMessaging/n8n/agentTools';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';

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
