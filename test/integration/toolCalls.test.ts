import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { NO_REQUEST_LIMITS } from '../../sandbox/src';
import { Agent, agentRequest, asTool, WAYS_TO_CALL, type WayToCall } from '../support/agent';
import { runWorkflow, type Run } from '../support/executions';
import { Instance } from '../support/instance';
import { ANNA, serviceInEachTest } from '../support/service';
import { fastMemory } from '../support/testClock';

const service = serviceInEachTest(() => ({
	requestLimits: NO_REQUEST_LIMITS,
	memory: fastMemory(),
}));

const callTool = async (way: WayToCall, calls: number, more: object = {}): Promise<Run> => {
	const instance = new Instance({
		nodeTypes: [new Agent(way, Array(calls).fill({})), asTool(new TwoWayMessaging(service.memory))],
		credential: service.credential(),
	});
	const content = '={{ "hello " + Math.random() }}';
	const parameters = { resource: 'message', operation: 'send', number: ANNA, content };
	const tool = { type: 'twoWayMessagingTool', parameters, ...more };
	return await runWorkflow(instance, agentRequest(tool));
};

const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

/** The answer to a text is lost, and the history cannot be read. */
const loseAnswer = async () => {
	await service.fault(PATHS.sendMessage, 'reset-after');
	await service.fault(PATHS.messages, 'status-500', 3);
};

describe.each(WAYS_TO_CALL)('a tool that an agent calls %s', (way) => {
	test('texts once when a try loses its answer, also where the text has chance in it', async () => {
		await loseAnswer();
		await callTool(way, 1, RETRY_ON_FAIL);
		expect(await service.accepted()).toHaveLength(1);
	});

	test('texts as often as it is called, whatever the agent says', async () => {
		await callTool(way, 2, RETRY_ON_FAIL);
		expect(await service.accepted()).toHaveLength(2);
	});

	test('does not text twice when the agent calls again with the same words after a lost answer', async () => {
		await loseAnswer();
		const parameters = { resource: 'message', operation: 'send', number: ANNA, content: 'hello' };
		const { status } = await callTool(way, 2, { parameters });
		expect(status).toBe('success');
		expect(await service.accepted()).toHaveLength(1);
	});
});
