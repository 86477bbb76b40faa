import { titlesAt } from './testAt';

const SOURCE = `describe('the reply', () => {
	const line = 1;

	test('goes to (the) customer', () => {
		expect(line).toBe(1);
	});

	test.each([
		['en', 1],
		['de', 2],
	])('says %s in \${line} languages', (language) => {
		expect(language).toHaveLength(2);
	});
});
`;

describe('the test at a line', () => {
	test.each([
		['inside of a test', 5, 'the reply goes to \\(the\\) customer'],
		['between the tests of a group', 2, 'the reply'],
		['in the cases of a test', 9, 'the reply says .* in .* languages'],
		['in a test of several cases', 12, 'the reply says .* in .* languages'],
		['behind everything', 15, undefined],
	])('is found by its titles: %s', (_where, line, titles) => {
		expect(titlesAt(SOURCE, line)).toBe(titles);
	});
});
