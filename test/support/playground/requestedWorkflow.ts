import type { WorkflowFile } from '../../../playground/rest';
import { PACKAGE, reportNode, requestNode, to, workflowOf } from './workflowOf';

/** Longer than the minute and a half in which another process may still be at a message that is open. */
export const LOOKED_UP_WITHIN_MS = 240_000;

export type RequestedWorkflow = {
	/** 16 letters and digits; also the path of its webhook. */
	id: string;
	/** The URL that gets a request with the item of each execution that goes on; see `Effects`. */
	reportTo: string;
	parameters: object;
	/** Expressions, without braces, that name what happened and to what. */
	reports: { event: string; handle: string };
	outputs?: number;
};

/** Makes a workflow that a request starts: one node of this package, and one that reports the item behind it. */
export const requestedWorkflow = ({
	id,
	reportTo,
	parameters,
	reports: { event, handle },
	outputs = 1,
}: RequestedWorkflow): WorkflowFile =>
	workflowOf(
		id,
		[
			requestNode(id),
			{ name: 'Node', type: `${PACKAGE}.twoWayMessaging`, parameters },
			reportNode(reportTo, `[{ event: ${event}, handle: ${handle}, recovered: false }]`),
		],
		{
			Start: { main: [[to('Node')]] },
			Node: { main: Array.from({ length: outputs }, () => [to('Report')]) },
		},
	);

/**
 * Makes a workflow that sends the message for an order once, whatever execution comes later. A request with `{ order }`
 * starts it, and it reports `QUEUED <order>` or `SKIPPED <order>`.
 */
export const orderWorkflow = (where: Pick<RequestedWorkflow, 'id' | 'reportTo'>): WorkflowFile =>
	requestedWorkflow({
		...where,
		parameters: {
			...{ resource: 'message', operation: 'send', number: '+15551230001' },
			content: '={{ $json.body.order }}',
			options: { onlyOnceFor: '={{ $json.body.order }}' },
		},
		reports: { event: '$json.status', handle: "$('Start').item.json.body.order" },
	});
