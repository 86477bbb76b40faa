import type { WorkflowFile } from '../../../playground/rest';
import { requestedWorkflow, type RequestedWorkflow } from './requestedWorkflow';

/**
 * Makes a workflow that sends the message for an order once, whatever execution comes later. A request with `{ order }`
 * starts it, and it reports `QUEUED <order>` or `SKIPPED <order>`.
 */
export const orderWorkflow = (where: Pick<RequestedWorkflow, 'id' | 'reportTo'>): WorkflowFile =>
	requestedWorkflow({
		...where,
		parameters: {
			resource: 'message',
			operation: 'send',
			number: '+15551230001',
			content: '={{ $json.body.order }}',
			options: { onlyOnceFor: '={{ $json.body.order }}' },
		},
		reports: { event: '$json.status', handle: "$('Start').item.json.body.order" },
	});
