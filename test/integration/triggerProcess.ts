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
import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { runWorkflow, type Run } from '../support/executions';
import { Instance, replaceContent, staticDataFor } from '../support/instance';
import type { SentRequest } from '../support/readRequest';
import { TestClock } from '../support/testClock';
import { turns } from '../support/turns';
import {
	receiveWebhook,
	runHook,
	runTrigger,
	type Emit,
	type Emitted,
	type Listening,
} from '../support/webhooks';
import { signed, TRIGGER, triggerNode } from './triggerWorkflow';

/** What n8n has in its database: it outlives every process. */
export type Database = { workflowId: string; staticData: IDataObject };

type HandedOver = Emitted & { mode: WorkflowExecuteMode };

/** How many minutes pass between two checks where nobody has changed the field. */
const CHECK_EVERY = 5;

/**
 * One process of n8n with one active workflow, in which a test decides when each thing happens. Items that are handed
 * over wait in `queue` until `execute` runs them, and end with the process. Static data is saved when n8n saves it, and
 * not otherwise.
 */
export class Process {
	/** Executions that n8n has accepted and not begun. */
	readonly queue: HandedOver[] = [];

	/** With how many items each execution has let something into the workflow, in the order in which they ended. */
	readonly executions: number[] = [];

	/** How many executions have ended without an item. */
	blanks = 0;

	/** What these executions said of themselves. */
	readonly saidOfBlanks: string[] = [];

	/** Whether n8n cannot start executions. */
	failsToStart = false;

	private readonly instance: Instance;

	private listening?: Listening;

	private isKilled = false;

	constructor(
		readonly database: Database,
		credential: { baseUrl: string; apiKey: string; apiSecret: string },
		public parameters: INodeParameters = {},
		clock: Clock = new TestClock(),
		/** What the process remembers; one memory for several workflows that run in one process. */
		readonly memory = new ProcessMemory(clock),
	) {
		this.instance = new Instance({
			nodeTypes: [new TwoWayMessagingTrigger(memory)],
			credential,
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

	/** Calls `checkExists`, `create` if needed, and `trigger`, as n8n does when a workflow begins to listen. */
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
		await this.stopListening();
		const emit = this.emitOf(workflow);
		this.listening = await runTrigger(this.instance, workflow, node, { activation, emit });
		this.save(workflow);
		await this.settle();
	}

	/** Calls `delete`, then `closeFunction`, as n8n does when a person stops the workflow or publishes it again. */
	async release(): Promise<void> {
		const workflow = this.workflow();
		if (this.parameters.receiveBy !== 'polling') {
			const hook = { method: 'delete', activation: 'update' } as const;
			await runHook(this.instance, workflow, trigger(workflow), hook);
		}
		this.save(workflow);
		await this.stopListening();
	}

	/** Nothing that still goes on in this process starts an execution or is saved any more. */
	kill(): void {
		this.isKilled = true;
		this.queue.length = 0;
	}

	/** Calls `delete` of the URL for tests, as n8n does when a test in the editor ends. */
	async endTest(): Promise<void> {
		const workflow = this.workflow();
		await runHook(this.instance, workflow, trigger(workflow), { method: 'delete', isTest: true });
	}

	/**
	 * Lets the minutes tick until the node has made one check; returns the items of the executions that start then. n8n
	 * saves only when it starts an execution.
	 */
	async check(): Promise<INodeExecutionData[]> {
		const before = this.queue.length;
		await this.tick(this.ticksOfCheck);
		return this.queue.slice(before).flatMap(({ items }) => items);
	}

	/** Lets so many minutes tick, each when all is done that the one before has begun. */
	async tick(times = 1): Promise<void> {
		if (!this.listening) throw new Error('The workflow is not active');
		for (let tick = 0; tick < times; tick += 1) await this.listening.tick();
		await this.settle();
	}

	/** A node without checks is given the minutes in which another one would make a check. */
	private get ticksOfCheck(): number {
		const { checkEvery = CHECK_EVERY, receiveBy } = this.parameters;
		return Number(checkEvery) || (receiveBy === 'polling' ? 1 : CHECK_EVERY);
	}

	/** Receives a correctly signed event; the execution that it starts is in the queue then. */
	async receive(body: unknown, secret: string, nowMs: number): Promise<number> {
		return await this.receiveRequest(signed(body, secret, nowMs));
	}

	/** What the node has answered to the last request. */
	answer: unknown;

	/** Receives a request. n8n saves what `webhook()` writes, but not when an execution starts. */
	async receiveRequest(request: SentRequest): Promise<number> {
		const before = structuredClone(this.database.staticData);
		const { response, startsWith, staticData } = await receiveWebhook(this.instance, {
			node: this.node,
			staticData: before,
			...request,
		});
		if (startsWith) this.accept({ items: startsWith, mode: 'webhook' });
		else if (JSON.stringify(staticData) !== JSON.stringify(before)) {
			replaceContent(this.database.staticData, staticData);
		}
		await this.settle();
		this.answer = response.body;
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
		await this.settle();
		while (this.queue.length > 0) {
			items.push(...(await this.executeWaiting()));
			await this.settle();
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

	/** Begins the waiting executions, all at once, and returns the end of each. */
	start(count = this.queue.length): Array<Promise<Run>> {
		const nodes = [triggerNode(this.parameters)];
		return this.queue.splice(0, count).map(async ({ done, ...handed }) => {
			const staticData = staticDataFor(this.node, structuredClone(this.database.staticData));
			try {
				const run = await runWorkflow(this.instance, { nodes, staticData, ...handed });
				const end = { finished: run.status === 'success', data: { resultData: {} } };
				done?.resolve({ ...end, status: run.status } as IRun);
				return run;
			} catch (problem) {
				done?.reject(problem as Error);
				throw problem;
			}
		});
	}

	private workflow(): Workflow {
		const { node } = this;
		const staticData = staticDataFor(node, structuredClone(this.database.staticData));
		return this.instance.workflow([node], { staticData });
	}

	/** Saves what the node has written, as n8n does: all of it, and only if something has changed. */
	private save(workflow: Workflow): void {
		if (!workflow.staticData.__dataChanged) return;
		replaceContent(this.database.staticData, workflow.getStaticData('node', trigger(workflow)));
		workflow.staticData.__dataChanged = false;
	}

	private async stopListening(): Promise<void> {
		await this.listening?.close();
		this.listening = undefined;
	}

	/** What the node starts executions with for as long as the process lives, with the static data of this activation. */
	private emitOf(workflow: Workflow): Emit {
		return ([items = []], _response, done) => {
			if (this.isKilled) return;
			this.save(workflow);
			if (this.failsToStart) return done?.reject(new Error('The database is locked'));
			this.accept({ items, mode: 'trigger', done });
		};
	}

	protected accept(handed: HandedOver): void {
		this.queue.push(handed);
	}

	/** Lets the node go on until it starts no more executions. */
	private async settle(): Promise<void> {
		let before: number;
		do {
			before = this.queue.length;
			await turns();
		} while (this.queue.length > before);
	}
}

const trigger = (workflow: Workflow): INode => {
	const node = workflow.getNode(TRIGGER);
	if (!node) throw new Error('The workflow has no trigger');
	return node;
};

/** A process that begins each execution as soon as it is accepted. */
export class LiveProcess extends Process {
	/** The executions, in the order in which they ended. */
	readonly runs: Run[] = [];

	private readonly running: Array<Promise<unknown>> = [];

	protected override accept(handed: HandedOver): void {
		super.accept(handed);
		const ends = this.start().map(async (end) => this.runs.push(await end));
		this.running.push(...ends);
	}

	/** The items of every execution so far. */
	get items(): IDataObject[] {
		return this.runs.flatMap((run) => run.json(TRIGGER));
	}

	async idle(): Promise<void> {
		do {
			await Promise.all(this.running.splice(0));
			await turns();
		} while (this.running.length > 0);
	}
}
