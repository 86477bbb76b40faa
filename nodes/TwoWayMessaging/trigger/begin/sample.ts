import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { readRows } from '../../service/history';
import { readLines } from '../../service/lines';
import type { Connection } from '../../service/request';
import { placeRows } from '../check/compareHistory';
import { LINE_KINDS, toLineFacts, type ServiceEvent } from '../event';
import type { Arrival } from '../inbox';
import type { TriggerCall } from '../nodeMemory';
import { connectNode } from '../signingSecrets';
import { toArrival, wants } from '../wanted';

/**
 * Finds what a person sees who tests a node that polls in the editor: the latest event that would have started the workflow, or
 * a line as an event would show it. A test of any other node waits for a webhook.
 *
 * @throws NodeOperationError when there is no event yet
 */
export async function findSample(call: TriggerCall<IExecuteFunctions>): Promise<Arrival> {
	const connection = await connectNode(call);
	const page = await readRows(connection, { mostPages: 1 }).next();
	const newest = placeRows(page.done ? [] : page.value, call.clock.nowMs())
		.filter(({ isFinal }) => isFinal)
		.map(({ event }) => event);
	const isWanted = (event: ServiceEvent) => wants(call, event);
	const found = newest.find(isWanted) ?? (await lineEvents(connection)).find(isWanted);
	if (!found) {
		throw new NodeOperationError(call.context.getNode(), 'There is no event to show yet', {
			description:
				"Text one of your lines and try again. If you did, check 'Events' and 'Filters'.",
		});
	}
	return toArrival(call, found, true);
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
