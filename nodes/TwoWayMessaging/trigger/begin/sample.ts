import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { readRows } from '../../service/history';
import { readLines } from '../../service/lines';
import type { Connection } from '../../service/request';
import { placeRows } from '../check/compareHistory';
import { LINE_KINDS, toLineFacts, type ServiceEvent } from '../event';
import { readHanded } from '../inbox';
import type { TriggerCall } from '../nodeMemory';
import { whoElseHears } from '../questions/listenForAnswers';
import { connectNode } from '../signingSecrets';
import { toArrival, wants } from '../wanted';
import { attachMedia } from './attachMedia';
import { completeArrival } from './completeEvent';
import { toItems } from './items';

/**
 * Shows a person who tests the workflow in the editor the latest event that would have started it, or a line as an event
 * would show it. This is for a node that polls: a test of any other node waits for a webhook.
 *
 * @returns undefined when no sample is asked for
 * @throws NodeOperationError when there is no event yet
 */
export async function showSample(
	call: TriggerCall<IExecuteFunctions>,
): Promise<INodeExecutionData[] | undefined> {
	const { context, settings } = call;
	const connection = await connectNode(call);
	const message = whoElseHears(call, connection.settings.accountId);
	if (message) context.addExecutionHints({ message, location: 'outputPane' });
	if (settings.receiveBy !== 'polling') return undefined;
	if (context.getInputData().some(readHanded)) return undefined;
	const page = await readRows(connection, { mostPages: 1 }).next();
	const newest = placeRows(page.done ? [] : page.value, call.clock.nowMs())
		.filter(({ isFinal }) => isFinal)
		.map(({ event }) => event);
	const isWanted = (event: ServiceEvent) => wants(call, event);
	const found = newest.find(isWanted) ?? (await lineEvents(connection)).find(isWanted);
	if (!found) {
		throw new NodeOperationError(context.getNode(), 'There is no event to show yet', {
			description:
				"Text one of your lines and try again. If you did, check 'Events' and 'Filters'.",
		});
	}
	const arrival = await completeArrival(call, toArrival(call, found, true));
	const items = toItems([{ arrival, index: 0 }], settings);
	return settings.downloadMedia ? await attachMedia(call, items) : items;
}

/** Every line as each event about it would show it, if it came now. */
async function lineEvents(connection: Connection): Promise<ServiceEvent[]> {
	const lines = await readLines(connection);
	const now = new Date(connection.clock.nowMs()).toISOString();
	return LINE_KINDS.flatMap((kind) =>
		lines.map((body) => ({
			kind,
			line: toLineFacts(body),
			body,
			endedBlock: body.blocked_at ?? now,
		})),
	);
}
