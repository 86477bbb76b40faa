import type { IDataObject } from 'n8n-workflow';
import { PATHS } from '../../contract';
import { isFields, messageFields, toMessage, type Message } from '../../message';
import { toNodeError } from '../../transport/errors';
import { askAgain, isSuccess } from '../../transport/read';
import type { Connection } from '../../transport/request';

/**
 * The status of a message (§4.4): up to `SENT`, never `DELIVERED`.
 *
 * assumption: how the message is named is not shown, so the credential's Status Request decides.
 *
 * @param messageHandle without prefix
 * @throws NodeApiError with the item's number
 */
export async function readStatus(
	connection: Connection,
	messageHandle: string,
	itemIndex: number,
): Promise<Message> {
	const { pathPrefix, statusStyle } = connection.settings;
	const path = pathPrefix + PATHS.status;
	const queries: Record<Exclude<typeof statusStyle, 'path'>, IDataObject> = {
		messageHandle: { message_handle: messageHandle },
		handle: { handle: messageHandle },
	};
	const named =
		statusStyle === 'path'
			? { path: `${path}/${encodeURIComponent(messageHandle)}` }
			: { path, query: queries[statusStyle] };
	const outcome = await askAgain(connection, { ...named, method: 'GET' });
	const fields = isSuccess(outcome) ? outcome.body : undefined;
	const message = fields && statusFields(fields);
	// The handle is what was asked by, so it is known even where the answer leaves it out.
	if (message) return { message_handle: messageHandle, ...message };
	if (outcome.kind === 'answer' && outcome.status === 404) {
		throw toNodeError(connection, outcome, itemIndex, {
			message: 'The service does not know this message',
			description:
				'Message Handle has to be the message_handle that a send, the history or an event gave you. If it is, the operator may want to be asked another way: see Status Request and Path Prefix in the Two-Way Messaging API credential.',
		});
	}
	throw toNodeError(connection, outcome, itemIndex);
}

/** The message of a status answer; one without a handle counts when it says a status. */
function statusFields(body: unknown): Message | undefined {
	const fields = messageFields(body);
	if (fields) return toMessage(fields);
	for (const candidate of [body, isFields(body) && body.data, isFields(body) && body.message]) {
		if (isFields(candidate) && typeof candidate.status === 'string') return toMessage(candidate);
	}
	return undefined;
}
