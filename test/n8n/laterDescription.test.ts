import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import {
	withBuilderHint,
	type LaterDescription,
} from '../../nodes/TwoWayMessaging/n8n/laterDescription';

type HintOf<Described> = Described extends { builderHint?: infer Hint } ? NonNullable<Hint> : never;

describe('what n8n knows of a node only since later versions', () => {
	test('has the form of the present n8n', () => {
		// The compiler checks this: n8n's own types take what ours allow.
		const description: Pick<INodeTypeDescription, 'waitingNodeTooltip' | 'builderHint'> =
			{} as Pick<LaterDescription, 'waitingNodeTooltip' | 'builderHint'>;
		expect(description).toEqual({});
	});

	test('is a hint beside the other words of a field', () => {
		const field: INodeProperties = withBuilderHint(
			{ displayName: 'Text', name: 'content', type: 'string', default: '' },
			'Use the answer of the agent.',
		);
		const hint: HintOf<INodeProperties> = { propertyHint: 'Use the answer of the agent.' };
		expect(field).toMatchObject({ name: 'content', builderHint: hint });
	});
});
