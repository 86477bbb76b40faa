import { DataDeduplicationService } from 'n8n-core';
import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	IRun,
	IWebhookFunctions,
	Workflow,
} from 'n8n-workflow';
// With its ending, because Node would take TwoWayMessagingTrigger.node.json first.
import { TwoWayMessagingTrigger } from '../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node.js';
import { runWorkflow } from '../test/support/executions';
import { Instance } from '../test/support/instance';
import { RecordedResponse } from '../test/support/recordedResponse';
import { fastMemory } from '../test/support/testClock';
import { turns } from '../test/support/turns';
import {
	receiveWebhook,
	runHook,
	runTrigger,
	type Emitted,
	type Listening,
} from '../test/support/webhooks';
import { receiveEvent, signatureHeaders } from './signedEvent';

/** How many events arrive between two checks. */
export const EVENTS_PER_CHECK = 5_000;

/** How many events run at the same time. */
export const EVENTS_AT_ONCE = 100;

const SIGNING_SECRET = 'signing-secret-of-the-bench';

/** How many minutes pass between two checks. */
const CHECK_EVERY = 5;

const NODE = { type: 'twoWayMessagingTrigger', name: 'Trigger', parameters: {} };

/** An event as the trigger's webhook() gets it. */
export type Event = { headers: Record<string, string>; rawBody: Buffer };

/** A trigger in its own workflow, through which a bench lets events pass. */
export class MeasuredTrigger {
	private readonly instance: Instance;

	private readonly node = new TwoWayMessagingTrigger(fastMemory());

	private staticData: IDataObject = {};

	private listening?: Listening;

	/** Executions that have begun and not ended. */
	private readonly running = new Set<Promise<void>>();

	private sent = 0;

	constructor(
		private readonly workflowId: string,
		baseUrl: string,
	) {
		this.instance = new Instance({
			nodeTypes: [this.node],
			credential: {
				baseUrl,
				apiKey: 'key',
				apiSecret: 'secret',
				signingSecret: SIGNING_SECRET,
			},
			workflowId,
		});
	}

	/** Registers the webhook and listens, which begins with a check. */
	async activate(): Promise<void> {
		const node = this.instance.node(NODE);
		const workflow = this.instance.workflow([node]);
		await runHook(this.instance, workflow, node, { method: 'create' });
		this.listening = await runTrigger(this.instance, workflow, node, {
			emit: ([items = []], _response, done) => this.start({ items, done }),
		});
		this.staticData = { ...workflow.getStaticData('node', node) };
	}

	/** Runs a check. */
	async check(): Promise<void> {
		for (let tick = 0; tick < CHECK_EVERY; tick += 1) await this.listening?.tick();
		await this.settle();
	}

	/** Lets so many new events through webhook() and execute(), without n8n-core. */
	async passEvents(count: number): Promise<void> {
		this.execute = async (items) => {
			await this.node.execute.call(this.executionOf(items));
		};
		for (let at = 0; at < count; at += EVENTS_PER_CHECK) {
			for (let one = at; one < Math.min(count, at + EVENTS_PER_CHECK); one += 1) {
				const { workflowData } = await this.node.webhook.call(this.webhookOf(this.makeEvent()));
				if (workflowData) this.start({ items: workflowData[0]! });
			}
			await this.settle();
			await this.check();
		}
	}

	/** Lets events through n8n-core; returns how many items its executions continued with. */
	async runEvents(events: Event[]): Promise<number> {
		const { staticData } = this;
		let continuedWith = 0;
		this.execute = async (items) => {
			const run = await runWorkflow(this.instance, { nodes: [NODE], items });
			continuedWith += run.items(NODE.name).length;
		};
		for (let at = 0; at < events.length; at += EVENTS_AT_ONCE) {
			const group = events.slice(at, at + EVENTS_AT_ONCE).map(async (event) => {
				const { startsWith } = await receiveWebhook(this.instance, {
					node: NODE,
					staticData,
					...event,
				});
				if (startsWith) this.start({ items: startsWith });
			});
			await Promise.all(group);
			await this.settle();
		}
		return continuedWith;
	}

	private execute = async (_items: INodeExecutionData[]): Promise<void> => {};

	private start({ items, done }: Emitted): void {
		const run = this.execute(items).then(() => {
			done?.resolve({ status: 'success' } as IRun);
			this.running.delete(run);
		});
		this.running.add(run);
	}

	/** Resolves when every event has begun, and every execution has ended. */
	private async settle(): Promise<void> {
		await turns();
		while (this.running.size > 0) {
			await Promise.all(this.running);
			await turns();
		}
	}

	/** Makes a new event, or repeats an earlier one: 1 is the last one. */
	makeEvent(back = 0): Event {
		if (back === 0) this.sent += 1;
		const name = `${this.workflowId}-${this.sent - Math.max(0, back - 1)}`;
		const body = receiveEvent(name, 'Is my order ready?');
		return { rawBody: Buffer.from(body), headers: signatureHeaders(body, SIGNING_SECRET) };
	}

	/** How many entries the durable list has. */
	async countEntries(): Promise<number> {
		return await DataDeduplicationService.getInstance().getProcessedDataCount(
			'node',
			this.nodeAndWorkflow(),
			{ mode: 'entries' },
		);
	}

	private nodeAndWorkflow() {
		const node = { id: NODE.name, name: NODE.name, parameters: {} } as INode;
		return { node, workflow: { id: this.workflowId } as Workflow };
	}

	private webhookOf({ headers, rawBody }: Event): IWebhookFunctions {
		const { node, workflow } = this.nodeAndWorkflow();
		return {
			getNode: () => node,
			getWorkflow: () => workflow,
			getMode: () => 'webhook',
			getNodeParameter: (name: string, fallback: unknown) =>
				name === 'events' ? ['receive'] : fallback,
			getWorkflowStaticData: () => this.staticData,
			getHeaderData: () => headers,
			getRequestObject: () => ({ rawBody }),
			getResponseObject: () => new RecordedResponse(),
		} as unknown as IWebhookFunctions;
	}

	private executionOf(items: INodeExecutionData[]): IExecuteFunctions {
		const { node, workflow } = this.nodeAndWorkflow();
		return {
			getNode: () => node,
			getWorkflow: () => workflow,
			getMode: () => 'webhook',
			getExecuteData: () => ({ node }),
			addExecutionHints: () => undefined,
			getInputData: () => items,
			getNodeParameter: (_name: string, _item: number, fallback: unknown) => fallback,
			helpers: {
				checkProcessedAndRecord: async (
					keys: string[],
					scope: 'node',
					options: { mode: 'entries' },
				) =>
					await DataDeduplicationService.getInstance().checkProcessedAndRecord(
						keys,
						scope,
						{ node, workflow },
						options,
					),
			},
		} as unknown as IExecuteFunctions;
	}
}
