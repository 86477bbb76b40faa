import { searchList, testCredential } from './editor';
import { runWorkflow } from './executions';
import { Instance, type InstanceSetup } from './instance';
import { log } from './log';
import { callWebhookMethod, receiveWebhook } from './webhooks';

export type { Run, RunRequest } from './executions';
export type { InstanceSetup, NodeSpec } from './instance';

/**
 * n8n-core in this process, with the given node types and credentials. It runs n8n's own code for executions, requests,
 * binary data and webhooks, and nothing of n8n's server, database or editor.
 */
export type Engine = ReturnType<typeof createEngine>;

export function createEngine(setup: InstanceSetup) {
	const instance = new Instance(setup);
	const bound =
		<Rest extends unknown[], Result>(work: (instance: Instance, ...rest: Rest) => Result) =>
		(...rest: Rest) =>
			work(instance, ...rest);
	return {
		runWorkflow: bound(runWorkflow),
		callWebhookMethod: bound(callWebhookMethod),
		receiveWebhook: bound(receiveWebhook),
		searchList: bound(searchList),
		testCredential: bound(testCredential),
		/** Everything that was logged in this process, by all of its engines. */
		log,
	};
}
