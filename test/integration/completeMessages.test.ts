import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import type { LiveWorkflow } from '../support/engine';
import { started } from './askingWorkflow';
import { receiveEvent, TriggerService } from './triggerWorkflow';

const ANNA = '+15551230001';
const PICTURE = 'https://files.example/cat.jpg';
const LITERAL = { character: 'literal' } as const;

let trigger: TriggerService;
let live: LiveWorkflow;

/** A workflow begins to listen to a service. */
const listen = async (
	service: Parameters<typeof TriggerService.start>[0] = LITERAL,
	parameters: Parameters<TriggerService['serve']>[0] = {},
) => {
	trigger = await TriggerService.start(service);
	live = await trigger.serve(parameters);
	await live.activate();
};
afterEach(async () => await trigger.stop());

/** How often the service is asked for its history in the meantime. */
const readingsOf = async (work: () => Promise<unknown>) => {
	const readings = async () => {
		type Calls = { calls: Array<{ path: string }> };
		const { data } = await trigger.service.control.get<Calls>('/sandbox/calls?limit=1000');
		return data.calls.filter(({ path }) => path.startsWith('/v2/messages')).length;
	};
	const before = await readings();
	await work();
	return (await readings()) - before;
};

describe('a message whose event leaves something out', () => {
	test('§6.2 gets its conversation and its picture from the history, in the order of any message', async () => {
		await listen();
		await trigger.text('look', { media_url: PICTURE });
		const [row] = await trigger.service.rows();
		const [item = {}] = await started(live, 1);
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
		await listen();
		const { data } = await trigger.service.control.get('/sandbox/state');
		const [line] = data.lines as Array<{ line_handle: string; number: string }>;
		const message = { message_handle: 'unheard-of', conversation_handle: 'c1', from: ANNA };
		const text = { to: line?.number, content: 'hi', media_url: null };
		await trigger.send(live, { event: 'receive', ...message, ...text });
		expect(await started(live, 1)).toMatchObject([{ line_handle: line?.line_handle }]);
	});

	test('§2.5 gets its conversation where it names its picture', async () => {
		await listen(LITERAL, { events: ['receive', 'outbound'] });
		await trigger.text('a');
		const [row] = await trigger.service.rows();
		const said = { media_url: PICTURE, text: 'again', status: 'delivered' };
		const event = receiveEvent(row?.message_handle ?? '', said);
		await trigger.send(live, { ...event, type: 'outbound' });
		const [, item] = await started(live, 2);
		expect(item?.conversation_handle).toBe(row?.conversation_handle);
	});

	test('costs one reading of the history for all that come at the same moment', async () => {
		await listen();
		const readings = await readingsOf(async () => {
			const texts = Array.from({ length: 30 }, async (_, at) => {
				await trigger.text(`text ${at}`, { from: `+155512300${10 + at}` });
			});
			await Promise.all(texts);
			const items = await started(live, 30);
			expect(items.filter((item) => item.conversation_handle === undefined)).toEqual([]);
		});
		expect(readings).toBeLessThan(8);
	});

	test('§8.1 costs one reading a second where less than half of the limit is left for others', async () => {
		await listen({ ...LITERAL, requestLimits: { all: 12 }, memory: new ProcessMemory() });
		for (let count = 1; count <= 6; count += 1) {
			await trigger.text(`text ${count}`);
			await started(live, count);
		}
		const readings = await readingsOf(async () => {
			for (let count = 7; count <= 12; count += 1) await trigger.text(`text ${count}`);
			const items = await started(live, 12);
			expect(items.filter((item) => item.conversation_handle === undefined)).toEqual([]);
		});
		expect(readings).toBeLessThanOrEqual(2);
	});

	test.each([
		['its event says everything', 'generous', {}],
		['the messages are not to be completed', 'literal', { completeMessages: false }],
		['the item is the service’s own body', 'literal', { simplify: false }],
	] as const)('costs no reading where %s', async (_, character, options) => {
		await listen({ character }, { options });
		const readings = await readingsOf(async () => {
			await trigger.text('hello');
			const [item = {}] = await started(live, 1);
			expect('conversation_handle' in item).toBe(character === 'generous');
		});
		expect(readings).toBe(0);
	});
});

describe('a message that cannot be completed starts the workflow all the same', () => {
	test('where the history does not have it', async () => {
		await listen();
		const { data } = await trigger.send(live, receiveEvent('unheard-of'));
		expect(data).toBe('');
		const item = { message_handle: 'unheard-of', content: 'hello' };
		expect(await started(live, 1)).toMatchObject([item]);
	});

	test.each(['status-500', 'html', 'reset-after', 'hang-after'] as const)(
		'within three seconds or so, where the history answers with %s',
		async (kind) => {
			await listen();
			await trigger.service.fault('/v2/messages', kind, 20);
			const beganAt = performance.now();
			await trigger.text('hello');
			expect(await started(live, 1)).toMatchObject([{ content: 'hello' }]);
			expect(performance.now() - beganAt).toBeLessThan(10_000);
		},
	);
});
