import { consentIn, wordOf } from '../../nodes/TwoWayMessaging/waiting/consent';

describe('§1.5 what a text says about being texted', () => {
	test.each(['STOP', 'stopall', 'Unsubscribe', 'CANCEL', 'end', 'quit'])(
		'is “no more” for “%s”, also with marks and spaces around it',
		(word) => {
			expect([word, ` ${word}! `, `${word}?!.`].map((said) => consentIn(said))).toEqual([
				'out',
				'out',
				'out',
			]);
		},
	);

	test.each(['START', 'unstop'])('is “again” for “%s”', (word) => {
		expect(consentIn(word)).toBe('in');
	});

	test.each(['stop texting me', 'Please stop', 'STOP 🛑', 'wrong number', `STOP${'!'.repeat(37)}`])(
		'is perhaps “no more” for a sentence that asks to be left alone: %j',
		(content) => {
			expect(consentIn(content)).toBe('out?');
		},
	);

	test.each([null, undefined, '', '!', 'stop by at 10', 'constructor'])(
		'is nothing for %j',
		(content) => {
			expect(consentIn(content)).toBeUndefined();
		},
	);

	test('is found in a text of 40 letters without the spaces around it, and not looked for in a longer one', () => {
		expect(consentIn(`STOP${'!'.repeat(36)}`)).toBe('out');
		expect(consentIn(`${' '.repeat(40)}STOP`)).toBe('out');
	});
});

test('the word of a text has no marks behind it, unless marks are all that it says', () => {
	expect(['menu', ' menu ?', 'menu!.', '?', '?!', ''].map(wordOf)).toEqual([
		...['menu', 'menu', 'menu', '?', '?!', ''],
	]);
});
