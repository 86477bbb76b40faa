import { HookContext, TriggerContext, WebhookContext } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	IRunExecutionData,
	ITriggerFunctions,
	IWebhookData,
	IWebhookDescription,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
	SchedulingFunctions,
	WebhookSetupMethodNames,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { replaceContent, staticDataFor, type Instance, type NodeSpec } from './instance';
import { readRequest, type SentRequest } from './readRequest';
import { RecordedResponse, type WebhookResponse } from './recordedResponse';

export type HookCall = {
	node: NodeSpec;
	method: WebhookSetupMethodNames;
	/** The node's own static data. It gets what the method writes. */
	staticData?: IDataObject;
	/** Why n8n calls the method: `activate` (the default), `init` at a start of n8n, `manual` for a test in the editor. */
	activation?: WorkflowActivateMode;
	/** Whether the webhook belongs to a test in the editor, which has the test URL. */
	isTest?: boolean;
};

export type Emit = ITriggerFunctions['emit'];

/** Items with which a node has started an execution. */
export type Emitted = {
	items: INodeExecutionData[];
	/** Tells the node how the execution has ended. Without it, the node does not want to know. */
	done?: Parameters<Emit>[2];
};

/** A node whose trigger() has returned, so that it listens. A test decides when its crons tick. */
export type Listening = {
	/**
	 * Lets every cron tick once. n8n waits for no tick; this resolves when everything that they returned has, so that a
	 * test knows that a check is over.
	 */
	tick: () => Promise<void>;
	/** Stops the crons, and then calls closeFunction, as n8n does. */
	close: () => Promise<void>;
};

/** What has become of a webhook request. */
export type Reception = {
	response: WebhookResponse;
	/** The items with which an execution starts; undefined when none starts. */
	startsWith?: INodeExecutionData[];
	/** The node's static data after webhook(). n8n does not save it when an execution starts. */
	staticData: IDataObject;
};

/** Calls one of a trigger's webhookMethods, as n8n does when it activates or deactivates a workflow. */
export async function callWebhookMethod(instance: Instance, call: HookCall): Promise<boolean> {
	const node = instance.node(call.node);
	const workflow = instance.workflow([node], { staticData: staticDataFor(node, call.staticData) });
	try {
		return await runHook(instance, workflow, node, call);
	} finally {
		if (call.staticData) replaceContent(call.staticData, workflow.getStaticData('node', node));
	}
}

/** Does the same in an existing workflow, which keeps its static data. */
export async function runHook(
	instance: Instance,
	workflow: Workflow,
	node: INode,
	call: Omit<HookCall, 'node' | 'staticData'>,
): Promise<boolean> {
	const { method, activation = 'activate', isTest = false } = call;
	const description = webhookDescription(workflow, node);
	const additionalData = instance.additionalData();
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

/**
 * Calls trigger(), which may throw. n8n keeps one workflow object with its static data until the node is closed; saving it is
 * a part of what `emit` does.
 */
export async function runTrigger(
	instance: Instance,
	workflow: Workflow,
	node: INode,
	{ emit, activation = 'activate' }: { emit: Emit; activation?: WorkflowActivateMode },
): Promise<Listening> {
	const { trigger } = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	if (!trigger) throw new Error('The node has no trigger()');
	const crons = new HeldCrons();
	const context = new TriggerContext(
		workflow,
		node,
		instance.additionalData(),
		'trigger',
		activation,
		emit,
		undefined,
		undefined,
		crons,
	);
	let response: Awaited<ReturnType<typeof trigger>>;
	try {
		response = await trigger.call(context);
	} catch (refusal) {
		crons.stop();
		throw refusal;
	}
	return {
		tick: async () => await crons.tick(),
		async close() {
			crons.stop();
			await response?.closeFunction?.();
		},
	};
}

/** The crons of one node that listens. They tick when a test says so, and not by the time. */
class HeldCrons implements SchedulingFunctions {
	private readonly ticks = new Map<string, (scheduledAt: Date) => unknown>();

	registerCron: SchedulingFunctions['registerCron'] = ({ expression }, onTick) => {
		if (!expression) throw new Error('A cron needs an expression');
		// n8n keeps the first of two crons of a node that have the same expression.
		if (!this.ticks.has(expression)) this.ticks.set(expression, onTick);
	};

	async tick(): Promise<void> {
		const now = new Date();
		await Promise.all([...this.ticks.values()].map((onTick) => onTick(now)));
	}

	stop(): void {
		this.ticks.clear();
	}
}

/** Passes a request to a trigger's webhook(), as n8n's server does. */
export async function receiveWebhook(
	instance: Instance,
	call: SentRequest & { node: NodeSpec; staticData?: IDataObject; isTest?: boolean },
): Promise<Reception> {
	const node = instance.node(call.node);
	// n8n reads the workflow again for every request.
	const workflow = instance.workflow([node], { staticData: staticDataFor(node, call.staticData) });
	const description = webhookDescription(workflow, node);
	const request = await readRequest(call);
	const { isTest } = call;
	const { response, answer } = await callWebhook(instance, workflow, node, description, request, {
		isTest,
	});
	if (!response.headersSent && !answer.noWebhookResponse) {
		response.status(200).send(responseBody(answer));
	}
	return {
		response: response.sent(),
		startsWith: answer.workflowData?.[0],
		staticData: { ...workflow.getStaticData('node', node) },
	};
}

/** Calls webhook() with a request; with the execution that waits, where one does. */
export async function callWebhook(
	instance: Instance,
	workflow: Workflow,
	node: INode,
	description: IWebhookDescription,
	request: object,
	{ isTest = false, saved = null as IRunExecutionData | null } = {},
) {
	const { webhook } = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	if (!webhook) throw new Error('The node has no webhook');
	const response = new RecordedResponse();
	const additionalData = instance.additionalData({
		// In n8n webhook() gets Express's objects. A node uses only these parts of them.
		httpRequest: request as IWorkflowExecuteAdditionalData['httpRequest'],
		httpResponse: response as unknown as IWorkflowExecuteAdditionalData['httpResponse'],
	});
	const context = new WebhookContext(
		workflow,
		node,
		additionalData,
		isTest ? 'manual' : 'webhook',
		webhookData(workflow, node, description, additionalData, isTest),
		[],
		saved,
	);
	return { response, answer: await webhook.call(context) };
}

/** The webhook that a trigger declares; ours declare exactly one. */
function webhookDescription(workflow: Workflow, node: INode): IWebhookDescription {
	const { webhooks } = workflow.nodeTypes.getByNameAndVersion(
		node.type,
		node.typeVersion,
	).description;
	if (webhooks?.length !== 1) throw new Error('The engine serves nodes with exactly one webhook');
	return webhooks[0]!;
}

const webhookData = (
	workflow: Workflow,
	node: INode,
	description: IWebhookDescription,
	additionalData: IWorkflowExecuteAdditionalData,
	isTest = false,
): IWebhookData => ({
	httpMethod: description.httpMethod === 'GET' ? 'GET' : 'POST',
	node: node.name,
	path: `${node.webhookId}/${description.path}`,
	webhookDescription: description,
	workflowId: workflow.id,
	workflowExecuteAdditionalData: additionalData,
	isTest,
});

/** n8n's answer when the node, which answers at reception, has not done so itself. */
const responseBody = ({ workflowData, webhookResponse }: IWebhookResponseData): unknown =>
	webhookResponse ?? { message: workflowData ? 'Workflow was started' : 'Webhook call received' };
