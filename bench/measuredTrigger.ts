import { DataDeduplicationService } from 'n8n-core';
import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	IWebhookFunctions,
	Workflow,
} from 'n8n-workflow';
import { TwoWayMessagingApi } from '../credentials/TwoWayMessagingApi.credentials';
// With its ending, because Node would take TwoWayMessagingTrigger.node.json first.
import { TwoWayMessagingTrigger } from '../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node.js';
import { createEngine, type Engine } from '../test/support/engine';
import { receiveEvent, signatureHeaders } from './signedEvent';

/** How many events arrive between two checks. */
export const EVENTS_PER_CHECK = 5_000;

/** How many events run at the same time. */
export const EVENTS_AT_ONCE = 100;

const SIGNING_SECRET = 'signing-secret-of-the-bench';

const NODE = { type: 'twoWayMessagingTrigger', name: 'Trigger', parameters: {} };

/** An event as the trigger's webhook() gets it. */
export type Event = { headers: Record<string, string>; rawBody: Buffer };

/** A trigger in its own workflow, through which a bench lets events pass. */
export class MeasuredTrigger {
	private readonly engine: Engine;

	private readonly node = new TwoWayMessagingTrigger();

	private readonly staticData: IDataObject = {};

	private sent = 0;

	constructor(
		private readonly workflowId: string,
		baseUrl: string,
	) {
		this.engine = createEngine({
			nodeTypes: [this.node],
			credentialTypes: [new TwoWayMessagingApi()],
			credentials: {
				twoWayMessagingApi: {
					baseUrl,
					apiKey: 'key',
					apiSecret: 'secret',
					signingSecret: SIGNING_SECRET,
				},
			},
			workflowId,
		});
	}

	/** Registers the webhook and runs the first check. */
	async activate(): Promise<void> {
		const { staticData } = this;
		await this.engine.callWebhookMethod({ node: NODE, method: 'create', staticData });
		await this.check('activate');
	}

	/** Runs a check. */
	async check(activation: 'activate' | 'init' = 'init'): Promise<void> {
		await this.engine.poll({ node: NODE, staticData: this.staticData, activation });
	}

	/** Lets so many new events through webhook() and execute(), without n8n-core. */
	async passEvents(count: number): Promise<void> {
		for (let at = 0; at < count; at += EVENTS_PER_CHECK) {
			const runs: Array<Promise<unknown>> = [];
			for (let one = at; one < Math.min(count, at + EVENTS_PER_CHECK); one += 1) {
				const { workflowData } = await this.node.webhook.call(this.webhookOf(this.makeEvent()));
				runs.push(this.node.execute.call(this.executionOf(workflowData![0]!)));
			}
			await Promise.all(runs);
			await this.check();
		}
	}

	/** Lets events through n8n-core; returns how many items its executions continued with. */
	async runEvents(events: Event[]): Promise<number> {
		const { staticData } = this;
		let items = 0;
		for (let at = 0; at < events.length; at += EVENTS_AT_ONCE) {
			const group = events.slice(at, at + EVENTS_AT_ONCE).map(async (event) => {
				const { startsWith } = await this.engine.receiveWebhook({
					node: NODE,
					staticData,
					...event,
				});
				if (!startsWith) return;
				const run = await this.engine.runWorkflow({ nodes: [NODE], items: startsWith });
				items += run.items(NODE.name).length;
			});
			await Promise.all(group);
		}
		return items;
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
		const node = { id: NODE.name, name: NODE.name } as INode;
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
		} as unknown as IWebhookFunctions;
	}

	private executionOf(items: INodeExecutionData[]): IExecuteFunctions {
		const { node, workflow } = this.nodeAndWorkflow();
		return {
			getNode: () => node,
			getWorkflow: () => workflow,
			getMode: () => 'webhook',
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
