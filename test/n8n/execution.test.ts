import { NodeOperationError, type IExecuteFunctions, type IWebhookFunctions } from 'n8n-workflow';
import {
	questionOfVisit,
	signedResumeUrl,
} from '../../nodes/TwoWayMessaging/action/questions/resumeUrl';
import type * as OutputAfterWait from '../../nodes/TwoWayMessaging/n8n/outputAfterWait';
import { canContinueAtSecondOutput } from '../../nodes/TwoWayMessaging/n8n/outputAfterWait';
import { stopIfCancelled } from '../../nodes/TwoWayMessaging/service/pause';
import { runProbe } from './probe';

/* What n8n does with an execution that waits or is stopped; test/integration/sendAndWait waits. */

test('this n8n continues at the second output, which is told by an export that came with 2.39', () => {
	expect(canContinueAtSecondOutput()).toBe(true);
});

test('the oldest n8n that the package works with does not continue there', () => {
	jest.resetModules();
	jest.doMock('n8n-workflow', () => jest.requireActual<object>('n8n-workflow-1-86'));
	const old = jest.requireActual<typeof OutputAfterWait>(
		'../../nodes/TwoWayMessaging/n8n/outputAfterWait',
	);

	expect(old.canContinueAtSecondOutput()).toBe(false);
});

test.each([
	['too old to have the function', {}],
	[
		'that signs no parameters, so that all questions would have the same',
		{ getSignedResumeUrl: () => 'https://n8n.example/webhook-waiting/17/Probe' },
	],
])('the URL that lets an execution continue is absent in an n8n %s', (_, context) => {
	expect(signedResumeUrl(context as unknown as IExecuteFunctions, 'q')).toBeUndefined();
});

test.each([
	[{ question: 'q' }, 'q'],
	[{}, undefined],
	[{ question: ['q', 'r'] }, undefined],
])('the question of a visit is read from the parameters %j', (query, question) => {
	const visit = { getQueryData: () => query } as unknown as IWebhookFunctions;
	expect(questionOfVisit(visit)).toBe(question);
});

test('an execution that a person stops shows as canceled by the words of the error alone', async () => {
	const stopped = await runProbe(async (context) => {
		stopIfCancelled({
			getNode: () => context.getNode(),
			...{ logger: context.logger, getExecutionCancelSignal: () => AbortSignal.abort() },
		});
		return [];
	});
	const failed = await runProbe(async (context) => {
		throw new NodeOperationError(context.getNode(), 'The execution was stopped');
	});
	expect([stopped.status, failed.status]).toEqual(['canceled', 'error']);
});
