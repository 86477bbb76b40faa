import { consentIn, wordOf } from '../../nodes/TwoWayMessaging/waiting/consent';

const OUT = ['STOP', 'stopall', 'Unsubscribe', 'CANCEL', 'end', 'quit'];

test.each([
	['out', OUT.flatMap((word) => [word, ` ${word}! `, `${word}?!.`])],
	['out', [`STOP${'!'.repeat(36)}`, `${' '.repeat(40)}STOP`]],
	['in', ['START', 'unstop']],
	['out?', ['stop texting me', 'Please stop', 'STOP 🛑', 'wrong number', `STOP${'!'.repeat(37)}`]],
	[undefined, [null, undefined, '', '!', 'stop by at 10', 'constructor']],
])('§1.5 what a text says about being texted is %s: %j', (consent, texts) => {
	expect(texts.filter((text) => consentIn(text) !== consent)).toEqual([]);
});

test('the word of a text has no marks behind it, unless marks are all that it says', () => {
	expect(['menu', ' menu ?', 'menu!.', '?', '?!', ''].map(wordOf)).toEqual([
		...['menu', 'menu', 'menu', '?', '?!', ''],
	]);
});
