import {
	keyOfSend,
	SendsInFlight,
} from '../../nodes/TwoWayMessaging/resources/message/sendsInFlight';

describe('the sends that are on their way', () => {
	let sends: SendsInFlight;

	beforeEach(() => {
		sends = new SendsInFlight();
	});

	test('are none before the first begins, and after the last has ended', () => {
		expect(sends.ended('a')).toBeUndefined();
		const endFirst = sends.begin('a');
		const endSecond = sends.begin('a');
		endFirst();
		expect(sends.ended('a')).toBeDefined();
		endSecond();
		expect(sends.ended('a')).toBeUndefined();
	});

	test('have ended when all of them have', async () => {
		const ends = [sends.begin('a'), sends.begin('a')];
		let areEnded = false;
		const waiting = sends.ended('a')?.then(() => {
			areEnded = true;
		});

		ends[1]?.();
		await new Promise((resolve) => setImmediate(resolve));
		expect(areEnded).toBe(false);

		ends[0]?.();
		await waiting;
		expect(areEnded).toBe(true);
	});

	test('are told apart by their keys', () => {
		sends.begin('a');
		expect(sends.ended('b')).toBeUndefined();
	});

	test('end once, however often one of them is ended', () => {
		const end = sends.begin('a');
		end();
		sends.begin('a');
		end();
		expect(sends.ended('a')).toBeDefined();
	});
});

describe('two messages cannot be told apart in the history', () => {
	const MESSAGE = { number: '+15551230001', content: 'hello' };
	const key = keyOfSend('a', MESSAGE);

	test.each([
		['that differ in what no service keeps', { ...MESSAGE, content: ' hello\n' }],
		['that leave from two lines', { ...MESSAGE, line_handle: 'l2' }],
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
		['media in one of them', { ...MESSAGE, media_url: 'https://one.example' }],
	])('unless they have %s', (_, other) => {
		expect(keyOfSend('a', other)).not.toBe(key);
	});

	test('unless two accounts send them', () => {
		expect(keyOfSend('b', MESSAGE)).not.toBe(key);
	});
});
