import fc from 'fast-check';
import { toMessage, type Fields } from '../nodes/TwoWayMessaging/message';

/** A field with `undefined` would show in the editor as a column without values. */
const withoutUndefined = (value: object) => JSON.parse(JSON.stringify(value)) as object;

test('what the service did not say is left out, and nothing throws, whatever comes', () => {
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
			const message = toMessage(fields);
			expect(message).toStrictEqual(withoutUndefined(message));
		}),
	);
});

const AT_MS = Date.UTC(2026, 0, 1);
const AT = '2026-01-01T00:00:00.000Z';
const PICTURE = 'https://a.example/1';

test.each<[string, Fields, object]>([
	['another name for the sender', { from_number: '+1555', is_outbound: false }, { from: '+1555' }],
	['the customer alone, who wrote', { number: '+1555', direction: 'in' }, { from: '+1555' }],
	['the customer alone, who was texted', { number: '+1555', direction: 'out' }, { to: '+1555' }],
	['another name for the text', { body: 'Hi' }, { content: 'Hi' }],
	['no text under one name, and one under another', { content: null, text: 'a' }, { content: 'a' }],
	['no text under the other name', { content: 'a', text: null }, { content: 'a' }],
	['no text', { content: null }, { content: null }],
	['a picture in a list', { attachments: [{ url: PICTURE }] }, { media_url: PICTURE }],
	['no picture, by an empty list', { media: [] }, {}],
	['another name for how far it has come', { delivery_status: 'sent' }, { status: 'SENT' }],
	[
		'the channel under one name, and none under the other',
		{ service: null, channel: 'sms' },
		{ service: 'SMS' },
	],
	['a channel that is not known', { channel: 'carrier-pigeon' }, { service: 'carrier-pigeon' }],
	['a handle that is a number', { message_handle: 41 }, { message_handle: '41' }],
	['a handle that is zero', { line_handle: 0 }, { line_handle: '0' }],
	['handles that are none', { message_handle: Number.NaN, line_handle: Infinity }, {}],
	['a date that is a Unix time', { date_sent: AT_MS / 1_000 }, { date_sent: AT }],
	['the same in milliseconds', { date_sent: AT_MS }, { date_sent: AT }],
	['a date that is another number', { date_sent: 5 }, {}],
])('a row of the history may have %s', (_, fields, said) => {
	const message = toMessage(fields);
	// Who wrote it has tests of its own.
	expect({ ...message, is_outbound: undefined }).toEqual(said);
});
