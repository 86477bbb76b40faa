import { derivedFields, toItems } from '../../nodes/TwoWayMessaging/trigger/begin/items';
import { readEvent, type ServiceEvent } from '../../nodes/TwoWayMessaging/trigger/event';
import type { TriggerSettings } from '../../nodes/TwoWayMessaging/trigger/settings';

const from = '+15551230001';
const to = '+15550100001';
const sessionId = '15550100001-15551230001';
const read = (body: object) => readEvent(body) as ServiceEvent;

describe("what n8n's AI nodes look for", () => {
	test.each<[string, object, object]>([
		['the text and the conversation', { from, to, content: 'hi' }, { chatInput: 'hi', sessionId }],
		['on another line', { from, to: '+15550100002' }, { sessionId: '15550100002-15551230001' }],
		['of another customer', { from: '+15551', to }, { sessionId: '15550100001-15551' }],
		['the line by its ID', { from, line_handle: 'l1' }, { sessionId: 'l1-15551230001' }],
		['no conversation without a customer', { to }, {}],
		['no conversation without a line', { from }, {}],
		['the URL of a picture', { content: null, media_url: 'x.jpg' }, { chatInput: 'x.jpg' }],
		['nothing where there is neither', { content: '', media_url: null }, {}],
	])('is %s: %j', (_, message, fields) => {
		expect(derivedFields(message)).toEqual(fields);
	});

	test('is the same conversation in both forms of an event, however they write the numbers', () => {
		const message = { message_handle: 'msg_a', from, to, text: 'hi', line_handle: 'line_l1' };
		const flat = { message_handle: 'a', from: '+1 555 123 0001', to, content: 'hi' };
		const sessions = [
			{ type: 'receive', data: { message } },
			{ event: 'receive', ...flat },
		]
			.map(read)
			.map((event) => event.kind === 'receive' && derivedFields(event.message).sessionId);
		expect(sessions).toEqual(Array(2).fill(sessionId));
	});
});

test('§1.5 an item says what a word of consent or a wish to be left alone means, and of no other text', () => {
	const consents = ['Stop.', 'START', 'stop it', 'stop by at 5'].map(
		(content) => derivedFields({ content }).consent,
	);
	expect(consents).toEqual(['out', 'in', 'out?', undefined]);
});

test('texts that are combined opt out by the same words as a single one', () => {
	const event = read({ event: 'receive', message_handle: 'a', from, to, content: 'END' });
	const filters = { stopWords: ['BASTA'] };
	const settings = { simplify: true, receiveBy: 'webhook', filters } as unknown as TriggerSettings;
	for (const conversation of [undefined, 'c']) {
		const arrival = { name: 'a', event, isFound: false, conversation };
		const [item] = toItems([{ arrival, index: 0 }], settings);
		expect(item?.json).toMatchObject({ content: 'END' });
		expect(item?.json.consent).toBeUndefined();
	}
});
