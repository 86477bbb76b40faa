import type { PollContext } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IRun,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { TwoWayMessagingApi } from '../../credentials/TwoWayMessagingApi.credentials';
import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { runWorkflow, type Run } from '../support/executions';
import { Instance, replaceContent, staticDataFor } from '../support/instance';
import type { SentRequest } from '../support/readRequest';
import { TestClock } from '../support/testClock';
import { receiveWebhook, runHook, runPoll } from '../support/webhooks';
import { signed, TRIGGER, triggerNode } from './triggerWorkflow';

/** What n8n has in its database: it outlives every process. */
export type Database = { workflowId: string; staticData: IDataObject };

type HandedOver = {
	items: INodeExecutionData[];
	mode: WorkflowExecuteMode;
	/** Says to the check that has started the execution that it has ended. */
	done?: Parameters<PollContext['__emit']>[2];
};

/**
 * One process of n8n with one active workflow, in which a test decides when each thing happens. Items that are handed
 * over wait in `queue` until `execute` runs them, and end with the process. Static data is saved when n8n saves it, and
 * not otherwise.
 */
export class Process {
	/** What a person has set on the node beside its fields. */
	settings: Partial<INode> = {};

	/** Executions that n8n has accepted and not begun. */
	readonly queue: HandedOver[] = [];

	/** With how many items each execution has let something into the workflow, in the order in which they ended. */
	readonly executions: number[] = [];

	/** How many executions have ended without an item. */
	blanks = 0;

	/** What these executions said of themselves. */
	readonly saidOfBlanks: string[] = [];

	/** Whether this n8n lets a check start executions one by one, and whether it then fails to start them. */
	canEmit = true;

	failsToStart = false;

	private readonly instance: Instance;

	private active?: Workflow;

	constructor(
		private readonly database: Database,
		credential: { baseUrl: string; apiKey: string; apiSecret: string },
		public parameters: INodeParameters = {},
		clock: Clock = new TestClock(),
		/** What the process remembers; one memory for several workflows that run in one process. */
		readonly memory = new ProcessMemory(clock),
	) {
		this.instance = new Instance({
			nodeTypes: [new TwoWayMessagingTrigger(memory)],
			credentialTypes: [new TwoWayMessagingApi()],
			credentials: { twoWayMessagingApi: credential },
			workflowId: database.workflowId,
		});
	}

	/** The node as n8n saves it; the workflow adds the defaults of the other fields. */
	private get node() {
		const { options } = this.parameters as { options?: IDataObject };
		// The events of these tests have no rows in the history unless a test says so, and would wait for them.
		const parameters = { ...this.parameters, options: { completeMessages: false, ...options } };
		return this.instance.node(triggerNode(parameters as INodeParameters));
	}

	/** Calls `checkExists`, `create` if needed, and `poll`, as n8n does when a workflow begins to listen. */
	async activate(activation: WorkflowActivateMode): Promise<void> {
		const workflow = this.workflow();
		const node = trigger(workflow);
		if (this.parameters.receiveBy !== 'polling') {
			const hook = { activation };
			if (!(await runHook(this.instance, workflow, node, { ...hook, method: 'checkExists' }))) {
				await runHook(this.instance, workflow, node, { ...hook, method: 'create' });
			}
			this.save(workflow);
		}
		this.active = workflow;
		this.activation = activation;
		await this.poll(workflow);
		this.save(workflow);
	}

	private activation: WorkflowActivateMode = 'activate';

	/** Calls `delete`, as n8n does when a person stops the workflow or publishes it again. */
	async release(): Promise<void> {
		const workflow = this.workflow();
		if (this.parameters.receiveBy !== 'polling') {
			const hook = { method: 'delete', activation: 'update' } as const;
			await runHook(this.instance, workflow, trigger(workflow), hook);
		}
		this.save(workflow);
		this.active = undefined;
	}

	/** Calls `delete` of the URL for tests, as n8n does when a test in the editor ends. */
	async endTest(): Promise<void> {
		const workflow = this.workflow();
		await runHook(this.instance, workflow, trigger(workflow), { method: 'delete', isTest: true });
	}

	/** Runs one scheduled check; returns what it hands over at once. n8n saves only when it starts an execution. */
	async check(): Promise<INodeExecutionData[]> {
		if (!this.active) throw new Error('The workflow is not active');
		const before = this.queue.length;
		await this.poll(this.active);
		return this.queue.slice(before).flatMap(({ items }) => items);
	}

	/** Receives a correctly signed event. */
	async receive(body: unknown, secret: string, nowMs: number): Promise<number> {
		return await this.receiveRequest(signed(body, secret, nowMs));
	}

	/** Receives a request. n8n saves what `webhook()` writes, but not when an execution starts. */
	async receiveRequest(request: SentRequest): Promise<number> {
		const before = structuredClone(this.database.staticData);
		const { response, startsWith, staticData } = await receiveWebhook(this.instance, {
			node: this.node,
			staticData: before,
			...request,
		});
		if (startsWith) this.queue.push({ items: startsWith, mode: 'webhook' });
		else if (JSON.stringify(staticData) !== JSON.stringify(before)) {
			replaceContent(this.database.staticData, staticData);
		}
		return response.status;
	}

	/** Receives an event at the URL for tests; returns the run that the editor shows. */
	async test(body: unknown, secret: string, nowMs: number): Promise<Run> {
		const { startsWith } = await receiveWebhook(this.instance, {
			node: this.node,
			isTest: true,
			...signed(body, secret, nowMs),
		});
		this.queue.push({ items: startsWith ?? [], mode: 'manual' });
		const [run] = await Promise.all(this.start());
		if (!run) throw new Error('The test has started nothing');
		return run;
	}

	/**
	 * Runs the waiting executions, all at once, and then those that are started when they have ended; with a count, so many
	 * and no more. Returns the items that the trigger let into the workflow.
	 */
	async execute(count?: number): Promise<IDataObject[]> {
		const items = await this.executeWaiting(count);
		if (count !== undefined) return items;
		await turns();
		while (this.queue.length > 0) {
			items.push(...(await this.executeWaiting()));
			await turns();
		}
		return items;
	}

	private async executeWaiting(count?: number): Promise<IDataObject[]> {
		const ended = await Promise.all(this.start(count));
		const failed = ended.find(({ status }) => status !== 'success');
		if (failed)
			throw new Error(`An execution ended with ${failed.status}: ${failed.error?.message}`);
		const items = ended.map((run) => run.json(TRIGGER));
		for (const { length } of items) {
			if (length > 0) this.executions.push(length);
			else this.blanks += 1;
		}
		const blank = ended.filter((run) => run.json(TRIGGER).length === 0);
		const hints = blank.flatMap((run) => run.data[TRIGGER]?.[0]?.hints ?? []);
		this.saidOfBlanks.push(...hints.map(({ message }) => message));
		return items.flat();
	}

	/** Begins the waiting executions, all at once, and returns the end of each; the signal stops them. */
	start(count = this.queue.length, signal?: AbortSignal): Array<Promise<Run>> {
		const nodes = [{ ...triggerNode(this.parameters), ...this.settings }];
		return this.queue.splice(0, count).map(async ({ done, ...handed }) => {
			const staticData = staticDataFor(this.node, structuredClone(this.database.staticData));
			const run = await runWorkflow(this.instance, { nodes, staticData, signal, ...handed });
			done?.resolve({ status: run.status } as IRun);
			return run;
		});
	}

	private workflow(): Workflow {
		const { node } = this;
		const staticData = staticDataFor(node, structuredClone(this.database.staticData));
		return this.instance.workflow([node], { staticData });
	}

	private save(workflow: Workflow): void {
		const data = workflow.getStaticData('node', trigger(workflow));
		replaceContent(this.database.staticData, JSON.parse(JSON.stringify(data)) as IDataObject);
	}

	private async poll(workflow: Workflow): Promise<void> {
		const { activation } = this;
		const emit: PollContext['__emit'] = ([items = []], _response, done) => {
			this.save(workflow);
			if (this.failsToStart) return done?.reject(new Error('The database is locked'));
			this.queue.push({ items, mode: 'trigger', done });
		};
		const call = { activation, ...(this.canEmit && { emit }) };
		const items = await runPoll(this.instance, workflow, trigger(workflow), call);
		if (items) emit([items]);
	}
}

/** Lets everything go on that waits for no time to pass. */
const turns = async () => {
	for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const trigger = (workflow: Workflow): INode => {
	const node = workflow.getNode(TRIGGER);
	if (!node) throw new Error('The workflow has no trigger');
	return node;
};
