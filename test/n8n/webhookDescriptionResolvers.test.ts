import { Workflow, resolveWebhookDescriptionField, type INodeParameters } from 'n8n-workflow';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { webhookDescription } from '../../nodes/TwoWayMessaging/trigger/webhook/webhookDescription';
import { GivenNodeTypes } from '../support/node-types';

const TRIGGER = {
	id: 'trigger',
	name: 'Trigger',
	type: 'twoWayMessagingTrigger',
	typeVersion: 1,
	position: [0, 0] as [number, number],
};

/** What becomes of a field of the description, with n8n's expressions and without. */
function bothWays(parameters: INodeParameters, field: string) {
	const workflow = new Workflow({
		id: 'workflow',
		nodes: [{ ...TRIGGER, parameters }],
		connections: {},
		active: true,
		nodeTypes: new GivenNodeTypes([new TwoWayMessagingTrigger()]),
	});
	const node = workflow.getNode(TRIGGER.name)!;
	const value = webhookDescription[field] as string;
	return {
		native: resolveWebhookDescriptionField(node, webhookDescription, field),
		expression: workflow.expression.getSimpleParameterValue(node, value, 'internal', {}),
	};
}

describe('the description of the webhook', () => {
	test.each([
		['webhook', 'httpMethod', 'POST'],
		['polling', 'httpMethod', ''],
	])('receiving by %s, %s is the same without an expression', (receiveBy, field, wanted) => {
		const { native, expression } = bothWays({ receiveBy }, field);
		expect(native).toEqual({ resolved: true, value: wanted });
		expect(expression).toBe(wanted);
	});

	test('a node that was never opened needs no expression either', () => {
		expect(bothWays({}, 'httpMethod').native).toEqual({ resolved: true, value: 'POST' });
	});
});
