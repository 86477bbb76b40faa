import { toMessage, type Message } from '../../message';
import { reasonOf } from '../../reasonOf';
import { historyPages } from '../../transport/historyPages';
import { stopIfCancelled } from '../../transport/pause';
import type { Run } from '../run';

/**
 * What the history shows of a message that is sent: the status never says DELIVERED (§4.4), only a row does (§3.1).
 *
 * ```ts
 * const message = await withNewestRow(run, { message_handle: '1', status: 'SENT' }); // { …, status: 'DELIVERED' }
 * ```
 *
 * One page of the newest rows serves all items of a run. A message that is not on it stays as it is.
 *
 * @throws NodeOperationError only when the execution is cancelled
 */
export async function withNewestRow(run: Run, message: Message): Promise<Message> {
	const { message_handle: handle = '', status } = message;
	if (status !== 'SENT') return message;
	const rows = await run.once('newest rows', async () => await readNewestRows(run));
	const row = rows.get(handle);
	// A row that lags behind does not take back what the status has said.
	return row?.status === 'QUEUED' ? { ...row, ...message } : { ...message, ...row };
}

/** The newest messages, by their handles; none where the history cannot be read, as the status is known without it. */
async function readNewestRows(run: Run): Promise<Map<string, Message>> {
	const { caller } = run;
	const rows = new Map<string, Message>();
	try {
		for await (const page of historyPages(await run.connection(), { mostPages: 1 })) {
			for (const row of page.map(toMessage)) rows.set(row.message_handle ?? '', row);
		}
	} catch (thrown) {
		stopIfCancelled(caller);
		caller.logger.warn(
			`${caller.getNode().name}: could not read how far a message has come: ${reasonOf(thrown)}`,
		);
	}
	return rows;
}
