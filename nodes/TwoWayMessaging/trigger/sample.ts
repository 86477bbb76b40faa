import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { readLines } from '../transport/readLines';
import { historyPages } from '../transport/historyPages';
import { connect, type Connection } from '../transport/request';
import { toLineFacts } from './event';
import { passes } from './filters';
import { handover, readHandover, type Delivery } from './item';
import { placeRows } from './reconcile';
import { readTriggerSettings } from './settings';
import { processMemory } from '../processMemory';

/** Whether a person tries the workflow in the editor while no webhook is there to wait for. */
export function isSampleAsked(execution: IExecuteFunctions): boolean {
	if (execution.getMode() !== 'manual') return false;
	const { receiveBy } = readTriggerSettings(execution);
	return receiveBy === 'polling' && !execution.getInputData().some((item) => readHandover(item));
}

/**
 * The latest event that the workflow would start with, or one of a line as it would look, as a check hands it
 * over.
 *
 * @throws NodeOperationError when there is none yet
 */
export async function sampleItem(execution: IExecuteFunctions): Promise<INodeExecutionData> {
	const settings = readTriggerSettings(execution);
	const { kinds, filters } = settings;
	const connection = await connect(execution, processMemory);
	const isWanted = ({ happening }: Delivery) =>
		kinds.includes(happening.kind) && passes(happening, filters);
	const sample =
		(await messageEvents(connection)).find(isWanted) ??
		(await lineEvents(connection)).find(isWanted);
	if (!sample) {
		throw new NodeOperationError(execution.getNode(), 'There is no event to show yet', {
			description:
				"Text one of your lines and try again. If you did, check 'Events' and 'Filters'.",
		});
	}
	return handover(sample, settings);
}

/** The newest page of the history, newest first. */
async function messageEvents(connection: Connection): Promise<Delivery[]> {
	const page = await historyPages(connection, {}).next();
	const rows = placeRows(page.done ? [] : page.value, Date.now());
	return rows.flatMap(({ happening, key, body }) =>
		happening ? [{ happening, key, body, isRecovered: false }] : [],
	);
}

async function lineEvents(connection: Connection): Promise<Delivery[]> {
	const lines = await readLines(connection);
	return (['line_blocked', 'line_unblocked'] as const).flatMap((kind) =>
		lines.map((body) => {
			const line = toLineFacts(body);
			const key = `${kind}:${line.line_handle ?? ''}`;
			return { happening: { kind, line }, key, body, isRecovered: false };
		}),
	);
}
