import { PATHS } from '../../contract';
import { toMessage, type Fields, type Message } from '../../message';
import { findRecord, hasStatus, isMessage } from '../../service/answers';
import { toNodeError } from '../../service/errors';
import {
	askInTurn,
	askUntilReadable,
	isSuccess,
	isUnknownPath,
	prefixesOf,
} from '../../service/ask';
import type { Outcome } from '../../service/outcome';
import type { Connection } from '../../service/request';

/** The ways in which the request may name the message: by a parameter, or at the end of the path. */
const STYLES = ['message_handle', 'handle', 'id', 'path'];

/**
 * Reads the status of a message (§4.4): up to `SENT`, never `DELIVERED`.
 *
 * assumption: the request names the message by `message_handle`, or in another way that the service understands (§4.4: not
 * shown).
 *
 * @param messageHandle without a prefix
 * @throws NodeApiError
 */
export async function readStatus(connection: Connection, messageHandle: string): Promise<Message> {
	const outcome = await askInTurn(
		connection,
		PATHS.status,
		STYLES.flatMap((style) => prefixesOf(connection).map((prefix) => ({ style, prefix }))),
		async ({ style, prefix }) => {
			const path = prefix + PATHS.status;
			const query = { [style]: messageHandle };
			const byPath = { path: `${path}/${encodeURIComponent(messageHandle)}` };
			const named = style === 'path' ? byPath : { path, query };
			return await askUntilReadable(connection, { method: 'GET', ...named });
		},
		// What answers at a path without prefix may be a health check.
		(answer) =>
			isUnknownPath(answer) ||
			[400, 422].includes(answer.status) ||
			(answer.status < 300 && !recordIn(answer)),
	);
	const fields = recordIn(outcome);
	// The answer may leave out the handle, as the request has named it.
	if (fields) return { message_handle: messageHandle, ...toMessage(fields) };
	if (outcome.kind === 'answer' && outcome.status === 404) {
		throw toNodeError(connection, outcome, {
			message: 'The service does not know this message',
			description:
				'Check that Message ID is the message_handle that Send, the history or an event gave you. If it is, ask the operator for the Path Prefix in the Two-Way Messaging API credential.',
		});
	}
	throw toNodeError(connection, outcome);
}

function recordIn(outcome: Outcome): Fields | undefined {
	const isWhole = (fields: Fields) => isMessage(fields) && hasStatus(fields);
	return isSuccess(outcome) ? findRecord(outcome.body, isWhole, hasStatus, isMessage) : undefined;
}
