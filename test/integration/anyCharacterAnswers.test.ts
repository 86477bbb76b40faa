import { CHARACTER_NAMES } from '../../sandbox/src';
import { runWorkflow } from '../support/executions';
import { visit } from '../support/waits';
import { ASK, askingInstance, askingWorkflow, startAddress, started } from './askingWorkflow';
import { TriggerService } from './triggerWorkflow';
import { savedField } from '../support/savedFields';

type Posted = { token: string; message: { content: string } };

describe.each(CHARACTER_NAMES)('With a service that is %s', (character) => {
	let trigger: TriggerService;
	let address: Awaited<ReturnType<typeof startAddress<Posted>>>;

	beforeEach(async () => {
		trigger = await TriggerService.start({ character });
		address = await startAddress();
	});
	afterEach(async () => {
		await trigger.stop();
		await address.stop();
	});

	test('an answer by text resumes its question once, and starts no execution', async () => {
		const live = await trigger.serve();
		await live.activate();
		const instance = askingInstance(trigger.credential, address.url, trigger.service.memory);
		const waiting = await runWorkflow(instance, askingWorkflow());
		expect(waiting.status).toBe('waiting');
		const questions = savedField(live.staticData['node:Trigger'], 'questions')!;
		// The customer takes longer to answer than the clock of any service may be behind.
		const { control } = trigger.service;
		await control.post('/sandbox/clock', { advance_seconds: 300 });

		await trigger.text('yes, please');
		await address.passed(1);
		const { data } = await control.get<{ deliveries: Array<{ id: string; event: string }> }>(
			'/sandbox/deliveries',
		);
		for (const { id } of data.deliveries) {
			await control.post(`/sandbox/deliveries/${id}/redeliver`);
		}
		await trigger.delivered();
		await trigger.text('and a coffee');

		expect(await started(live, 1)).toMatchObject([{ content: 'and a coffee' }]);
		expect(address.posted).toMatchObject([{ message: { content: 'yes, please' } }]);
		const { run } = await visit(instance, askingWorkflow(), waiting, {
			method: 'POST',
			body: address.posted[0],
			url: questions[0]?.resumeUrl,
		});
		expect(run?.json(ASK)).toMatchObject([{ answered: true, content: 'yes, please' }]);
	});
});
