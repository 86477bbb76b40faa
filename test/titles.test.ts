import { filesIn, read } from './support/files';
import { titled } from './support/testAt';

/** How many characters a title may have, so that a line of a report holds it. */
const LONGEST = 100;

/** Nothing but what stands for a case's values. */
const BARE = /^[^\p{L}]*(?:(?:%[a-zA-Z]|\$[\w.]+)[^\p{L}]*)+$/u;

/** What is wrong with the titles of the tests in a source file. */
function wrongTitles(source: string): string[] {
	const titles = titled(source)
		.filter(({ maker }) => !maker.startsWith('describe'))
		.map(({ title }) => title.replaceAll('\\', ''));
	return titles.flatMap((title, at) => {
		if (BARE.test(title)) return [`has no words: ${title}`];
		if ([...title].length > LONGEST) return [`has more than ${LONGEST} characters: ${title}`];
		return titles.indexOf(title) < at ? [`stands in the file twice: ${title}`] : [];
	});
}

test('the title of every test is a rule in words of its own', () => {
	const wrong = filesIn('test', '.ts').flatMap((file) =>
		wrongTitles(read(file)).map((why) => `${file} ${why}`),
	);
	expect(wrong).toEqual([]);
});
