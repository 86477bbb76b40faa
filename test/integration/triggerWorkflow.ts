import { createHmac } from 'node:crypto';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { toItem } from '../../nodes/TwoWayMessaging/trigger/inbox';
import { TwoWayMessagingTrigger } from '../../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node';
import { createEngine, type Engine, type InstanceSetup } from '../support/engine';

export const TRIGGER = 'Trigger';

/** The part of the webhook's URL that the secret is derived from. */
export const WEBHOOK_ID = '11111111-2222-4333-8444-555555555555';

export const triggerNode = (parameters: INodeParameters = {}) => ({
	type: 'twoWayMessagingTrigger',
	name: TRIGGER,
	webhookId: WEBHOOK_ID,
	parameters,
});

export const engineWithTrigger = (
	credential?: ICredentialDataDecryptedObject,
	setup: Partial<InstanceSetup> = {},
): Engine => createEngine({ nodeTypes: [new TwoWayMessagingTrigger()], credential, ...setup });

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
