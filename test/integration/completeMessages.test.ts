import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { ANNA, FRONT_DESK } from '../support/service';
import { SECOND_MS } from '../support/times';
import type { LiveProcess } from './triggerProcess';
import { TriggerService } from './triggerService';
import { receiveEvent } from './triggerWorkflow';

const PICTURE = 'https://files.example/cat.jpg';
const LITERAL = { character: 'literal' } as const;

let trigger: TriggerService;
let n8n: LiveProcess;

const listen = async (
	service: Parameters<typeof TriggerService.start>[0] = LITERAL,
	parameters: Parameters<TriggerService['listen']>[0] = {},
) => {
	trigger = await TriggerService.start(service);
	n8n = await trigger.listen(parameters);
};
afterEach(async () => await trigger.stop());

/** The service sends an event, and what that starts has ended. */
const send = async (event: object) => {
	await n8n.receive(event, trigger.secret, Date.now());
	await n8n.idle();
};

/** How often the service is asked for its history in the meantime. */
const readingsOf = async (work: () => Promise<unknown>) => {
	const before = await trigger.service.timesAsked('/v2/messages');
	await work();
	return (await trigger.service.timesAsked('/v2/messages')) - before;
};

describe('a message whose event leaves something out', () => {
	test('§6.2 gets its conversation and its picture from the history, in the order of any message', async () => {
		await listen();
		await trigger.text('look', { media_url: PICTURE });
		const [row] = await trigger.service.rows();
		const [item = {}] = n8n.items;
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
		const message = { message_handle: 'unheard-of', conversation_handle: 'c1', from: ANNA };
		const text = { to: FRONT_DESK.number, content: 'hi', media_url: null };
		await send({ event: 'receive', ...message, ...text });
		expect(n8n.items).toMatchObject([{ line_handle: FRONT_DESK.handle }]);
	});

	test('§2.5 gets its conversation where it names its picture', async () => {
		await listen(LITERAL, { events: ['receive', 'outbound'] });
		await trigger.text('a');
		const [row] = await trigger.service.rows();
		const said = { media_url: PICTURE, text: 'again', status: 'delivered' };
		const event = receiveEvent(row?.message_handle ?? '', said);
		await send({ ...event, type: 'outbound' });
		const [, item] = n8n.items;
		expect(item?.conversation_handle).toBe(row?.conversation_handle);
	});

	test('costs one reading of the history for all that come at the same moment', async () => {
		await listen();
		const readings = await readingsOf(async () => {
			const texts = Array.from({ length: 30 }, async (_, at) => {
				await trigger.text(`text ${at}`, { from: `+155512300${10 + at}` });
			});
			await Promise.all(texts);
			expect(n8n.items).toHaveLength(30);
			expect(n8n.items.filter((item) => item.conversation_handle === undefined)).toEqual([]);
		});
		expect(readings).toBeLessThan(8);
	});

	test('§8.1 costs one reading a second where less than half of the limit is left for others', async () => {
		await listen({ ...LITERAL, requestLimits: { all: 12 }, memory: new ProcessMemory() });
		for (let count = 1; count <= 6; count += 1) await trigger.text(`text ${count}`);
		const beganAt = performance.now();
		const readings = await readingsOf(async () => {
			for (let count = 7; count <= 12; count += 1) await trigger.service.text(`text ${count}`);
			await trigger.settled();
			expect(n8n.items).toHaveLength(12);
			expect(n8n.items.filter((item) => item.conversation_handle === undefined)).toEqual([]);
		});
		expect(readings).toBeLessThan(3 + (performance.now() - beganAt) / SECOND_MS);
	});

	test.each([
		['its event says everything', 'generous', {}],
		['the messages are not to be completed', 'literal', { completeMessages: false }],
		['the item is the service’s own body', 'literal', { simplify: false }],
	] as const)('costs no reading where %s', async (_, character, options) => {
		await listen({ character }, { options });
		const readings = await readingsOf(async () => {
			await trigger.text('hello');
			expect('conversation_handle' in n8n.items[0]!).toBe(character === 'generous');
		});
		expect(readings).toBe(0);
	});
});

test.each(['status-500', 'html', 'reset-after', 'hang-after'] as const)(
	'a message starts the workflow within three seconds or so, where the history answers with %s',
	async (kind) => {
		await listen();
		await trigger.service.fault('/v2/messages', kind, 20);
		const beganAt = performance.now();
		await trigger.text('hello');
		expect(n8n.items).toMatchObject([{ content: 'hello' }]);
		expect(performance.now() - beganAt).toBeLessThan(10_000);
	},
);
