import { TriggerContext } from 'n8n-core';
import type { IHookFunctions, WorkflowActivateMode } from 'n8n-workflow';
import { mustNotThrow } from '../../nodes/TwoWayMessaging/trigger/nodeMemory';
import { instanceWith, Probe } from './probe';

const instance = instanceWith(new Probe(async () => [[]]));
const node = instance.node({ type: 'probe', name: 'Probe' });

const contextOf = (activation: WorkflowActivateMode) =>
	new TriggerContext(
		instance.workflow([node]),
		node,
		instance.additionalData(),
		'trigger',
		activation,
	) as unknown as IHookFunctions;

test('n8n says whether it started by itself, or a person published the workflow first or again', () => {
	const said = (['init', 'leadershipChange', 'activate', 'update'] as const)
		.map(contextOf)
		.map((context) => [context.getActivationMode(), mustNotThrow(context)]);
	expect(said).toEqual([
		['init', true],
		['leadershipChange', true],
		['activate', false],
		['update', true],
	]);
});
