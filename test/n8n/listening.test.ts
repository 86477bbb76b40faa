import { Container } from '@n8n/di';
import {
	ActiveWorkflowTriggers,
	InstanceSettings,
	ScheduledTaskManager,
	TriggerContext,
} from 'n8n-core';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	IRun,
	ITriggerFunctions,
	ITriggerResponse,
	IWebhookFunctions,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { runWorkflow } from '../support/executions';
import { Instance } from '../support/instance';
import { turns } from '../support/turns';
import { runTrigger, type Emit } from '../support/webhooks';
import { Probe } from './probe';
import { MINUTE_MS } from '../support/times';

const ITEM: INodeExecutionData = { json: { handle: 'a' } };
const EVERY_MINUTE = '30 * * * * *';

type Trigger = (context: ITriggerFunctions) => Promise<ITriggerResponse | undefined>;

/** A trigger that listens as a test says. It takes webhooks, and executes what it emits. */
class Listener extends Probe implements INodeType {
	trigger: (this: ITriggerFunctions) => Promise<ITriggerResponse | undefined>;

	constructor(
		listen: Trigger,
		execute: (context: IExecuteFunctions) => Promise<INodeExecutionData[][]> = async () => [[]],
	) {
		super(execute);
		this.description = { ...this.description, group: ['trigger'], inputs: [] };
		this.trigger = async function (this: ITriggerFunctions) {
			return await listen(this);
		};
		this.webhook = async function (this: IWebhookFunctions) {
			return { noWebhookResponse: true };
		};
	}
}

const instanceOf = (listener: Listener) =>
	new Instance({ nodeTypes: [listener], credentialTypes: [], credentials: {} });

/** A node with this trigger(), in a workflow of n8n. */
const listening = (listen: Trigger, staticData: IDataObject = {}) => {
	const instance = instanceOf(new Listener(listen));
	const node = instance.node({ type: 'probe', name: 'Probe' });
	return { instance, node, workflow: instance.workflow([node], { staticData }) };
};

const noEmit: Emit = () => {};

describe('what n8n gives to trigger()', () => {
	const contextWith = (emit?: Emit, activation: WorkflowActivateMode = 'activate') => {
		const { instance, node, workflow } = listening(async () => ({}));
		const data = instance.additionalData();
		return new TriggerContext(workflow, node, data, 'trigger', activation, emit);
	};

	test('starts an execution with the items that it is given, and passes on whom to tell of its end', async () => {
		const given: unknown[] = [];
		const context = contextWith((data, response, done) => {
			given.push(data, response);
			done?.resolve({ status: 'success' } as IRun);
		});
		const done = context.helpers.createDeferredPromise<IRun>();
		context.emit([[ITEM]], undefined, done);
		expect(given).toEqual([[[ITEM]], undefined]);
		expect(await done.promise).toEqual({ status: 'success' });
	});

	test('throws at once where n8n gives it nothing to start executions with', () => {
		expect(() => contextWith().emit([[ITEM]])).toThrow('emit');
	});

	test('says why the workflow begins to listen', () => {
		const modes: WorkflowActivateMode[] = ['init', 'leadershipChange', 'activate', 'update'];
		const said = modes.map((mode) => contextWith(noEmit, mode).getActivationMode());
		expect(said).toEqual(modes);
	});

	test('has one static data object for as long as the workflow listens, which n8n watches', () => {
		const { instance, node, workflow } = listening(async () => ({}));
		const context = new TriggerContext(
			workflow,
			node,
			instance.additionalData(),
			'trigger',
			'activate',
			noEmit,
		);
		const data = context.getWorkflowStaticData('node');
		expect(context.getWorkflowStaticData('node')).toBe(data);
		expect(workflow.getStaticData('node', node)).toBe(data);
		workflow.staticData.__dataChanged = false;
		data.counted = 1;
		expect(workflow.staticData.__dataChanged).toBe(true);
	});
});

describe("n8n's activation of a workflow", () => {
	let isLeader: jest.SpiedGetter<boolean>;

	beforeEach(() => {
		isLeader = jest.spyOn(InstanceSettings.prototype, 'isLeader', 'get').mockReturnValue(true);
		jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
	});
	afterEach(() => jest.useRealTimers());

	/** Activates a workflow as n8n does; returns n8n's list of the workflows that listen. */
	const activate = async (listen: Trigger) => {
		const { instance, node, workflow } = listening(listen);
		const triggers = Container.get(ActiveWorkflowTriggers);
		const activating = triggers.addAllTriggers(
			workflow.id,
			workflow,
			instance.additionalData(),
			'trigger',
			'activate',
			(_workflow: Workflow, _node, data, mode, activation) =>
				new TriggerContext(workflow, node, data, mode, activation, noEmit),
			() => {
				throw new Error('Nothing polls');
			},
		);
		return { activating, triggers, group: { type: 'workflow', id: workflow.id } };
	};
	const manager = () => Container.get(ScheduledTaskManager);

	test('lets a cron tick each minute until the workflow stops, and then calls closeFunction once', async () => {
		const ticks: Date[] = [];
		let ticksAtClose = 0;
		let closed = 0;
		const { activating, triggers, group } = await activate(async ({ helpers }) => {
			helpers.registerCron({ expression: EVERY_MINUTE }, (scheduledAt) => {
				ticks.push(scheduledAt);
			});
			return {
				closeFunction: async () => {
					closed += 1;
					ticksAtClose = manager().getTargetIds(group).length;
				},
			};
		});
		await activating;
		expect(manager().hasTarget(group, 'Probe')).toBe(true);
		for (let minute = 0; minute < 3; minute += 1) await jest.advanceTimersByTimeAsync(MINUTE_MS);
		expect(ticks).toHaveLength(3);
		expect(ticks.map((at) => at.getSeconds())).toEqual([30, 30, 30]);

		await triggers.remove(group.id);
		expect([closed, ticksAtClose]).toEqual([1, 0]);
		await jest.advanceTimersByTimeAsync(3 * MINUTE_MS);
		expect(ticks).toHaveLength(3);
	});

	test('does not wait for the end of a tick before the next', async () => {
		let running = 0;
		const { activating, triggers, group } = await activate(async ({ helpers }) => {
			helpers.registerCron({ expression: EVERY_MINUTE }, async () => {
				running += 1;
				await new Promise(() => {});
			});
			return {};
		});
		await activating;
		for (let minute = 0; minute < 2; minute += 1) await jest.advanceTimersByTimeAsync(MINUTE_MS);
		expect(running).toBe(2);
		await triggers.remove(group.id);
	});

	test('lets a node that registers one expression twice tick once', async () => {
		let ticks = 0;
		const { activating, triggers, group } = await activate(async ({ helpers }) => {
			for (let time = 0; time < 2; time += 1) {
				helpers.registerCron({ expression: EVERY_MINUTE }, () => {
					ticks += 1;
				});
			}
			return {};
		});
		await activating;
		await jest.advanceTimersByTimeAsync(MINUTE_MS);
		expect(ticks).toBe(1);
		await triggers.remove(group.id);
	});

	test('fails with what trigger() throws, stops its crons and closes nothing', async () => {
		const { activating, group } = await activate(async ({ helpers }) => {
			helpers.registerCron({ expression: EVERY_MINUTE }, () => {});
			throw new Error('The key pair was refused');
		});
		await expect(activating).rejects.toThrow('The key pair was refused');
		expect(manager().hasGroup(group)).toBe(false);
	});

	test('lets no cron tick in a process that is not the leader', async () => {
		isLeader.mockReturnValue(false);
		const { activating, triggers, group } = await activate(async ({ helpers }) => {
			helpers.registerCron({ expression: EVERY_MINUTE }, () => {});
			return {};
		});
		await activating;
		expect(manager().hasGroup(group)).toBe(false);
		await triggers.remove(group.id);
	});
});

describe('an execution of what a trigger has emitted', () => {
	test.each(['trigger', 'webhook', 'manual'] as const)(
		'calls execute() with the items, and not trigger(), in mode %s',
		async (mode) => {
			const seen: unknown[] = [];
			let hasListened = false;
			const listener = new Listener(
				async () => {
					hasListened = true;
					return {};
				},
				async (context) => {
					seen.push(context.getMode(), context.getInputData());
					return [[{ json: { begun: true } }]];
				},
			);
			const run = await runWorkflow(instanceOf(listener), {
				nodes: [{ type: 'probe', name: 'Probe' }],
				items: [ITEM],
				mode,
			});
			expect(run.json('Probe')).toEqual([{ begun: true }]);
			expect(seen).toEqual([mode, [expect.objectContaining(ITEM)]]);
			expect(hasListened).toBe(false);
		},
	);
});

test('what a test gives to trigger() ticks and closes as n8n does', async () => {
	const said: string[] = [];
	const { instance, node, workflow } = listening(async (context) => {
		for (const time of ['first', 'second']) {
			context.helpers.registerCron({ expression: EVERY_MINUTE }, async () => {
				await turns();
				said.push(`${time} cron`);
				context.emit([[ITEM]]);
			});
		}
		return { closeFunction: async () => void said.push('closed') };
	});
	const emitted: unknown[] = [];
	const { tick, close } = await runTrigger(instance, workflow, node, {
		emit: (data) => emitted.push(data),
	});
	await tick();
	await close();
	await tick();
	expect(said).toEqual(['first cron', 'closed']);
	expect(emitted).toEqual([[[ITEM]]]);
});
