import axios from 'axios';
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';
import { TwoWayMessagingApi } from '../../credentials/TwoWayMessagingApi.credentials';
import { toItem } from '../../nodes/TwoWayMessaging/trigger/inbox';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import {
	createEngine,
	type Engine,
	type InstanceSetup,
	type LiveWorkflow,
} from '../support/engine';
import { TestService } from '../support/service';
import { fastMemory } from '../support/testClock';

export const TRIGGER = 'Trigger';

/** An event is answered at once, and starts its execution moments later. */
const STARTS_WITHIN_MS = 25;

/** The part of the webhook's URL that the secret is derived from. */
export const WEBHOOK_ID = '11111111-2222-4333-8444-555555555555';

export const triggerNode = (parameters: INodeParameters = {}) => ({
	type: 'twoWayMessagingTrigger',
	name: TRIGGER,
	webhookId: WEBHOOK_ID,
	parameters,
});

export const engineWithTrigger = (
	credential: ICredentialDataDecryptedObject,
	setup: Partial<InstanceSetup> = {},
): Engine =>
	createEngine({
		nodeTypes: [new TwoWayMessagingTrigger()],
		credentialTypes: [new TwoWayMessagingApi()],
		credentials: { twoWayMessagingApi: credential },
		...setup,
	});

/** The secret that the node derives. */
export const derivedSecret = (apiSecret: string) =>
	createHmac('sha256', apiSecret).update(`two-way-messaging webhook ${WEBHOOK_ID}`).digest('hex');

/** What the service sends: a body and its signature (§6.4). */
export const signed = (body: unknown, secret: string, nowMs = Date.now()) => {
	const rawBody = Buffer.isBuffer(body)
		? body
		: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
	const t = Math.floor(nowMs / 1_000);
	const v1 = createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest('hex');
	return { rawBody, headers: { 'service-signature': `t=${t},v1=${v1}` } };
};

/** A customer's text as the trigger hands it over to its execution. */
export const handedOver = (handle: string) =>
	toItem({
		name: `receive:${handle}`,
		event: { kind: 'receive', message: { message_handle: handle, content: 'hello' }, body: {} },
		isFound: false,
	});

/** An event as §6.2 shows it, made just now. */
export const receiveEvent = (handle: string, message: object = {}) => ({
	id: `evt_${handle}`,
	type: 'receive',
	created_at: new Date().toISOString().replace('Z', '+00:00'),
	data: {
		message: {
			message_handle: `msg_${handle}`,
			direction: 'inbound',
			from: '+15551230001',
			to: '+15550100001',
			text: 'hello',
			channel: 'imessage',
			status: 'received',
			line_handle: 'line_l1',
			...message,
		},
	},
});

/** The sandbox, and an n8n in which a workflow of the trigger alone can be served. */
export class TriggerService {
	private constructor(
		readonly service: TestService,
		readonly engine: Engine,
		readonly credential: ICredentialDataDecryptedObject,
	) {}

	private readonly served: LiveWorkflow[] = [];

	static async start(options?: Parameters<typeof TestService.start>[0]): Promise<TriggerService> {
		// Events are signed by the machine's time, so the trigger's waits take none.
		const service = await TestService.start({ memory: fastMemory(), ...options });
		const credential = service.credential();
		const nodeTypes = [new TwoWayMessagingTrigger(service.memory)];
		return new TriggerService(service, engineWithTrigger(credential, { nodeTypes }), credential);
	}

	get secret(): string {
		return derivedSecret(String(this.credential.apiSecret));
	}

	/** @param node what tells this trigger from another one */
	async serve(
		parameters: INodeParameters = {},
		staticData: IDataObject = {},
		node: { id?: string } = {},
	) {
		const nodes = [{ ...triggerNode(parameters), ...node }];
		const live = await this.engine.serveWorkflow({ nodes, staticData });
		this.served.push(live);
		return live;
	}

	/** A customer texts a line. */
	async text(content: string, more: object = {}): Promise<void> {
		const body = { from: '+15551230001', content, ...more };
		await this.service.control.post('/sandbox/inbound', body);
		await this.delivered();
	}

	/** Posts an event to the workflow, signed as the service signs. */
	async send(live: LiveWorkflow, body: unknown, nowMs?: number) {
		const answer = await post(live, signed(body, this.secret, nowMs));
		await pause(STARTS_WITHIN_MS);
		return answer;
	}

	/** Resolves when every delivery under way has its answer, and has started its execution if it starts one. */
	async delivered(): Promise<void> {
		await this.service.sandbox.settled();
		await pause(STARTS_WITHIN_MS);
	}

	async stop(): Promise<void> {
		for (const live of this.served) await live.close();
		await this.service.stop();
	}
}

/** The items of every execution so far. */
export const itemsOf = (live: LiveWorkflow): IDataObject[] =>
	live.runs.flatMap((run) => run.json(TRIGGER));

/** Posts a body to the workflow as the service would. */
export const post = async (
	live: LiveWorkflow,
	request: { rawBody: Buffer; headers: Record<string, string> },
) =>
	await axios.post(`${live.address}/webhook/${WEBHOOK_ID}/webhook`, request.rawBody, {
		headers: { 'content-type': 'application/json', ...request.headers },
		validateStatus: () => true,
	});
