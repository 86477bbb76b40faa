import type { IWebhookFunctions } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';
import {
	readAskedQuestion,
	saveAskedQuestion,
	type AskedQuestion,
} from '../../nodes/TwoWayMessaging/action/questions/askedQuestion';
import { runWorkflow, type RunRequest } from '../support/executions';
import { visit } from '../support/waits';
import { instanceWith, PROBE_REQUEST, Probe } from './probe';

/** A name that would end the expression early, if it were put into it as it is. */
const NAME = 'Ask "Anna" {{ 1 }}';

const REQUEST: RunRequest = {
	nodes: [
		{ type: 'start', name: 'Start' },
		{ type: 'probe', name: NAME },
	],
	connections: { Start: { main: [[{ node: NAME, type: 'main', index: 0 }]] } },
};

const ASKED: AskedQuestion = {
	question: { content: 'Can we come at 10?' },
	...{ buttons: { approve: 'Yes' }, outputs: 2, token: 'a' },
};

/** Saves a question in an execution that waits, and returns what the webhook of the node reads. */
async function readByWebhook(request: RunRequest, value?: AskedQuestion): Promise<unknown> {
	const read: unknown[] = [];
	const probe = new Probe(async (context) => {
		if (value) saveAskedQuestion(context, value);
		await context.putExecutionToWait(WAIT_INDEFINITELY);
		return [context.getInputData()];
	});
	probe.description.webhooks = [
		{ name: 'default', httpMethod: 'GET', path: '={{ $nodeId }}', restartWebhook: true },
	];
	probe.webhook = async function (this: IWebhookFunctions) {
		read.push(readAskedQuestion(this));
		return { webhookResponse: 'seen' };
	};
	const instance = instanceWith(probe);
	const waiting = await runWorkflow(instance, request);
	await visit(instance, request, waiting, { method: 'GET' });
	return read[0];
}

describe('what a node saves with its execution', () => {
	test('is read by its webhook, while the execution waits', async () => {
		expect(await readByWebhook(PROBE_REQUEST, ASKED)).toEqual(ASKED);
	});

	test('is found whatever the node is called', async () => {
		expect(await readByWebhook(REQUEST, ASKED)).toEqual(ASKED);
	});

	test('is undefined where the node has saved nothing', async () => {
		expect(await readByWebhook(PROBE_REQUEST)).toBeUndefined();
	});
});
