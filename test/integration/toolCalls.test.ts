import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { TwoWayMessagingApi } from '../../credentials/TwoWayMessagingApi.credentials';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { NO_REQUEST_LIMITS } from '../../sandbox/src';
import { Agent, agentRequest, asTool, WAYS_TO_CALL, type WayToCall } from '../support/agent';
import { runWorkflow, type Run } from '../support/executions';
import { Instance } from '../support/instance';
import { TestService } from '../support/service';
import { fastMemory } from '../support/testClock';

const ANNA = '+15551230001';

let service: TestService;

beforeEach(async () => {
	service = await TestService.start({ requestLimits: NO_REQUEST_LIMITS, memory: fastMemory() });
});

afterEach(async () => {
	await service.stop();
});

/** Lets an agent call the node as its tool, with Retry On Fail unless `node` says otherwise. */
const callTool = async (
	way: WayToCall,
	calls: IDataObject[],
	parameters: INodeParameters = {},
	node: object = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
): Promise<Run> => {
	const instance = new Instance({
		nodeTypes: [new Agent(way, calls), asTool(new TwoWayMessaging(service.memory))],
		credentialTypes: [new TwoWayMessagingApi()],
		credentials: { twoWayMessagingApi: service.credential() },
	});
	return await runWorkflow(
		instance,
		agentRequest({
			type: 'twoWayMessagingTool',
			parameters: {
				resource: 'message',
				operation: 'send',
				number: ANNA,
				content: 'hello',
				...parameters,
			},
			...node,
		}),
	);
};

const accepted = async () => (await service.accepted()).map(({ content }) => content);

describe.each(WAYS_TO_CALL)('a tool that an agent calls %s', (way) => {
	test('texts once when a try loses its answer, also where the text has the time in it', async () => {
		await service.fault(PATHS.sendMessage, 'reset-after');
		await service.fault(PATHS.messages, 'status-500', 3);

		await callTool(way, [{}], { content: '={{ "hello " + Math.random() }}' });

		expect(await accepted()).toEqual([expect.stringContaining('hello 0.')]);
	});

	test('texts as often as it is called, whatever the agent says', async () => {
		await callTool(way, [{}, {}]);

		expect(await accepted()).toEqual(['hello', 'hello']);
	});

	test('does not text twice when the agent calls again with the same words after a lost answer', async () => {
		await service.fault(PATHS.sendMessage, 'reset-after');
		await service.fault(PATHS.messages, 'status-500', 3);

		const run = await callTool(way, [{}, {}], {}, {});

		expect(await accepted()).toEqual(['hello']);
		expect(run.status).toBe('success');
	});
});
