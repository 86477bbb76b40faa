import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import {
	questionOfVisit,
	signedResumeUrl,
} from '../../nodes/TwoWayMessaging/action/questions/resumeUrl';
import { runProbe } from './probe';

/** The URL that n8n signs for a question of execution 17. */
const urlOf = async (question: string): Promise<string> => {
	const run = await runProbe(
		async (context) => [[{ json: { url: signedResumeUrl(context, question) } }]],
		{ executionId: '17' },
	);
	return String(run.json('Probe')[0]?.url);
};

const signatureOf = (url: string) => new URL(url).searchParams.get('signature');

describe('the URL that lets an execution continue', () => {
	test('names the execution, the node and the question, and is signed', async () => {
		expect(await urlOf('q-1_A')).toMatch(
			/\/webhook-waiting\/17\/Probe\?question=q-1_A&signature=[0-9a-f]{64}$/,
		);
	});

	test('is signed with its question: the signature of another question does not fit', async () => {
		expect(signatureOf(await urlOf('one'))).not.toBe(signatureOf(await urlOf('two')));
	});

	test('is absent in an n8n that is too old to have the function', () => {
		expect(signedResumeUrl({} as IExecuteFunctions, 'q')).toBeUndefined();
	});

	test('is absent in an n8n that signs no parameters: all questions would have the same', () => {
		const context = { getSignedResumeUrl: () => 'https://n8n.example/webhook-waiting/17/Probe' };
		expect(signedResumeUrl(context as unknown as IExecuteFunctions, 'q')).toBeUndefined();
	});
});

describe('the question of a visit', () => {
	const visitWith = (query: object) =>
		({ getQueryData: () => query }) as unknown as IWebhookFunctions;

	test.each([
		[{ question: 'q' }, 'q'],
		[{}, undefined],
		[{ question: ['q', 'r'] }, undefined],
	])('is read from the parameters %j', (query, question) => {
		expect(questionOfVisit(visitWith(query))).toBe(question);
	});
});
