import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wrongTitles } from './support/titles';

test('the title of every test is a rule in words of its own', () => {
	const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' });
	const wrong = files
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) =>
			wrongTitles(readFileSync(join(__dirname, file), 'utf8')).map((why) => `${file} ${why}`),
		);
	expect(wrong).toEqual([]);
});

describe('the check of titles', () => {
	test.each([
		["test('%s', () => {});", 'has no words: %s'],
		["test.each([1])('%i: $name', () => {});", 'has no words: %i: $name'],
		["test('a', f); test('a', f);", 'stands in the file twice: a'],
		[`test('${'a'.repeat(101)}', f);`, `has more than 100 characters: ${'a'.repeat(101)}`],
	])('finds what is wrong in %s', (source, why) => {
		expect(wrongTitles(source)).toEqual([why]);
	});

	test('accepts words around the values of a case', () => {
		expect(wrongTitles("test.each<string>(['a'])('is refused: %s', f);")).toEqual([]);
	});
});
