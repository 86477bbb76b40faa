import { keptText } from '../../nodes/TwoWayMessaging/resources/message/keptText';

describe('a text is the same to any service', () => {
	test.each([
		['without the spaces around it', ' \n hello you \t', 'hello you'],
		['in one Unicode form', 'Cafe\u0301', 'Caf\u00e9'],
		['with one kind of line end', 'one\r\ntwo\rthree\nfour\r', 'one\ntwo\nthree\nfour'],
	])('%s', (_, text, kept) => {
		expect(keptText(text)).toBe(kept);
	});

	test.each([[undefined], [null], ['']])('as no text at all: %p', (text) => {
		expect(keptText(text)).toBe('');
	});
});
