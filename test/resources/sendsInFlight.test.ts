import { keyOfSend } from '../../nodes/TwoWayMessaging/resources/message/sendsInFlight';

describe('two messages cannot be told apart in the history', () => {
	const MESSAGE = { number: '+15551230001', content: 'hello' };
	const key = keyOfSend('a', MESSAGE);

	test.each([
		['that differ in what no service keeps', { ...MESSAGE, content: ' hello\n' }],
		['that leave from two lines', { ...MESSAGE, line_handle: 'l2' }],
		[
			'of which one has media, as rows may say nothing of it',
			{ ...MESSAGE, media_url: 'https://one.example' },
		],
	])('%s', (_, other) => {
		expect(keyOfSend('a', other)).toBe(key);
	});

	test('whose media have two URLs', () => {
		const withMedia = (url: string) => keyOfSend('a', { ...MESSAGE, media_url: url });
		expect(withMedia('https://one.example')).toBe(withMedia('https://other.example'));
	});

	test.each([
		['two numbers', { ...MESSAGE, number: '+15551230002' }],
		['two texts', { ...MESSAGE, content: 'bye' }],
	])('unless they have %s', (_, other) => {
		expect(keyOfSend('a', other)).not.toBe(key);
	});

	test('unless two accounts send them', () => {
		expect(keyOfSend('b', MESSAGE)).not.toBe(key);
	});
});
