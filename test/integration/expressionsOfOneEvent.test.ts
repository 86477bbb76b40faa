import { Expression, type INodeParameters } from 'n8n-workflow';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { fastMemory } from '../support/testClock';
import type { Engine } from '../support/engine';
import { serviceInEachTest } from '../support/service';
import {
	derivedSecret,
	engineWithTrigger,
	receiveEvent,
	signed,
	triggerNode,
} from './triggerWorkflow';

const service = serviceInEachTest(() => ({ memory: fastMemory() }));
let engine: Engine;

beforeEach(() => {
	engine = engineWithTrigger(service.credential(), {
		nodeTypes: [new TwoWayMessagingTrigger(service.memory), new TwoWayMessaging(service.memory)],
	});
});

/** Receives an event; returns what an execution then starts with. */
const receive = async (node: ReturnType<typeof triggerNode>, handle = 'm1') => {
	const secret = derivedSecret(String(service.credential().apiSecret));
	const event = signed(receiveEvent(handle, { text: 'A pizza' }), secret);
	return (await engine.receiveWebhook({ node, ...event })).startsWith;
};

/** Lets an event through a workflow that answers it; returns the expressions that n8n evaluates for that. */
async function expressionsOf(handle: string, answer: INodeParameters): Promise<string[]> {
	const evaluated = jest.spyOn(
		Expression.prototype as unknown as { renderExpression: (expression: string) => unknown },
		'renderExpression',
	);
	evaluated.mockClear();
	const items = await receive(triggerNode(), handle);
	const parameters = { resource: 'message', operation: 'send', ...answer };
	const nodes = [triggerNode(), { type: 'twoWayMessaging', name: 'Answer', parameters }];
	const run = await engine.runWorkflow({ nodes, items });

	expect(run.json('Answer')).toMatchObject([{ to: '+15551230001' }]);
	return evaluated.mock.calls.map(([expression]) => expression);
}

test('an event and its answer cost the expressions that a person has written, and no others', async () => {
	const written = { number: '={{ $json.from }}', content: '=You wrote: {{ $json.content }}' };
	const expressions = await expressionsOf('m1', written);
	expect(expressions.sort()).toEqual(['You wrote: {{ $json.content }}', '{{ $json.from }}']);

	const fixed = { number: '+15551230001', content: 'We are open.' };
	expect(await expressionsOf('m2', fixed)).toEqual([]);
});

describe('an expression in a field of the trigger', () => {
	/** What an event becomes; undefined where it starts nothing. */
	const itemOf = async (handle: string, parameters: INodeParameters) => {
		const node = triggerNode(parameters);
		const items = await receive(node, handle);
		return items && (await engine.runWorkflow({ nodes: [node], items })).json(node.name)[0];
	};

	test('decides by its value whether an event starts the workflow', async () => {
		const wanted = (word: string) => ({ filters: { contains: `={{ "${word}" }}` } });
		expect(await itemOf('m1', wanted('pasta'))).toBeUndefined();
		expect(await itemOf('m2', wanted('pizza'))).toMatchObject({ content: 'A pizza' });
	});

	test.each([
		['true', true],
		['false', false],
		// As n8n's variables have it.
		['" False"', false],
		['"maybe"', true],
	])('decides by its value what the item has: %s', async (value, isSimplified) => {
		const item = await itemOf('m1', { options: { simplify: `={{ ${value} }}` } });
		expect('content' in (item ?? {})).toBe(isSimplified);
	});
});
