import { comparableText } from '../nodes/TwoWayMessaging/comparableText';

test.each([
	['in capitals', 'STOP', 'stop'],
	['with other spaces', ' I\u00a0 am\tlate\n', 'i am late'],
	['with another apostrophe', 'I’m ‘late`', "i'm 'late'"],
	['with wide letters', 'Ｙｅｓ', 'yes'],
	['with an accent of its own', 'cafe\u0301', 'caf\u00e9'],
	['with signs that nobody sees', 'y\u200be\u00ads\ufeff', 'yes'],
	['with a picture in another colour or form', '👍🏽 ❤️ 1️⃣', '👍 ❤ 1'],
])('a text is the same %s', (_, text, comparable) => {
	expect(comparableText(text)).toBe(comparable);
	expect(comparableText(comparable)).toBe(comparable);
});

test('texts of other letters and pictures stay apart', () => {
	const texts = ['yes', 'yés', 'ye s', '👍', '👎', ''];
	expect(new Set(texts.map(comparableText)).size).toBe(texts.length);
});
