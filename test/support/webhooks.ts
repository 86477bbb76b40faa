import { HookContext, PollContext, WebhookContext } from 'n8n-core';
import { jsonParse } from 'n8n-workflow';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	IWebhookData,
	IWebhookDescription,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
	WebhookSetupMethodNames,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { replaceContent, staticDataFor, type Instance, type NodeSpec } from './instance';

/** n8n refuses bodies that are larger (16 MB). */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

export type HookCall = {
	node: NodeSpec;
	method: WebhookSetupMethodNames;
	/** The node's own static data. What the method writes is put back into it. */
	staticData?: IDataObject;
	/** Why n8n calls: `activate` unless given, `init` at a start of n8n, `manual` for an editor test. */
	activation?: WorkflowActivateMode;
	/** Whether the webhook is the editor's, with the test address. */
	isTest?: boolean;
	/** Where n8n says it can be reached, if other than the engine's. */
	webhookBaseUrl?: string;
};

export type PollCall = {
	node: NodeSpec;
	/** The node's own static data. What the poll writes is put back into it. */
	staticData?: IDataObject;
	activation?: WorkflowActivateMode;
	mode?: WorkflowExecuteMode;
};

/** A request as it came over the wire. */
export type SentRequest = {
	method?: string;
	/** Lower-case names. `content-type: application/json` unless given. */
	headers?: IncomingHttpHeaders;
	/** The bytes as sent: before unpacking when `content-encoding` says they are packed. */
	rawBody?: Buffer | string;
};

/** What the sender of a webhook gets. */
export type WebhookResponse = {
	status: number;
	headers: Record<string, string>;
	/** As given to the response: JSON bodies are not turned into text. */
	body: unknown;
};

/** What a webhook request led to. */
export type Reception = {
	response: WebhookResponse;
	/** What webhook() returned; nothing when n8n refused the request before, or webhook() threw. */
	answer?: IWebhookResponseData;
	/** What webhook() threw: n8n answers 500 and shows a failed execution. */
	thrown?: unknown;
	/** What an execution starts with; nothing when none starts. */
	startsWith?: INodeExecutionData[];
	/** The node's static data after webhook(). n8n does not save it when an execution starts. */
	staticData: IDataObject;
};

/** Calls one of a trigger's webhookMethods, as n8n does when a workflow is activated and deactivated. */
export async function callWebhookMethod(instance: Instance, call: HookCall): Promise<boolean> {
	const node = instance.node(call.node);
	const workflow = instance.workflow([node], { staticData: staticDataFor(node, call.staticData) });
	try {
		return await runHook(instance, workflow, node, call);
	} finally {
		if (call.staticData) replaceContent(call.staticData, workflow.getStaticData('node', node));
	}
}

/** The same in a workflow that lives on. */
export async function runHook(
	instance: Instance,
	workflow: Workflow,
	node: INode,
	call: Omit<HookCall, 'node' | 'staticData'>,
): Promise<boolean> {
	const { method, activation = 'activate', isTest = false } = call;
	const { webhookBaseUrl = instance.webhookBaseUrl } = call;
	const description = webhookDescription(workflow, node);
	const additionalData = instance.additionalData({ webhookBaseUrl });
	const { webhookMethods } = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const hook = webhookMethods?.[description.name]?.[method];
	if (!hook) throw new Error(`The node has no webhook method "${method}"`);
	const context = new HookContext(
		workflow,
		node,
		additionalData,
		isTest ? 'manual' : 'trigger',
		activation,
		webhookData(workflow, node, description, additionalData, isTest),
	);
	return await hook.call(context);
}

/** Calls poll() and gives the items an execution would start with; null when there is nothing new. */
export async function poll(
	instance: Instance,
	call: PollCall,
): Promise<INodeExecutionData[] | null> {
	const node = instance.node(call.node);
	const workflow = instance.workflow([node], { staticData: staticDataFor(node, call.staticData) });
	try {
		return await runPoll(instance, workflow, node, call);
	} finally {
		if (call.staticData) replaceContent(call.staticData, workflow.getStaticData('node', node));
	}
}

/** The same in a workflow that lives on. */
export async function runPoll(
	instance: Instance,
	workflow: Workflow,
	node: INode,
	{ activation = 'activate', mode = 'trigger' }: Omit<PollCall, 'node' | 'staticData'> = {},
): Promise<INodeExecutionData[] | null> {
	const nodeType = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	if (!nodeType.poll) throw new Error('The node does not poll');
	const context = new PollContext(workflow, node, instance.additionalData(), mode, activation);
	return (await nodeType.poll.call(context))?.[0] ?? null;
}

/** Hands a request to a trigger's webhook(), as n8n's server does. */
export async function receiveWebhook(
	instance: Instance,
	call: SentRequest & { node: NodeSpec; staticData?: IDataObject; isTest?: boolean },
): Promise<Reception> {
	const node = instance.node(call.node);
	// n8n reads the workflow anew for every request.
	const workflow = instance.workflow([node], { staticData: staticDataFor(node, call.staticData) });
	const nodeType = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	if (!nodeType.webhook) throw new Error('The node has no webhook');

	const description = webhookDescription(workflow, node);
	const response = new RecordedResponse();
	const staticData = () => ({ ...workflow.getStaticData('node', node) });
	let request: ReadRequest;
	try {
		request = await readRequest(call);
	} catch (refusal) {
		if (!(refusal instanceof Refusal)) throw refusal;
		response.status(refusal.status).json({ code: refusal.status, message: refusal.message });
		return { response: response.sent(), staticData: staticData() };
	}

	const isTest = call.isTest ?? false;
	const additionalData = instance.additionalData({
		// webhook() sees Express's objects in n8n; of those a trigger reads and writes only this much.
		httpRequest: request as unknown as IWorkflowExecuteAdditionalData['httpRequest'],
		httpResponse: response as unknown as IWorkflowExecuteAdditionalData['httpResponse'],
	});
	const context = new WebhookContext(
		workflow,
		node,
		additionalData,
		isTest ? 'manual' : 'webhook',
		webhookData(workflow, node, description, additionalData, isTest),
		[],
		null,
	);
	let answer: IWebhookResponseData;
	try {
		answer = await nodeType.webhook.call(context);
	} catch (thrown) {
		const message = 'Workflow Webhook Error: Workflow could not be started!';
		if (!response.headersSent) response.status(500).json({ code: 0, message });
		return { response: response.sent(), thrown, staticData: staticData() };
	}
	if (!response.headersSent && !answer.noWebhookResponse) {
		response.status(200).send(responseBody(workflow, node, description, answer));
	}
	return {
		response: response.sent(),
		answer,
		startsWith: answer.workflowData?.[0],
		staticData: staticData(),
	};
}

/** The one webhook a trigger of ours declares. */
export function webhookDescription(workflow: Workflow, node: INode): IWebhookDescription {
	const { webhooks } = workflow.nodeTypes.getByNameAndVersion(
		node.type,
		node.typeVersion,
	).description;
	if (webhooks?.length !== 1) throw new Error('The engine serves nodes with exactly one webhook');
	return webhooks[0]!;
}

/** The method and path n8n listens at; no method when the node wants no webhook. */
export function webhookRoute(workflow: Workflow, node: INode) {
	const { httpMethod, path } = webhookDescription(workflow, node);
	return {
		method: evaluated(workflow, node, httpMethod, 'GET'),
		path: `${node.webhookId}/${evaluated(workflow, node, path, '')}`,
	};
}

const evaluated = (
	workflow: Workflow,
	node: INode,
	value: string | undefined,
	fallback: string,
): string =>
	String(
		workflow.expression.getSimpleParameterValue(node, value, 'internal', {}, undefined, fallback),
	);

const webhookData = (
	workflow: Workflow,
	node: INode,
	description: IWebhookDescription,
	additionalData: IWorkflowExecuteAdditionalData,
	isTest: boolean,
): IWebhookData => ({
	httpMethod: 'POST',
	node: node.name,
	path: webhookRoute(workflow, node).path,
	webhookDescription: description,
	workflowId: workflow.id,
	workflowExecuteAdditionalData: additionalData,
	isTest,
});

/** What n8n answers when the node did not answer itself. */
function responseBody(
	workflow: Workflow,
	node: INode,
	{ responseMode = 'onReceived', responseData }: IWebhookDescription,
	answer: IWebhookResponseData,
): unknown {
	if (responseMode !== 'onReceived') throw new Error('The engine answers at reception only');
	if (!answer.workflowData) {
		return answer.webhookResponse === undefined
			? { message: 'Webhook call received' }
			: answer.webhookResponse;
	}
	const declared = evaluated(workflow, node, responseData, 'firstEntryJson');
	if (declared === 'noData') return undefined;
	if (declared) return declared;
	return answer.webhookResponse ?? { message: 'Workflow was started' };
}

class Refusal extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

type ReadRequest = {
	method: string;
	headers: IncomingHttpHeaders;
	body: unknown;
	rawBody?: Buffer;
	params: IDataObject;
	query: IDataObject;
};

/** Unpacks and reads a body as n8n does: a BOM is passed over, multipart left alone, what is not JSON refused. */
async function readRequest({ method = 'POST', headers = {}, rawBody }: SentRequest) {
	const allHeaders: IncomingHttpHeaders = { 'content-type': 'application/json', ...headers };
	const [contentType = ''] = (allHeaders['content-type'] ?? '').toLowerCase().split(';');
	const request: ReadRequest = { method, headers: allHeaders, body: {}, params: {}, query: {} };
	if (contentType.startsWith('multipart/')) return request;

	request.rawBody = await unpacked(Buffer.from(rawBody ?? ''), allHeaders['content-encoding']);
	if (request.rawBody.length > 0 && contentType.trim() === 'application/json') {
		try {
			request.body = jsonParse(request.rawBody.toString('utf8').replace(/^\ufeff/, ''));
		} catch {
			throw new Refusal(422, 'Failed to parse request body');
		}
	}
	return request;
}

async function unpacked(bytes: Buffer, encoding = 'identity'): Promise<Buffer> {
	const unpack = { gzip: promisify(gunzip), deflate: promisify(inflate) }[encoding];
	try {
		const body = unpack ? await unpack(bytes, { maxOutputLength: MAX_BODY_BYTES }) : bytes;
		if (body.length <= MAX_BODY_BYTES) return body;
	} catch {
		// Broken or endless: refused below, as what is too large is.
	}
	throw new Refusal(500, 'The request body could not be read');
}

/** As much of Express's response as a trigger uses; keeps what was sent. */
export class RecordedResponse {
	headersSent = false;
	statusCode = 200;
	private readonly headers: Record<string, string> = {};
	private body: unknown;

	status(code: number) {
		this.statusCode = code;
		return this;
	}
	setHeader(name: string, value: number | string) {
		this.headers[name.toLowerCase()] = String(value);
		return this;
	}
	json(body: unknown) {
		this.setHeader('content-type', 'application/json; charset=utf-8');
		return this.end(body);
	}
	send(body?: unknown) {
		return typeof body === 'object' && body !== null ? this.json(body) : this.end(body);
	}
	end(body?: unknown) {
		if (this.headersSent) throw new Error('The response was sent already');
		this.headersSent = true;
		this.body = body;
		return this;
	}
	/** Throws when nobody answered: the sender would wait until its timeout. */
	sent(): WebhookResponse {
		if (!this.headersSent) throw new Error('The request was left without an answer');
		return { status: this.statusCode, headers: this.headers, body: this.body };
	}
}
