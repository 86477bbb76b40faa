import { createHmac } from 'node:crypto';
import { HEADERS } from '../nodes/TwoWayMessaging/contract';

/** What §6.2 leaves out of an event, and an item has. */
const NOT_IN_EVENTS = {
	conversation_handle: '10a5c154-67c2-46c2-a699-2da51ff3d934',
	media_url: null,
};

/**
 * The body of a `receive` event as §6.2 shows it.
 *
 * @param more further fields of its message; default what else an item has, so that nothing has to be completed
 */
export const receiveEvent = (name: string, text: string, more: object = NOT_IN_EVENTS): string =>
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
				text,
				channel: 'imessage',
				status: 'received',
				line_handle: 'line_7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a01',
				...more,
			},
		},
	});

/** The header that signs a body now (§6.4). */
export const signatureHeaders = (body: string, secret: string): Record<string, string> => {
	const timestamp = Math.floor(Date.now() / 1_000);
	const v1 = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
	return { [HEADERS.signature]: `t=${timestamp},v1=${v1}` };
};
