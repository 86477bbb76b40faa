import type { Arrival } from '../../../nodes/TwoWayMessaging/trigger/handover';
import { toOutputItems } from '../../../nodes/TwoWayMessaging/trigger/texts/combineTexts';

const ANNA = '+15551230001 +15550100001';
const BEN = '+15551230002 +15550100001';

/** A text as `execute()` receives it, with the index of its item. */
const text = (
	handle: string,
	{ conversation = ANNA, writtenAt, index = 0, ...output }: Partial<ArrivalOf> = {},
): Arrival => ({
	item: { json: {} },
	index,
	handover: {
		kind: 'event',
		name: `receive:${handle}`,
		isMissed: false,
		output: { event: 'receive', message_handle: handle, content: handle, ...output },
		text: { conversation, isLive: true, ...(writtenAt && { writtenAt }) },
	},
});
type ArrivalOf = {
	conversation: string;
	writtenAt: string;
	index: number;
	[field: string]: unknown;
};

const combined = (...arrivals: Arrival[]) => toOutputItems(arrivals, true).map(({ json }) => json);

describe('the texts of a burst as one item', () => {
	test('is the newest message, with the content of all texts, a line each', () => {
		const [item, ...others] = combined(
			text('a', { content: 'Hi', date_sent: '1', writtenAt: '2026-01-01T10:00:00Z' }),
			text('b', { content: 'is it open', date_sent: '2', writtenAt: '2026-01-01T10:00:01Z' }),
		);
		expect(others).toEqual([]);
		expect(item).toMatchObject({
			event: 'receive',
			message_handle: 'b',
			date_sent: '2',
			content: 'Hi\nis it open',
		});
	});

	test('lists in messages the fields in which the texts differ, and no others', () => {
		const [item] = combined(
			text('a', { event_id: 'evt_a', recovered: false, from: '+1', media_url: null }),
			text('b', { event_id: 'evt_b', recovered: true, from: '+1', created_at: 'then' }),
		);
		expect(item?.messages).toEqual([
			{ message_handle: 'a', content: 'a', event_id: 'evt_a', recovered: false, media_url: null },
			{ message_handle: 'b', content: 'b', event_id: 'evt_b', recovered: true, created_at: 'then' },
		]);
	});

	test('lists the texts in the order in which they were written, however they came', () => {
		const [item] = combined(
			text('c', { writtenAt: '2026-01-01T10:00:02.5Z' }),
			text('a', { writtenAt: '2026-01-01T11:00:00+01:00' }),
			text('b', { writtenAt: '2026-01-01T10:00:01Z' }),
		);
		expect(item?.content).toBe('a\nb\nc');
	});

	test('lists texts with the same time, or none, in the order in which they came', () => {
		const at = { writtenAt: '2026-01-01T10:00:00Z' };
		const [item] = combined(text('a', at), text('b'), text('c', at), text('d'));
		expect(item?.content).toBe('a\nb\nc\nd');
	});

	test('keeps every picture, and the latest one where a single message would have it', () => {
		const [item] = combined(
			text('a', { content: null, media_url: 'https://example.com/1.png' }),
			text('b', { content: 'this one', media_url: 'https://example.com/2.png' }),
			text('c', { content: '', media_url: null }),
		);
		expect(item).toMatchObject({
			content: 'this one',
			media_url: 'https://example.com/2.png',
			messages: [
				{ media_url: 'https://example.com/1.png' },
				{ media_url: 'https://example.com/2.png' },
				{ media_url: null },
			],
		});
	});

	test('leaves content as the service gave it where there are only pictures', () => {
		const [item] = combined(text('a', { content: null }), text('b', { content: null }));
		expect(item?.content).toBeNull();
	});

	test('says recovered when a check found any of them', () => {
		const [item] = combined(text('a', { recovered: true }), text('b', { recovered: false }));
		expect(item?.recovered).toBe(true);
	});

	test('has the same form when there is only one text', () => {
		expect(combined(text('a', { recovered: false }))).toEqual([
			{
				event: 'receive',
				message_handle: 'a',
				content: 'a',
				chatInput: 'a',
				recovered: false,
				messages: [{ message_handle: 'a', content: 'a', recovered: false }],
			},
		]);
	});

	test('contains the bodies of the service, and nothing else, where the node does not simplify', () => {
		const bodies = [{ id: 'evt_a', data: {} }, { id: 'evt_b' }];
		const arrivals = bodies.map((body): Arrival => {
			const arrival = text('a');
			const { handover } = arrival;
			return { ...arrival, handover: { ...handover, output: body } as typeof handover };
		});
		expect(toOutputItems(arrivals, false)[0]?.json).toEqual({ messages: bodies });
	});
});

describe('the output of the trigger', () => {
	test('has one item for each conversation, linked to all items that it is made of', () => {
		const items = toOutputItems(
			[
				text('a', { index: 0 }),
				text('b', { conversation: BEN, index: 1 }),
				text('c', { index: 2 }),
			],
			true,
		);
		expect(items).toMatchObject([
			{ json: { content: 'a\nc' }, pairedItem: [{ item: 0 }, { item: 2 }] },
			{ json: { content: 'b' }, pairedItem: { item: 1 } },
		]);
	});

	test('has one item for every other event, and none for a handover that only makes n8n save', () => {
		const event: Arrival = {
			item: { json: {} },
			index: 0,
			handover: {
				kind: 'event',
				name: 'outbound:a',
				isMissed: false,
				output: { event: 'outbound' },
			},
		};
		const foreign: Arrival = { item: { json: { by: 'hand' } }, index: 1 };
		const save: Arrival = { item: { json: {} }, index: 2, handover: { kind: 'save' } };
		expect(toOutputItems([event, foreign, save], true)).toEqual([
			{ json: { event: 'outbound' }, pairedItem: { item: 0 } },
			{ json: { by: 'hand' } },
		]);
	});
});
