import { PollContext } from 'n8n-core';
import type { WorkflowActivateMode } from 'n8n-workflow';
import { CheckedActivations, isStartOfN8n } from '../../nodes/TwoWayMessaging/n8n/activation';
import { instanceWith, Probe } from './probe';

const instance = instanceWith(new Probe(async () => [[]]));
const node = instance.node({ type: 'probe', name: 'Probe' });

/** One activation as n8n makes it: one workflow object, of which each check gets a context. */
const activate = () => {
	const workflow = instance.workflow([node]);
	return (mode: WorkflowActivateMode = 'activate') =>
		new PollContext(workflow, node, instance.additionalData(), 'trigger', mode);
};

describe("n8n's calls of poll()", () => {
	test('have one static data object for an activation, so that its first check is known', () => {
		const activations = new CheckedActivations();
		const contextOf = activate();
		expect(activations.isFirstCheck(contextOf())).toBe(true);
		activations.markChecked(contextOf());
		expect(activations.isFirstCheck(contextOf())).toBe(false);
		expect(activations.isFirstCheck(activate()())).toBe(true);
	});

	test('say whether n8n started by itself, or a person activated the workflow', () => {
		const contextOf = activate();
		const modes: WorkflowActivateMode[] = ['init', 'leadershipChange', 'activate', 'update'];
		expect(modes.map((mode) => isStartOfN8n(contextOf(mode)))).toEqual([true, true, false, false]);
	});
});
