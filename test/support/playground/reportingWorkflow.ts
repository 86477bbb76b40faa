import type { WorkflowFile } from '../../../playground/rest';
import { PACKAGE, reportNode, workflowOf } from './workflowOf';

/** The minutes of a day, which no test takes: the only check is the one at n8n's start. */
export const CHECK_AT_START_ONLY = 24 * 60;

/** The time between two checks of a node that makes one each minute, and some seconds. */
export const BETWEEN_CHECKS_MS = 65_000;

export type ReportingWorkflow = {
	/** 16 letters and digits. */
	id: string;
	/** The URL that gets a request with the items of each execution; see `Effects`. */
	reportTo: string;
	/** The minutes between two checks, 0 for none; default 1, so that a test waits as short as it can. */
	checkEvery?: number;
	/** More fields of the trigger. */
	fields?: object;
};

const ITEMS = `$('Event').all().map(({ json }) => ({
	event: json.event,
	handle: json.message_handle,
	recovered: json.recovered,
}))`;

/** Makes a workflow of the trigger and a node that reports the items of each execution in one request, in order. */
export const reportingWorkflow = ({
	id,
	reportTo,
	checkEvery = 1,
	fields,
}: ReportingWorkflow): WorkflowFile =>
	workflowOf(id, [
		{
			...{ name: 'Event', type: `${PACKAGE}.twoWayMessagingTrigger`, webhookId: `${id}-webhook` },
			parameters: { events: ['receive'], checkEvery, ...fields },
		},
		reportNode(reportTo, ITEMS),
	]);
