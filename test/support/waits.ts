import { WebhookContext } from 'n8n-core';
import type {
	INode,
	IRunExecutionData,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { runWorkflow, type Run, type RunRequest } from './executions';
import type { Instance } from './instance';
import { RecordedResponse, type WebhookResponse } from './recordedResponse';
import { webhookData } from './webhooks';

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
	const answer = await callWebhook(instance, request, saved, entry.node, { method, body, url });
	if (!answer.workflowData) return { response: answer.response };

	saved.resultData.runData[entry.node.name]?.pop();
	saved.waitTill = undefined;
	entry.node.disabled = true;
	entry.data.main = answer.workflowData;
	entry.metadata = { ...entry.metadata, ...{ forwardAllOutputs: true } };
	const { executionId } = waiting;
	return {
		response: answer.response,
		run: await runWorkflow(instance, { ...request, executionId, saved }),
	};
}

async function callWebhook(
	instance: Instance,
	request: RunRequest,
	saved: IRunExecutionData,
	{ name }: INode,
	{ method, body, url }: Visit,
): Promise<IWebhookResponseData & { response: WebhookResponse }> {
	const workflow = instance.workflow(request.nodes.map((spec) => instance.node(spec)));
	const node = workflow.getNode(name);
	if (!node) throw new Error(`There is no node "${name}"`);
	const { description, webhook } = instance.nodeTypes.getByNameAndVersion(node.type);
	const webhookDescription = description.webhooks?.find((one) => one.httpMethod === method);
	if (!webhook || !webhookDescription) throw new Error(`"${name}" takes no ${method}`);
	const response = new RecordedResponse();
	const query = url === undefined ? {} : Object.fromEntries(new URL(url).searchParams);
	const additionalData = instance.additionalData({
		httpRequest: { method, body, headers: {}, query, params: {} } as unknown as Request,
		httpResponse: response as unknown as IWorkflowExecuteAdditionalData['httpResponse'],
	});
	const data = webhookData(workflow, node, webhookDescription, additionalData);
	const context = new WebhookContext(workflow, node, additionalData, 'webhook', data, [], saved);
	const answer = await webhook.call(context);
	if (!answer.noWebhookResponse) response.send(answer.webhookResponse);
	return { ...answer, response: response.sent() };
}

type Request = IWorkflowExecuteAdditionalData['httpRequest'];
