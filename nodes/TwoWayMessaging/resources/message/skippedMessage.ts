import type { INodeExecutionData } from 'n8n-workflow';
import type { SendRequest } from '../../contract';
import { MESSAGE_FIELDS, type Message } from '../../message';

/** The status of a message that was not sent, on purpose. It is the node's own word; no service says it. */
export const SKIPPED = 'SKIPPED';

/** The item for a message that was not sent: the customer has opted out (§1.5), or has got it before. */
export function skippedMessage(request: SendRequest, reason: string | undefined): Message {
	const message: Message = { to: request.number, is_outbound: true, status: SKIPPED };
	if (request.content !== undefined) message.content = request.content;
	if (reason !== undefined) message.error_message = reason;
	return message;
}

/**
 * Gives skipped messages of a list the fields of those that were sent, with null for what they do not have. In the
 * editor's table the others' columns would otherwise say *undefined*.
 */
export function fillSkipped(items: INodeExecutionData[]): void {
	const skipped = items.filter(({ json }) => json.status === SKIPPED);
	if (skipped.length === 0) return;
	const shown = MESSAGE_FIELDS.filter((name) => items.some(({ json }) => name in json));
	for (const item of skipped) {
		const { json } = item;
		item.json = Object.fromEntries(shown.map((name) => [name, json[name] ?? null]));
	}
}
