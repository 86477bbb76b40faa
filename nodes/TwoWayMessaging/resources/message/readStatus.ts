import type { IDataObject } from 'n8n-workflow';
import { PATHS } from '../../contract';
import { isFields, messageFields, toMessage, type Message } from '../../message';
import { toNodeError } from '../../transport/errors';
import { askUntilReadable, isSuccess } from '../../transport/readJson';
import type { Connection } from '../../transport/request';

/**
 * Reads the status of a message (§4.4): up to `SENT`, never `DELIVERED`.
 *
 * assumption: the document does not show how the request names the message, so the credential's Status Request decides.
 *
 * @param messageHandle without a prefix
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
	const outcome = await askUntilReadable(connection, { ...named, method: 'GET' });
	const fields = isSuccess(outcome) ? outcome.body : undefined;
	const message = fields && findMessage(fields);
	// The answer may leave out the handle, as the request has named it.
	if (message) return { message_handle: messageHandle, ...message };
	if (outcome.kind === 'answer' && outcome.status === 404) {
		throw toNodeError(connection, outcome, itemIndex, {
			message: 'The service does not know this message',
			description:
				'Check that Message ID is the message_handle that Send, the history or an event gave you. If it is, the operator may expect another form of request: see Status Request and Path Prefix in the Two-Way Messaging API credential.',
		});
	}
	throw toNodeError(connection, outcome, itemIndex);
}

/** The message in a status answer. An answer without a handle counts when it says a status. */
function findMessage(body: unknown): Message | undefined {
	const fields = messageFields(body);
	if (fields) return toMessage(fields);
	for (const candidate of [body, isFields(body) && body.data, isFields(body) && body.message]) {
		if (isFields(candidate) && typeof candidate.status === 'string') return toMessage(candidate);
	}
	return undefined;
}
