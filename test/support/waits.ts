import { runWorkflow, type Run, type RunRequest } from './executions';
import type { Instance } from './instance';
import type { WebhookResponse } from './recordedResponse';
import { callWebhook } from './webhooks';

/** A visit to the URL of an execution that waits. */
export type Visit = {
	method: 'GET' | 'POST';
	body?: unknown;
	/** The URL that is visited. Only its parameters count, as `waiting` says which execution it leads to. */
	url?: string;
};

/** The response that the visitor got, and the execution that continued because of the visit. */
export type VisitResult = { response: WebhookResponse; run?: Run };

/** Continues an execution whose waiting time is over, as n8n does: it does not run the node again. */
export async function endWait(instance: Instance, request: RunRequest, waiting: Run): Promise<Run> {
	return await runWorkflow(instance, {
		...request,
		executionId: waiting.executionId,
		saved: structuredClone(waiting.saved),
	});
}

/**
 * Passes a visit to the webhook() of the node that waits. It continues the execution with what webhook() returns in place
 * of the node's input, as n8n's server does. n8n checks the signature of the URL; this does not.
 */
export async function visit(
	instance: Instance,
	request: RunRequest,
	waiting: Run,
	{ method, body = {}, url }: Visit,
): Promise<VisitResult> {
	const saved = structuredClone(waiting.saved);
	const entry = saved.executionData?.nodeExecutionStack[0];
	if (!entry) throw new Error('The run does not wait');
	const workflow = instance.workflow(request.nodes.map((spec) => instance.node(spec)));
	const node = workflow.getNode(entry.node.name);
	const { description } = instance.nodeTypes.getByNameAndVersion(entry.node.type);
	const webhook = description.webhooks?.find((one) => one.httpMethod === method);
	if (!node || !webhook) throw new Error(`“${entry.node.name}” takes no ${method}`);
	const query = url === undefined ? {} : Object.fromEntries(new URL(url).searchParams);
	const visit = { method, body, headers: {}, query, params: {} };
	const called = await callWebhook(instance, workflow, node, webhook, visit, { saved });
	const { answer } = called;
	if (!answer.noWebhookResponse) called.response.send(answer.webhookResponse);
	const response = called.response.sent();
	if (!answer.workflowData) return { response };

	saved.resultData.runData[entry.node.name]?.pop();
	saved.waitTill = undefined;
	entry.node.disabled = true;
	entry.data.main = answer.workflowData;
	entry.metadata = { ...entry.metadata, ...{ forwardAllOutputs: true } };
	const { executionId } = waiting;
	return {
		response,
		run: await runWorkflow(instance, { ...request, executionId, saved }),
	};
}
