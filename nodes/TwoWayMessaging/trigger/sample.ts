import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { readLines } from '../transport/readLines';
import { historyPages } from '../transport/historyPages';
import type { Connection } from '../transport/request';
import { attachMedia } from './complete/attachMedia';
import { completeMessages } from './complete/completeMessages';
import { eventName, LINE_KINDS, toLineFacts } from './event';
import { judge } from './filters';
import { readHandover, toItem } from './handover';
import { placeRows } from './missed/placeRows';
import type { TriggerCall } from './nodeMemory';
import { readReceiveBy, readTriggerSettings } from './settings';
import { handOverSample, type FoundEvent } from './start/makeHandover';
import { toOutputItems } from './texts/combineTexts';
import { connectNode } from './secrets/connectNode';

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
	const { caller } = call;
	if (caller.getMode() !== 'manual' || readReceiveBy(caller) !== 'polling') return undefined;
	if (caller.getInputData().some(readHandover)) return undefined;
	const settings = readTriggerSettings(caller);
	const connection = await connectNode(call);
	const isWanted = ({ event }: FoundEvent) =>
		settings.kinds.includes(event.kind) && judge(event, settings.filters) !== 'fails';
	const found =
		(await newestMessageEvents(connection)).find(isWanted) ??
		(await lineEvents(connection)).find(isWanted);
	if (!found) {
		throw new NodeOperationError(caller.getNode(), 'There is no event to show yet', {
			description:
				"Text one of your lines and try again. If you did, check 'Events' and 'Filters'.",
		});
	}
	const handover = handOverSample(found, settings, false);
	const arrivals = [{ item: toItem(handover), handover, index: 0 }];
	const complete = await completeMessages(call, arrivals, settings.simplify);
	const items = toOutputItems(complete, settings.simplify);
	return settings.downloadMedia ? await attachMedia(call, items) : items;
}

/** The events in the newest page of the history, newest first. */
async function newestMessageEvents(connection: Connection): Promise<FoundEvent[]> {
	const page = await historyPages(connection, {}).next();
	const rows = placeRows(page.done ? [] : page.value, connection.clock.nowMs());
	return rows.filter(({ isFinal }) => isFinal);
}

/** Every line as each event about it would show it, if it came now. */
async function lineEvents(connection: Connection): Promise<FoundEvent[]> {
	const lines = await readLines(connection);
	const now = new Date(connection.clock.nowMs()).toISOString();
	return LINE_KINDS.flatMap((kind) =>
		lines.map((body) => {
			const event = { kind, line: toLineFacts(body), body };
			return { event, name: eventName(event, body.blocked_at ?? now) };
		}),
	);
}
