import type {
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow-1-86';
import { TwoWayMessaging } from '../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { TwoWayMessagingTrigger } from '../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';

type Arguments = Parameters<typeof NodeHelpers.getNodeParameters>;

/** Fills in a node's fields as the oldest supported n8n does before it runs or activates anything. */
const fillIn = ({ properties }: INodeTypeDescription, parameters: INodeParameters) =>
	NodeHelpers.getNodeParameters(
		properties as Arguments[0],
		parameters as Arguments[1],
		true,
		false,
		{ typeVersion: 1 },
		null,
	);

const choicesOf = (properties: INodeProperties[], name: string, resource?: string) =>
	properties
		.filter((field) => field.name === name)
		.filter(
			({ displayOptions }) =>
				!resource || displayOptions?.show?.['resource']?.includes(resource as never),
		)
		.flatMap(({ options }) => (options ?? []) as INodePropertyOptions[])
		.map(({ value }) => String(value));

const action = new TwoWayMessaging().description;
const operations = choicesOf(action.properties, 'resource').flatMap((resource) =>
	choicesOf(action.properties, 'operation', resource).map((operation) => ({ resource, operation })),
);

describe('The oldest supported n8n understands', () => {
	test('there are operations to try', () => expect(operations.length).toBeGreaterThan(7));

	test.each(operations)('the fields of $resource: $operation', (chosen) => {
		expect(fillIn(action, chosen)).toMatchObject(chosen);
	});

	test.each(['webhook', 'polling'])(
		'the fields of the trigger that receives by %s',
		(receiveBy) => {
			const { description } = new TwoWayMessagingTrigger();
			expect(fillIn(description, { receiveBy })).toMatchObject({ receiveBy });
		},
	);

	test('that a saved workflow has the options that it names, and no other', () => {
		const options = { waitFor: 'delivered' };
		const saved = { resource: 'message', operation: 'send', number: '+15551230001', options };
		expect(fillIn(action, saved)?.options).toEqual(options);
	});
});
