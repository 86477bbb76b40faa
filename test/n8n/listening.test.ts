import { Container } from '@n8n/di';
import {
	ActiveWorkflowTriggers,
	InstanceSettings,
	ScheduledTaskManager,
	TriggerContext,
} from 'n8n-core';
import type {
	IHookFunctions,
	INodeExecutionData,
	IRun,
	ITriggerFunctions,
	ITriggerResponse,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { everyMinute } from '../../nodes/TwoWayMessaging/trigger/check/listen';
import { mustNotThrow } from '../../nodes/TwoWayMessaging/trigger/nodeMemory';
import { executionStarter } from '../../nodes/TwoWayMessaging/trigger/starter';
import { nodeType } from '../support/flowNodes';
import { MINUTE_MS } from '../support/times';
import type { Emit } from '../support/webhooks';
import { instanceWith } from './probe';

const ITEM: INodeExecutionData = { json: { handle: 'a' } };

type Trigger = (context: ITriggerFunctions) => Promise<ITriggerResponse>;

/** A node with this trigger(), in a workflow of n8n. */
const listening = (listen: Trigger = async () => ({})) => {
	const probe = nodeType('probe', () => [[]], { isStart: true });
	probe.trigger = async function () {
		return await listen(this);
	};
	const instance = instanceWith(probe);
	const node = instance.node({ type: 'probe', name: 'Probe' });
	const workflow = instance.workflow([node]);
	const contextWith = (emit?: Emit, activation: WorkflowActivateMode = 'activate') =>
		new TriggerContext(workflow, node, instance.additionalData(), 'trigger', activation, emit);
	return { instance, workflow, contextWith };
};

describe('what n8n gives to trigger()', () => {
	test('says whether n8n started by itself, or a person published the workflow first or again', () => {
		const { contextWith } = listening();
		const said = (['init', 'leadershipChange', 'activate', 'update'] as const)
			.map((activation) => contextWith(undefined, activation) as unknown as IHookFunctions)
			.map((context) => [context.getActivationMode(), mustNotThrow(context)]);
		expect(said).toEqual([
			['init', true],
			['leadershipChange', true],
			['activate', false],
			['update', true],
		]);
	});
});

describe('an execution that a trigger starts', () => {
	const starterWith = (emit: Emit) => executionStarter(listening().contextWith(emit));
	const end = (end: Partial<IRun>, error?: object) =>
		({ ...end, data: { resultData: { runData: {}, ...(error && { error }) } } }) as unknown as IRun;
	const ERROR = { message: 'run fails' };
	const waitTill = new Date();

	// Measured with n8n 1.88, 1.123 and 2.39.
	test.each<[string, IRun | undefined, boolean]>([
		['well', end({ status: 'success', finished: true }), true],
		['well in n8n 1.88', end({ status: 'running', finished: true }), true],
		['with a wait', end({ status: 'waiting', waitTill }), true],
		['with a wait in queue mode', end({ status: 'waiting', waitTill, finished: true }), true],
		['with a wait in queue mode of n8n 1', end({ status: 'waiting' }), true],
		['badly', end({ status: 'error' }, ERROR), false],
		['badly in n8n 1.88', end({ status: 'running' }, ERROR), false],
		['badly in queue mode', end({ status: 'error', finished: false }, ERROR), false],
		['and nobody knows how', undefined, false],
	])('ends %s', async (_, ended, isWell) => {
		const started: unknown[] = [];
		const start = starterWith((data, response, done) => {
			started.push(data, response);
			done?.resolve(ended as IRun);
		});
		expect(await start([ITEM])).toBe(isWell);
		expect(started).toEqual([[[ITEM]], undefined]);
	});

	test('and that n8n could not start, or that a person has stopped, rejects', async () => {
		const start = starterWith((_data, _response, done) =>
			done?.reject(new Error('The execution was cancelled manually')),
		);
		await expect(start([ITEM])).rejects.toThrow('cancelled');
	});
});

describe("n8n's activation of a workflow", () => {
	let isLeader: jest.SpiedGetter<boolean>;

	beforeEach(() => {
		isLeader = jest.spyOn(InstanceSettings.prototype, 'isLeader', 'get').mockReturnValue(true);
		jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
	});
	afterEach(() => jest.useRealTimers());

	const manager = () => Container.get(ScheduledTaskManager);

	/** Activates a workflow as n8n does, in which something happens at the seventh second of every minute. */
	const activate = async (tick: () => unknown, closeFunction?: () => Promise<void>) => {
		const { instance, workflow, contextWith } = listening(async (context) => {
			everyMinute(context, 7, tick);
			return { closeFunction };
		});
		const group = { type: 'workflow', id: workflow.id };
		const triggers = Container.get(ActiveWorkflowTriggers);
		await triggers.addAllTriggers(
			...([workflow.id, workflow, instance.additionalData(), 'trigger', 'activate'] as const),
			(_workflow: Workflow) => contextWith(),
			() => {
				throw new Error('Nothing polls');
			},
		);
		return { group, stop: async () => await triggers.remove(group.id) };
	};

	test('calls a function at its second of every minute until the workflow stops, and closes it once', async () => {
		const seconds: number[] = [];
		const ticksAtClose: number[] = [];
		const { group, stop } = await activate(
			() => seconds.push(new Date().getSeconds()),
			async () => void ticksAtClose.push(manager().getTargetIds(group).length),
		);
		expect(manager().hasTarget(group, 'Probe')).toBe(true);
		await jest.advanceTimersByTimeAsync(3 * MINUTE_MS);
		await stop();
		await jest.advanceTimersByTimeAsync(3 * MINUTE_MS);
		expect([seconds, ticksAtClose]).toEqual([[7, 7, 7], [0]]);
	});

	test('does not wait for the end of a tick before the next', async () => {
		let running = 0;
		const { stop } = await activate(async () => {
			running += 1;
			await new Promise(() => {});
		});
		await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
		expect(running).toBe(2);
		await stop();
	});

	test('lets nothing tick in a process that is not the leader', async () => {
		isLeader.mockReturnValue(false);
		const { group, stop } = await activate(() => {});
		expect(manager().hasGroup(group)).toBe(false);
		await stop();
	});
});

describe('every minute', () => {
	const within = (helpers: object) => ({ helpers }) as unknown as ITriggerFunctions;

	test('comes in n8n 1.88, too, which takes a text and throws at an object', () => {
		const registered: string[] = [];
		const registerCron = (source: string) => registered.push(source.toLowerCase());
		everyMinute(within({ registerCron }), 7, () => {});
		expect(registered).toEqual(['7 * * * * *']);
	});

	test('needs an n8n that takes either, so that nobody publishes a workflow that checks nothing', () => {
		expect(() => everyMinute(within({}), 7, () => {})).toThrow('registerCron');
	});
});
