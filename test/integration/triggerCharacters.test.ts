import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { CHARACTER_NAMES } from '../../sandbox/src';
import { waitUntil } from '../support/waitUntil';
import { itemsOf, TriggerService } from './triggerWorkflow';

/** What the webhook does by itself; a check would find in the history what the webhook has missed. */
const WITHOUT_CHECKS = { checkEvery: 0 };

describe.each(CHARACTER_NAMES)('With a service that is %s', (character) => {
	let trigger: TriggerService;

	beforeEach(async () => {
		trigger = await TriggerService.start({ character });
	});
	afterEach(async () => await trigger.stop());

	const listening = async () => {
		const live = await trigger.serve(WITHOUT_CHECKS);
		await live.activate();
		return live;
	};

	/** Registers the trigger's own URL once more, as an earlier start of n8n may have done. */
	const registerAgain = async (registration: { secret: string; events: string[] }) => {
		const [endpoint] = await trigger.endpoints();
		const { apiKey, apiSecret } = trigger.service.credential();
		return await trigger.service.control.post(
			PATHS.webhooks,
			{ url: endpoint!.url, ...registration },
			{ headers: { 'x-api-key': String(apiKey), 'x-api-secret': String(apiSecret) } },
		);
	};

	test('§6.2 a text starts the workflow once, with what the event says', async () => {
		const live = await listening();
		await trigger.text('hello');
		await live.waitForRuns(1);
		expect(itemsOf(live)).toMatchObject([
			{ event: 'receive', from: '+15551230001', content: 'hello', service: 'iMessage' },
		]);
	});

	test('§6.1 an outbound message starts the workflow, wherever the event holds it', async () => {
		const live = await trigger.serve({ ...WITHOUT_CHECKS, events: ['outbound'] });
		await live.activate();
		await trigger.service.run({
			parameters: {
				resource: 'message',
				operation: 'send',
				number: '+15551230001',
				content: 'hello',
			},
		});
		await live.waitForRuns(1);
		expect(itemsOf(live)).toMatchObject([
			{
				event: 'outbound',
				to: '+15551230001',
				content: 'hello',
				status: 'SENT',
				service: 'iMessage',
			},
		]);
	});

	test('§4.7 the trigger that is published again still listens', async () => {
		const live = await listening();
		await live.deactivate();
		await live.activate();
		await trigger.text('hello');
		await live.waitForRuns(1);
		expect(itemsOf(live)).toMatchObject([{ content: 'hello' }]);
	});

	test('§2.4 an event that comes once for each of two registrations starts the workflow once', async () => {
		const live = await listening();
		await registerAgain({ secret: trigger.secret, events: ['receive', 'outbound'] });
		await trigger.text('one');
		await trigger.text('two');
		await waitUntil('the second text', async () => itemsOf(live)[1]);
		expect(itemsOf(live).map(({ content }) => content)).toEqual(['one', 'two']);
	});
});

describe('With a service that is awkward', () => {
	test('§6.4 an event that is also signed with an older secret starts the workflow once', async () => {
		const trigger = await TriggerService.start({ character: 'awkward' });
		const live = await trigger.serve(WITHOUT_CHECKS);
		await live.activate();
		const [endpoint] = await trigger.endpoints();
		const { apiKey, apiSecret } = trigger.service.credential();
		await trigger.service.control.post(
			PATHS.webhooks,
			{ url: endpoint!.url, secret: 'an older secret', events: ['receive'] },
			{ headers: { 'x-api-key': String(apiKey), 'x-api-secret': String(apiSecret) } },
		);
		await trigger.text('one');
		await trigger.text('two');
		await live.waitForRuns(2);
		expect(itemsOf(live).map(({ content }) => content)).toEqual(['one', 'two']);
		await trigger.stop();
	});
});
