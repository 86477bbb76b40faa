import { createHmac } from 'node:crypto';
import { loadavg } from 'node:os';
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
import { HEADERS } from '../nodes/TwoWayMessaging/contract';
// With its ending: beside it lies TwoWayMessagingTrigger.node.json, which Node would take first.
import { TwoWayMessagingTrigger } from '../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node.js';
import { createEngine, type Engine } from '../test/support/engine';
import { startStub } from '../test/support/stub';
import { median, spread } from './measure';
import { inOwnProcess, offer } from './ownProcess';
import { atMost, exactly, note, type Bench } from './table';

const FEW = 1_000;
const MANY = 1_000_000;
/** Events between two checks. */
const A_CHECK = 5_000;
const MEASURED = 1_000;
/** Events that run at the same moment. */
const SIDE_BY_SIDE = 100;
const ROUNDS = 11;
const ENOUGH_TO_BE_FULL = 100_000;

const NODE = { type: 'twoWayMessagingTrigger', name: 'Trigger', parameters: {} };

/** Of each event, the processor's time in milliseconds, by round. */
type Result = {
	few: number[];
	many: number[];
	/** Memory in use after a garbage collection, in bytes. */
	heap: { before: number; few: number; full: number; many: number };
	/** Entries of the durable list. */
	recorded: number;
	/** Events of the measured ones that did not start a run, and of those seen before that started another. */
	lost: number;
	twice: number;
};

/**
 * What an event costs after a million others, against one after a thousand: webhook(), then an execution, both
 * by n8n-core, a hundred at once, the durable list's row included. A round is a trigger that has just seen its
 * first thousand, and the one that has seen a million, in turns.
 *
 * The million before it goes through webhook() and execute() of the node too, in contexts that hold no more
 * than the node asks of them. Cost is the processor's time: the waiting for a group of the list is not counted.
 */
export const seen: Bench = {
	conditions: [
		`${ROUNDS} rounds of ${MEASURED} events each in one process, ${SIDE_BY_SIDE} at once, a check every ${A_CHECK} events`,
	],
	async run() {
		const stub = await startStub(() => ({ body: { messages: [] } }));
		const result = await inOwnProcess<Result>(__filename, 'seen', { baseUrl: stub.url });
		await stub.stop();
		const { few, many, heap, recorded } = result;
		const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
		const ratios = many.map((cost, round) => cost / few[round]!);
		return [
			atMost(`an event after ${MANY} ÷ an event after ${FEW}`, median(ratios), 1.1),
			note('  each round', spread(ratios, 2)),
			note('  an event', `${median(few).toFixed(3)} ms, ${median(many).toFixed(3)} ms`),
			atMost(
				`memory after ${MANY} ÷ after ${ENOUGH_TO_BE_FULL}`,
				(heap.many - heap.before) / (heap.full - heap.before),
				1.1,
			),
			note(
				`  held after ${FEW}, ${ENOUGH_TO_BE_FULL}, ${MANY}`,
				[heap.few, heap.full, heap.many].map((bytes) => megabytes(bytes - heap.before)).join(', '),
			),
			note('  entries of the durable list', String(recorded)),
			exactly('  events that started no run', result.lost, 0),
			exactly('  events that started a second one', result.twice, 0),
			note('  load at the end', loadavg()[0]!.toFixed(1)),
		];
	},
};

/** A trigger in a workflow of its own. */
class Trigger {
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
			credentials: { twoWayMessagingApi: { baseUrl, apiKey: 'key', apiSecret: 'secret' } },
			workflowId,
		});
	}

	async activate(): Promise<void> {
		const { staticData } = this;
		await this.engine.callWebhookMethod({ node: NODE, method: 'create', staticData });
		await this.check('activate');
	}

	async check(activation: 'activate' | 'init' = 'init'): Promise<void> {
		await this.engine.poll({ node: NODE, staticData: this.staticData, activation });
	}

	/** Lets events through webhook() and execute(), without n8n-core around them. */
	async see(count: number): Promise<void> {
		for (let at = 0; at < count; at += A_CHECK) {
			const runs: Array<Promise<unknown>> = [];
			for (let one = at; one < Math.min(count, at + A_CHECK); one += 1) {
				const { workflowData } = await this.node.webhook.call(this.webhookOf(this.event()));
				runs.push(this.node.execute.call(this.executionOf(workflowData![0]!)));
			}
			await Promise.all(runs);
			await this.check();
		}
	}

	/** Lets events through n8n-core, and tells how many items its executions went on with. */
	async run(events: Event[]): Promise<number> {
		const { staticData } = this;
		let items = 0;
		for (let at = 0; at < events.length; at += SIDE_BY_SIDE) {
			const side = events.slice(at, at + SIDE_BY_SIDE).map(async (event) => {
				const { startsWith } = await this.engine.receiveWebhook({
					node: NODE,
					staticData,
					...event,
				});
				if (!startsWith) return;
				const run = await this.engine.runWorkflow({ nodes: [NODE], items: startsWith });
				items += run.items(NODE.name).length;
			});
			await Promise.all(side);
		}
		return items;
	}

	/** A new event, or one of those before: 1 is the last. */
	event(back = 0): Event {
		if (back === 0) this.sent += 1;
		const name = `${this.workflowId}-${this.sent - Math.max(0, back - 1)}`;
		return signed(name, (this.staticData.registration as { secret: string }).secret);
	}

	async recorded(): Promise<number> {
		return await DataDeduplicationService.getInstance().getProcessedDataCount(
			'node',
			this.placed(),
			{ mode: 'entries' },
		);
	}

	private placed() {
		const node = { id: NODE.name, name: NODE.name } as INode;
		return { node, workflow: { id: this.workflowId } as Workflow };
	}

	private webhookOf({ headers, rawBody }: Event): IWebhookFunctions {
		const { node, workflow } = this.placed();
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
		const { node, workflow } = this.placed();
		return {
			getNode: () => node,
			getWorkflow: () => workflow,
			getMode: () => 'webhook',
			getInputData: () => items,
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

type Event = { headers: Record<string, string>; rawBody: Buffer };

/** An event as §6.2 shows it, signed as §6.4 says. */
function signed(name: string, secret: string): Event {
	const rawBody = Buffer.from(
		JSON.stringify({
			id: `evt_${name}`,
			type: 'receive',
			created_at: new Date().toISOString(),
			data: {
				message: {
					message_handle: `msg_${name}`,
					direction: 'inbound',
					from: '+15551230001',
					to: '+15550100001',
					text: 'Is my order ready?',
					channel: 'imessage',
					status: 'received',
					line_handle: 'line_7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a01',
				},
			},
		}),
	);
	const timestamp = Math.floor(Date.now() / 1_000);
	const v1 = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('hex');
	return { rawBody, headers: { [HEADERS.signature]: `t=${timestamp},v1=${v1}` } };
}

function heapInUse(): number {
	if (!global.gc) throw new Error('Measuring needs --expose-gc');
	global.gc();
	return process.memoryUsage().heapUsed;
}

offer(module, {
	async seen({ baseUrl }: { baseUrl: string }): Promise<Result> {
		const result: Result = {
			few: [],
			many: [],
			heap: { before: 0, few: 0, full: 0, many: 0 },
			recorded: 0,
			lost: 0,
			twice: 0,
		};
		const cost = async (trigger: Trigger): Promise<number> => {
			const events = Array.from({ length: MEASURED }, () => trigger.event());
			// What others have left behind is not this one's cost.
			heapInUse();
			const before = process.cpuUsage();
			const begun = await trigger.run(events);
			const { user, system } = process.cpuUsage(before);
			result.lost += MEASURED - begun;
			result.twice += await trigger.run([trigger.event(1), trigger.event(MEASURED)]);
			return (user + system) / 1_000 / MEASURED;
		};
		const startFew = async (round: number) => {
			const trigger = new Trigger(`few-${round}`, baseUrl);
			await trigger.activate();
			await trigger.see(FEW);
			return trigger;
		};
		await cost(await startFew(-1));

		const many = new Trigger('many', baseUrl);
		await many.activate();
		result.heap.before = heapInUse();
		await many.see(FEW);
		result.heap.few = heapInUse();
		await many.see(ENOUGH_TO_BE_FULL - FEW);
		result.heap.full = heapInUse();
		await many.see(MANY - ENOUGH_TO_BE_FULL);
		result.heap.many = heapInUse();
		result.recorded = await many.recorded();

		for (let round = 0; round < ROUNDS; round += 1) {
			const few = await startFew(round);
			if (round % 2 === 0) result.few.push(await cost(few));
			result.many.push(await cost(many));
			if (round % 2 === 1) result.few.push(await cost(few));
		}
		return result;
	},
});
