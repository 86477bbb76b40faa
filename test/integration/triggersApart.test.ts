import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { TestClock } from '../support/testClock';
import { engineWithTrigger, handedOver, TRIGGER, triggerNode } from './triggerWorkflow';

/** One process of n8n, in which several triggers listen to the same account. */
const memory = new ProcessMemory(new TestClock());

const begin = async (workflowId: string, id: string, process = memory) => {
	const credential = { baseUrl: 'https://s.example', apiKey: 'k', apiSecret: 's' };
	const nodeTypes = [new TwoWayMessagingTrigger(process)];
	const run = await engineWithTrigger(credential, { nodeTypes, workflowId }).runWorkflow({
		nodes: [{ ...triggerNode({ options: { completeMessages: false } }), id }],
		items: [handedOver('1')],
		mode: 'webhook',
	});
	return run.json(TRIGGER).map((item) => item.message_handle);
};

test('a text starts each of two triggers of one workflow once', async () => {
	for (const node of ['one', 'other']) {
		expect(await begin('both', node)).toEqual(['1']);
		expect(await begin('both', node)).toEqual([]);
	}
});

test('a text starts a workflow and its copy once each, also across a restart', async () => {
	const restarted = new ProcessMemory(new TestClock());
	for (const workflow of ['original', 'copy']) {
		expect(await begin(workflow, 'same')).toEqual(['1']);
		expect(await begin(workflow, 'same')).toEqual([]);
		expect(await begin(workflow, 'same', restarted)).toEqual([]);
	}
});
