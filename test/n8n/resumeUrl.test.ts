import type { IExecuteFunctions } from 'n8n-workflow';
import { signedResumeUrl } from '../../nodes/TwoWayMessaging/n8n/resumeUrl';
import { runProbe } from './probe';

describe('the URL that lets an execution continue', () => {
	test('names the execution and the node, and is signed', async () => {
		const run = await runProbe(async (caller) => [[{ json: { url: signedResumeUrl(caller) } }]], {
			executionId: '17',
		});

		expect(run.json('Probe')).toEqual([
			{ url: expect.stringMatching(/\/webhook-waiting\/17\/Probe\?signature=[0-9a-f]{64}$/) },
		]);
	});

	test('is absent in an n8n that is too old to have the function', () => {
		expect(signedResumeUrl({} as IExecuteFunctions)).toBeUndefined();
	});
});
