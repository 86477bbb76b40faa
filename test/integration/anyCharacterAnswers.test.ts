import { TwoWayMessagingApi } from '../../credentials/TwoWayMessagingApi.credentials';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { CHARACTER_NAMES } from '../../sandbox/src';
import { runWorkflow, type RunRequest } from '../support/executions';
import { Instance } from '../support/instance';
import { startStub } from '../support/stub';
import { visit } from '../support/waits';
import { itemsOf, TriggerService } from './triggerWorkflow';
import { savedField } from '../support/savedFields';

const ANNA = '+15551230001';

const REQUEST: RunRequest = {
	nodes: [
		{ type: 'start', name: 'Start' },
		{
			type: 'twoWayMessaging',
			name: 'Ask',
			parameters: {
				resource: 'message',
				operation: 'sendAndWait',
				responseType: 'reply',
				number: ANNA,
				content: 'Can we come at 10?',
			},
		},
	],
	connections: { Start: { main: [[{ node: 'Ask', type: 'main', index: 0 }]] } },
};

type Posted = { token: string; message: { content: string } };

describe.each(CHARACTER_NAMES)('With a service that is %s', (character) => {
	let trigger: TriggerService;
	/** The server at which the execution waits. */
	let address: Awaited<ReturnType<typeof startStub>>;
	let posted: Posted[];

	beforeEach(async () => {
		trigger = await TriggerService.start({ character });
		posted = [];
		address = await startStub(({ body }) => {
			posted.push(JSON.parse(body.toString()) as Posted);
			return { body: { answered: true } };
		});
	});
	afterEach(async () => {
		await trigger.stop();
		await address.stop();
	});

	test('an answer by text resumes its question once, and starts no execution', async () => {
		const live = await trigger.serve();
		await live.activate();
		const instance = new Instance({
			nodeTypes: [new TwoWayMessaging()],
			credentialTypes: [new TwoWayMessagingApi()],
			credentials: { twoWayMessagingApi: trigger.credential },
			webhookBaseUrl: `${address.url}/webhook`,
		});
		const waiting = await runWorkflow(instance, REQUEST);
		expect(waiting.status).toBe('waiting');
		const questions = savedField(live.staticData['node:Trigger'], 'questions')!;
		// The customer takes longer to answer than the clock of any service may be behind.
		const { control } = trigger.service;
		await control.post('/sandbox/clock', { advance_seconds: 300 });

		await trigger.text('yes, please');
		await live.waitForRuns(1);
		const { data } = await control.get<{ deliveries: Array<{ id: string; event: string }> }>(
			'/sandbox/deliveries',
		);
		for (const { id } of data.deliveries) {
			await control.post(`/sandbox/deliveries/${id}/redeliver`);
		}
		await trigger.delivered();
		await trigger.text('and a coffee');
		await live.waitForRuns(2);

		expect(itemsOf(live)).toMatchObject([{ content: 'and a coffee' }]);
		expect(posted).toMatchObject([{ message: { content: 'yes, please' } }]);
		const { run } = await visit(instance, REQUEST, waiting, {
			method: 'POST',
			body: posted[0],
			url: questions[0]?.resumeUrl,
		});
		expect(run?.json('Ask')).toMatchObject([{ answered: true, content: 'yes, please' }]);
	});
});
