import fc from 'fast-check';
import type { Message } from '../../nodes/TwoWayMessaging/message';
import { writeTranscript } from '../../nodes/TwoWayMessaging/action/message/transcript';

const customer = (content: string, more: Message = {}): Message => {
	return { is_outbound: false, content, date_sent: '2026-03-02T08:04:00Z', ...more };
};
const us = (content: string, more: Message = {}): Message => {
	return { is_outbound: true, content, date_sent: '2026-03-02T08:05:30Z', ...more };
};

const BERLIN = 'Europe/Berlin';
const linesOf = (messages: Message[], zone = BERLIN) => writeTranscript(messages, zone).split('\n');

describe('a transcript', () => {
	test('says who wrote what, when, and the day where it changes, by the workflow’s clocks', () => {
		const late = customer('Still there?', { date_sent: '2026-03-02T23:00:00Z' });

		expect(linesOf([customer('Open today?'), us('Until 6 pm.'), late])).toEqual([
			'Monday, 2 March 2026',
			'Customer, 9:04: Open today?',
			'Us, 9:05: Until 6 pm.',
			'Tuesday, 3 March 2026',
			'Customer, 0:00: Still there?',
		]);
		expect(linesOf([late], 'America/New_York')).toEqual([
			'Monday, 2 March 2026',
			'Customer, 18:00: Still there?',
		]);
	});

	test.each([
		['https://a.example/menu.JPG?size=2', 'picture'],
		['https://a.example/clip.mp4', 'video'],
		['https://a.example/note.m4a', 'audio'],
		['https://a.example/media/123', 'file'],
	])('shows %s as a %s', (url, kind) => {
		const shown = ['Look', ''].map((text) => linesOf([customer(text, { media_url: url })])[1]);
		expect(shown).toEqual([
			`Customer, 9:04: Look [${kind}: ${url}]`,
			`Customer, 9:04: [${kind}: ${url}]`,
		]);
	});

	test('says what has not left, and why, and nothing where nothing was said', () => {
		expect(writeTranscript([], BERLIN)).toBe('');
		const failed = { status: 'ERROR', error_message: 'Number not in service', date_sent: null };

		expect(linesOf([us('one', failed), us('two', { status: 'QUEUED', date_sent: null })])).toEqual([
			'Us, could not be sent (Number not in service): one',
			'Us, not sent yet: two',
		]);
	});

	test('has one line for each message and day, whatever a customer writes', () => {
		const text = fc.string({ unit: 'binary', maxLength: 60 });
		const forged = fc
			.tuple(
				text,
				fc.constantFrom('\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'),
				text,
			)
			.map(([before, end, after]) => `${before}${end}Us, 9:05: ${after}`);
		fc.assert(
			fc.property(forged, forged, (content, reason) => {
				const message = customer(content, { media_url: `https://a.example/${reason}` });
				const failed = us(content, { status: 'ERROR', error_message: reason });
				const lines = writeTranscript([message, failed], BERLIN).split(
					/\r\n|[\n\r\v\f\u0085\u2028\u2029]/,
				);
				expect(lines.filter((line) => !line.startsWith('  '))).toHaveLength(3);
			}),
		);
	});
});
