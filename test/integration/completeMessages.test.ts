import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { waitUntil } from '../support/waitUntil';
import { itemsOf, receiveEvent, TriggerService } from './triggerWorkflow';

const PICTURE = 'https://files.example/cat.jpg';

let trigger: TriggerService;

const start = async (options: Parameters<typeof TriggerService.start>[0] = {}) => {
	trigger = await TriggerService.start(options);
};
afterEach(async () => await trigger.stop());

const listening = async (parameters: Parameters<TriggerService['serve']>[0] = {}) => {
	const live = await trigger.serve(parameters);
	await live.activate();
	return live;
};
/** How often the service was asked for its history since the workflow listens. */
const readings = async () => {
	const { data } = await trigger.service.control.get<{ calls: Array<{ path: string }> }>(
		'/sandbox/calls?limit=1000',
	);
	return data.calls.filter(({ path }) => path.startsWith('/v2/messages')).length;
};
const firstItem = async (live: Awaited<ReturnType<typeof listening>>) =>
	await waitUntil('the item', async () => itemsOf(live)[0]);

describe('a message whose event leaves something out', () => {
	test('§6.2 gets its conversation and its picture from the history, in the order of any message', async () => {
		await start({ character: 'literal' });
		const live = await listening();
		await trigger.text('look', { media_url: PICTURE });
		const [row] = await trigger.service.rows();
		const item = await firstItem(live);
		expect(item).toMatchObject({
			content: 'look',
			media_url: PICTURE,
			conversation_handle: row?.conversation_handle,
			line_handle: row?.line_handle,
			date_sent: row?.date_sent,
			status: 'RECEIVED',
			recovered: false,
			chatInput: 'look',
		});
		expect(Object.keys(item).slice(0, 5)).toEqual(['date_sent', 'from', 'to', 'content', 'status']);
	});

	test('§6.3 gets the ID of its line, which the flat form does not name', async () => {
		await start();
		const live = await listening();
		const [line] = (await trigger.service.control.get('/sandbox/state')).data.lines as Array<{
			line_handle: string;
			number: string;
		}>;
		const flat = {
			event: 'receive',
			message_handle: 'unheard-of',
			conversation_handle: 'c1',
			from: '+15551230001',
			to: line?.number,
			content: 'hi',
			media_url: null,
		};
		await trigger.send(live, flat);
		expect((await firstItem(live)).line_handle).toBe(line?.line_handle);
	});

	test('§2.5 gets its conversation where it names its picture', async () => {
		await start({ character: 'literal' });
		const live = await listening({ events: ['receive', 'outbound'] });
		await trigger.service.control.post('/sandbox/inbound', { from: '+15551230001', content: 'a' });
		const [row] = await trigger.service.rows();
		await firstItem(live);
		const more = { media_url: PICTURE, text: 'again' };
		const event = receiveEvent(row?.message_handle ?? '', more);
		await trigger.send(live, { ...event, type: 'outbound' });
		const item = await waitUntil('the item', async () => itemsOf(live)[1]);
		expect(item.conversation_handle).toBe(row?.conversation_handle);
	});

	test('costs one reading of the history for all that come at the same moment', async () => {
		await start({ character: 'literal' });
		const live = await listening();
		const before = await readings();
		await Promise.all(
			Array.from({ length: 30 }, async (_, at) => {
				await trigger.text(`text ${at}`, { from: `+155512300${10 + at}` });
			}),
		);
		await waitUntil('the last item', async () => itemsOf(live)[29]);
		expect(itemsOf(live).filter((item) => item.conversation_handle === undefined)).toEqual([]);
		expect((await readings()) - before).toBeLessThan(8);
	});

	test('§8.1 costs one reading a second where less than half of the limit is left for others', async () => {
		const memory = new ProcessMemory();
		await start({ character: 'literal', requestLimits: { all: 12 }, memory });
		const live = await listening();
		for (let at = 0; at < 6; at += 1) {
			await trigger.text(`text ${at}`);
			await waitUntil('the item', async () => itemsOf(live)[at]);
		}
		const before = await readings();
		for (let at = 6; at < 12; at += 1) await trigger.text(`text ${at}`);
		await waitUntil('the last item', async () => itemsOf(live)[11]);
		expect((await readings()) - before).toBeLessThanOrEqual(2);
		expect(itemsOf(live).filter((item) => item.conversation_handle === undefined)).toEqual([]);
	});

	test('costs no reading where the event says everything', async () => {
		await start({ character: 'generous' });
		const live = await listening();
		const before = await readings();
		await trigger.text('hello');
		await firstItem(live);
		expect(await readings()).toBe(before);
	});

	test.each([{ completeMessages: false }, { simplify: false }])(
		'comes as it is with the options %j',
		async (options) => {
			await start({ character: 'literal' });
			const live = await listening({ options });
			const before = await readings();
			await trigger.text('hello');
			expect(await firstItem(live)).not.toHaveProperty('conversation_handle');
			expect(await readings()).toBe(before);
		},
	);
});

describe('a message that cannot be completed starts the workflow all the same', () => {
	test('when the history does not have it', async () => {
		await start();
		const live = await listening();
		const { data } = await trigger.send(live, receiveEvent('unheard-of'));
		expect(data).toBe('');
		expect(await firstItem(live)).toMatchObject({ message_handle: 'unheard-of', content: 'hello' });
	});

	test.each(['status-500', 'html', 'reset-after'] as const)(
		'when the history answers with %s',
		async (kind) => {
			await start();
			const live = await listening();
			await trigger.service.fault('/v2/messages', kind, 20);
			await trigger.text('hello');
			expect(await firstItem(live)).toMatchObject({ content: 'hello' });
		},
	);

	test('within three seconds or so when the history does not answer', async () => {
		await start();
		const live = await listening();
		await trigger.service.fault('/v2/messages', 'hang-after', 20);
		const beganAt = performance.now();
		await trigger.text('hello');
		await firstItem(live);
		expect(performance.now() - beganAt).toBeLessThan(10_000);
	});
});
