import { derivedFields } from '../../nodes/TwoWayMessaging/trigger/begin/items';
import { readEvent } from '../../nodes/TwoWayMessaging/trigger/event';
import type { TriggerSettings } from '../../nodes/TwoWayMessaging/trigger/settings';
import { toItems } from '../../nodes/TwoWayMessaging/trigger/begin/items';

const customer = '+15551230001';
const line = '+15550100001';
const sessionOf = (message: object) => derivedFields(message).sessionId;

describe("what n8n's AI nodes look for", () => {
	test('is the text, and the conversation by its line and its customer', () => {
		expect(derivedFields({ from: customer, to: line, content: 'hi' })).toEqual({
			chatInput: 'hi',
			sessionId: '15550100001-15551230001',
		});
	});

	test('is the same conversation in both forms of an event, however they write the numbers', () => {
		const envelope = { from: customer, to: line, text: 'hi', line_handle: 'line_l1' };
		const forms = [
			{ type: 'receive', data: { message: { message_handle: 'msg_a', ...envelope } } },
			{ event: 'receive', message_handle: 'a', from: '+1 555 123 0001', to: line, content: 'hi' },
		].map(readEvent);
		const sessions = forms.map(
			(event) => event.kind === 'receive' && derivedFields(event.message).sessionId,
		);
		expect(sessions).toEqual(['15550100001-15551230001', '15550100001-15551230001']);
	});

	test('is another conversation on another line, and with another customer', () => {
		const one = sessionOf({ from: customer, to: line });
		expect(sessionOf({ from: customer, to: '+15550100002' })).not.toBe(one);
		expect(sessionOf({ from: '+15551230002', to: line })).not.toBe(one);
	});

	test('names the line by its ID where its number is not said, and no conversation without a customer', () => {
		expect(sessionOf({ from: customer, line_handle: 'l1' })).toBe('l1-15551230001');
		expect(sessionOf({ to: line })).toBeUndefined();
		expect(sessionOf({ from: customer })).toBeUndefined();
	});

	test('is the URL of a picture that comes without a text, and nothing where there is neither', () => {
		const picture = { content: null, media_url: 'https://x.example/a.jpg' };
		expect(derivedFields(picture)).toEqual({ chatInput: 'https://x.example/a.jpg' });
		expect(derivedFields({ content: '', media_url: null })).toEqual({});
	});
});

test('§1.5 an item says what a word of consent or a wish to be left alone means, and of no other text', () => {
	expect(derivedFields({ content: 'Stop.' })).toMatchObject({ consent: 'out' });
	expect(derivedFields({ content: 'START' })).toMatchObject({ consent: 'in' });
	expect(derivedFields({ content: 'stop it' })).toMatchObject({ consent: 'out?' });
	expect(derivedFields({ content: 'stop by at 5' })).not.toHaveProperty('consent');
});

test('texts that are combined opt out by the same words as a single one', () => {
	const event = readEvent({
		event: 'receive',
		message_handle: 'a',
		...{ from: customer, to: line, content: 'END' },
	});
	if (event.kind === 'unknown') throw new Error('The event is not known');
	const filters = { stopWords: ['BASTA'] } as unknown as TriggerSettings['filters'];
	const settings = { simplify: true, receiveBy: 'webhook' as const, filters };
	const arrival = { name: 'a', event, isFound: false };
	for (const conversation of [undefined, 'c']) {
		const [item] = toItems([{ arrival: { ...arrival, conversation }, index: 0 }], settings);
		expect(item?.json).toMatchObject({ content: 'END' });
		expect(item?.json.consent).toBeUndefined();
	}
});
