import { searchList, testCredential } from './editor';
import { runWorkflow } from './executions';
import { Instance, type InstanceSetup } from './instance';
import { serveWorkflow } from './live-workflow';
import { log } from './log';
import { callWebhookMethod, receiveWebhook } from './webhooks';

export type { Run, RunRequest } from './executions';
export type { InstanceSetup, NodeSpec } from './instance';
export type { LiveWorkflow } from './live-workflow';
export type { LogEntry } from './log';
export type { WebhookResponse } from './recordedResponse';
export type { Emit, Emitted, Listening, Reception } from './webhooks';

type Bound<F> = F extends (instance: Instance, ...rest: infer Rest) => infer Result
	? (...rest: Rest) => Result
	: never;

/**
 * n8n-core in this process, with the given node types and credentials. It runs n8n's own code for executions, requests,
 * binary data and webhooks, and nothing of n8n's server, database or editor.
 */
export type Engine = {
	runWorkflow: Bound<typeof runWorkflow>;
	callWebhookMethod: Bound<typeof callWebhookMethod>;
	receiveWebhook: Bound<typeof receiveWebhook>;
	serveWorkflow: Bound<typeof serveWorkflow>;
	searchList: Bound<typeof searchList>;
	testCredential: Bound<typeof testCredential>;
	/** Everything that was logged in this process, by all of its engines. */
	log: typeof log;
};

export function createEngine(setup: InstanceSetup): Engine {
	const instance = new Instance(setup);
	return {
		runWorkflow: async (request) => await runWorkflow(instance, request),
		callWebhookMethod: async (call) => await callWebhookMethod(instance, call),
		receiveWebhook: async (call) => await receiveWebhook(instance, call),
		serveWorkflow: async (request) => await serveWorkflow(instance, request),
		searchList: async (call) => await searchList(instance, call),
		testCredential: async (typeName, given) => await testCredential(instance, typeName, given),
		log,
	};
}
