import type { IBinaryKeyData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isFields, toMessage, type Fields } from '../../message';
import { reasonOf } from '../../reasonOf';
import { findMessage } from '../../service/answers';
import { downloadMedia } from '../../service/downloadMedia';
import { DeadlineOver, stopIfCancelled, withinDeadline } from '../../service/pause';
import type { TriggerCall } from '../nodeMemory';
import { connectNode } from '../signingSecrets';

/** How long a message waits for its files at most: the customer waits for an answer. */
const MOST_WAIT_MS = 10_000;

/**
 * Adds the files of the messages to an item: the first as `data`, those of further texts as `data_2` and so on. A file that
 * cannot be fetched does not keep the message back: the item says why in `media_error`.
 *
 * @throws NodeOperationError only when the execution is cancelled
 */
export async function attachMedia(
	call: TriggerCall<IExecuteFunctions>,
	item: INodeExecutionData,
): Promise<INodeExecutionData> {
	const { context } = call;
	const binary: IBinaryKeyData = {};
	const untilMs = call.clock.nowMs() + MOST_WAIT_MS;
	let reason: string | undefined;
	try {
		for (const url of mediaUrls(item.json)) {
			const connection = await connectNode(call);
			const leftMs = Math.max(0, untilMs - call.clock.nowMs());
			const file = await withinDeadline(leftMs, downloadMedia(connection, url));
			if ('reason' in file) {
				reason ??= file.reason;
				continue;
			}
			const { data, fileName, mimeType } = file;
			const count = Object.keys(binary).length;
			const name = count === 0 ? 'data' : `data_${count + 1}`;
			binary[name] = await context.helpers.prepareBinaryData(data, fileName, mimeType);
		}
	} catch (thrown) {
		stopIfCancelled(context);
		// The event has begun: what is thrown here would be the end of it.
		reason ??=
			thrown instanceof DeadlineOver ? 'The file did not arrive in ten seconds' : reasonOf(thrown);
	}
	return {
		...item,
		json: { ...item.json, ...(reason !== undefined && { media_error: reason }) },
		...(Object.keys(binary).length > 0 && { binary: { ...item.binary, ...binary } }),
	};
}

/** The URLs of an item's files, each once: of its own message, and of the texts that were combined in it. */
function mediaUrls(json: Fields): string[] {
	const texts = Array.isArray(json.messages) ? json.messages.filter(isFields) : [];
	const urls = [...texts, json].map((fields) => toMessage(findMessage(fields) ?? fields).media_url);
	return [...new Set(urls.filter((url): url is string => Boolean(url)))];
}
