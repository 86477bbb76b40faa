import fc from 'fast-check';
import { toMessage } from '../nodes/TwoWayMessaging/message';

/** A field with `undefined` would show in the editor as a column without values. */
const withoutUndefined = (value: object) => JSON.parse(JSON.stringify(value)) as object;

describe('the one message shape', () => {
	test('§2.2 the answer to a send is taken as it is, nulls included', () => {
		const answer = {
			status: 'QUEUED',
			message_handle: '5d0f',
			to: '+15551230001',
			content: 'hello',
			service: null,
			is_outbound: true,
			error_message: null,
			date_sent: null,
		};

		expect(toMessage(answer)).toEqual(answer);
	});

	test('§6.2 an event says the same in other words: prefixes, text, channel, direction, lower case', () => {
		const event = {
			message_handle: 'msg_5d0f',
			direction: 'inbound',
			from: '+15551230001',
			to: '+15550100001',
			text: 'hi',
			channel: 'imessage',
			status: 'received',
			line_handle: 'line_7b1f',
		};

		expect(toMessage(event)).toEqual({
			message_handle: '5d0f',
			from: '+15551230001',
			to: '+15550100001',
			content: 'hi',
			service: 'iMessage',
			status: 'RECEIVED',
			is_outbound: false,
			line_handle: '7b1f',
		});
	});

	test('§6.3 the flat form is understood too', () => {
		const flat = {
			event: 'receive',
			message_handle: '5d0f',
			content: 'hi',
			media_url: null,
			service: 'SMS',
			is_outbound: false,
			status: 'RECEIVED',
			date_sent: '2026-01-01T00:00:00Z',
			conversation_handle: 'c1',
		};

		expect(toMessage(flat)).toEqual({
			message_handle: '5d0f',
			content: 'hi',
			media_url: null,
			service: 'SMS',
			is_outbound: false,
			status: 'RECEIVED',
			date_sent: '2026-01-01T00:00:00Z',
			conversation_handle: 'c1',
		});
	});

	test('a date that is a Unix time is written in ISO 8601, and another number is none', () => {
		const atMs = Date.UTC(2026, 0, 1);

		expect(toMessage({ date_sent: atMs / 1_000 })).toEqual({
			date_sent: '2026-01-01T00:00:00.000Z',
		});
		expect(toMessage({ date_sent: atMs })).toEqual({ date_sent: '2026-01-01T00:00:00.000Z' });
		expect(toMessage({ date_sent: 5 })).toEqual({});
	});

	test('a handle that is a number counts as its text', () => {
		const numbered = { message_handle: 41, conversation_handle: 42, line_handle: 0 };

		expect(toMessage(numbered)).toEqual({
			message_handle: '41',
			conversation_handle: '42',
			line_handle: '0',
		});
		expect(toMessage({ message_handle: Number.NaN, line_handle: Infinity })).toEqual({});
	});

	test('an unknown channel stays as it is', () => {
		expect(toMessage({ channel: 'carrier-pigeon' })).toEqual({ service: 'carrier-pigeon' });
	});

	test('what the service did not say is left out, and nothing throws, whatever comes', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
				const message = toMessage(fields);
				expect(withoutUndefined(message)).toEqual(message);
			}),
		);
	});
});

test.each([
	['the sender', { from_number: '+15551230001', is_outbound: false }, { from: '+15551230001' }],
	['the customer alone, who wrote', { number: '+1555', direction: 'in' }, { from: '+1555' }],
	['the customer alone, who was texted', { number: '+1555', direction: 'out' }, { to: '+1555' }],
	[
		'numbers in records',
		{ from: { number: '+1' }, to: { phone_number: '+2' } },
		{ from: '+1', to: '+2' },
	],
	['the text', { body: 'Hi' }, { content: 'Hi' }],
	[
		'a picture in a list',
		{ attachments: [{ url: 'https://a.example/1' }] },
		{ media_url: 'https://a.example/1' },
	],
	['no picture, by an empty list', { media: [] }, {}],
	['how far it has come', { delivery_status: 'sent' }, { status: 'SENT' }],
	['the same in a record', { status: { name: 'Delivered' } }, { status: 'DELIVERED' }],
])('a row of the history may have another name for %s', (_, fields, said) => {
	expect(toMessage(fields)).toMatchObject(said);
	if (Object.keys(said).length === 0) expect(toMessage(fields)).toEqual({});
});

test('a text under either name counts, also where the other name says that there is none', () => {
	expect(toMessage({ content: null, text: 'hello' }).content).toBe('hello');
	expect(toMessage({ content: 'hello', text: null }).content).toBe('hello');
	expect(toMessage({ content: null }).content).toBeNull();
	expect(toMessage({ service: null, channel: 'sms' }).service).toBe('SMS');
});
