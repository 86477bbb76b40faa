import { Expression, type INodeParameters } from 'n8n-workflow';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { fastMemory } from '../support/testClock';
import type { Engine } from '../support/engine';
import { TestService } from '../support/service';
import {
	derivedSecret,
	engineWithTrigger,
	receiveEvent,
	signed,
	triggerNode,
} from './triggerWorkflow';

/** n8n's server asks the description of the webhook without this expression (webhookDescriptionResolvers.test.ts). */
const OF_THE_DESCRIPTION = '$parameter["receiveBy"]';

let service: TestService;
let engine: Engine;

beforeEach(async () => {
	service = await TestService.start({ memory: fastMemory() });
	engine = engineWithTrigger(service.credential(), {
		nodeTypes: [new TwoWayMessagingTrigger(service.memory), new TwoWayMessaging(service.memory)],
	});
});

afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

/** Lets an event through a workflow that answers it; returns the expressions that n8n evaluates for that. */
async function expressionsOf(answer: INodeParameters): Promise<string[]> {
	const { apiSecret } = service.credential();
	const event = signed(receiveEvent('m1'), derivedSecret(String(apiSecret)));
	const evaluated = jest.spyOn(
		Expression.prototype as unknown as { renderExpression: (expression: string) => unknown },
		'renderExpression',
	);

	const { startsWith } = await engine.receiveWebhook({ node: triggerNode(), ...event });
	const run = await engine.runWorkflow({
		nodes: [
			triggerNode(),
			{
				type: 'twoWayMessaging',
				name: 'Answer',
				parameters: { resource: 'message', operation: 'send', ...answer },
			},
		],
		items: startsWith,
	});

	expect(run.json('Answer')).toMatchObject([{ to: '+15551230001' }]);
	return evaluated.mock.calls
		.map(([expression]) => expression)
		.filter((expression) => !expression.includes(OF_THE_DESCRIPTION));
}

describe('an event and its answer', () => {
	test('cost the expressions that a person has written into the fields, and no others', async () => {
		const answer = { number: '={{ $json.from }}', content: '=You wrote: {{ $json.content }}' };

		const expressions = await expressionsOf(answer);

		expect(expressions.sort()).toEqual(['You wrote: {{ $json.content }}', '{{ $json.from }}']);
	});

	test('cost no expression where nobody has written one', async () => {
		expect(await expressionsOf({ number: '+15551230001', content: 'We are open.' })).toEqual([]);
	});
});

describe('an expression in a field of the trigger', () => {
	/** What an event becomes; undefined where it starts nothing. */
	const itemOf = async (parameters: INodeParameters, handle = 'm1') => {
		const event = signed(
			receiveEvent(handle, { text: 'A pizza' }),
			derivedSecret(String(service.credential().apiSecret)),
		);
		const node = triggerNode(parameters);
		const { startsWith } = await engine.receiveWebhook({ node, ...event });
		if (!startsWith) return undefined;
		return (await engine.runWorkflow({ nodes: [node], items: startsWith })).json(node.name)[0];
	};

	test('decides by its value whether an event starts the workflow', async () => {
		const wanted = (word: string) => ({ filters: { contains: `={{ "${word}" }}` } });
		expect(await itemOf(wanted('pasta'), 'm1')).toBeUndefined();
		expect(await itemOf(wanted('pizza'), 'm2')).toMatchObject({ content: 'A pizza' });
	});

	test('decides by its value what the item has', async () => {
		const simplified = (value: string) => ({ options: { simplify: `={{ ${value} }}` } });
		expect(await itemOf(simplified('true'), 'm1')).toHaveProperty('content');
		expect(await itemOf(simplified('false'), 'm2')).not.toHaveProperty('content');
		// As n8n's variables have it.
		expect(await itemOf(simplified('" False"'), 'm3')).not.toHaveProperty('content');
		expect(await itemOf(simplified('"maybe"'), 'm4')).toHaveProperty('content');
	});
});
