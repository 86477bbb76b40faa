import { basename } from 'node:path';
import oldestPlayground from '../playground/n8n-1/package.json';
import newestPlayground from '../playground/package.json';
import manifest from '../package.json';
import { filesIn, numbersIn, read } from './support/files';
import { tableRowsOf } from './support/markdown';

const PAGES = filesIn('decisions').filter((page) => page !== 'decisions/README.md');
const SOURCES = filesIn('nodes', '.ts');

const MILLISECONDS: Record<string, number> = {
	ms: 1,
	seconds: 1_000,
	minutes: 60_000,
	hours: 60 * 60_000,
};

const valuesOf = (name: string, inFile?: string) =>
	numbersIn(
		SOURCES.filter((path) => basename(path) === (inFile ?? basename(path))).map(read),
		name,
	);

/** A number with the constant that it is: 15 seconds (`ABANDONED_AFTER_MS`), 20,000 rows (`MOST_ROWS` in `check.ts`). */
const NAMED = /(\d[\d,]*) (\w+(?: \w+)?)\s+\(`([A-Z][A-Z_]+)`(?: in\s+`([\w.]+)`)?\)/g;

const numbers = PAGES.flatMap((page) =>
	[...read(page).matchAll(NAMED)].map(([, number = '', unit = '', name = '', file]) => ({
		said: `${number} ${unit}`,
		page,
		name,
		file,
		value:
			Number(number.replaceAll(',', '')) *
			(name.endsWith('_MS') ? (MILLISECONDS[unit] ?? Number.NaN) : 1),
	})),
);

describe('the decisions', () => {
	test.each(numbers)('$page: $said is $name of the code', ({ name, file, value }) => {
		expect(valuesOf(name, file)).toEqual([value]);
	});

	test('name no constant without its number', () => {
		const mentioned = PAGES.flatMap((page) => read(page).match(/\(`[A-Z]+_[A-Z_]+`/g) ?? []);
		expect(numbers).toHaveLength(mentioned.length);
		expect(numbers.length).toBeGreaterThan(20);
	});

	test('name the versions of n8n that are installed', () => {
		const page = read('decisions/0009-n8n-versions.md');
		expect(page).toContain(`newest n8n 1** (${oldestPlayground.dependencies.n8n})`);
		const oldest = manifest.devDependencies['n8n-workflow-1-86'].split('@').at(-1);
		expect(page).toContain(`oldest n8n-workflow** (${oldest})`);
		const [newest, newest1] = [newestPlayground, oldestPlayground].map(
			({ dependencies: { n8n } }) => n8n.replace(/\.\d+$/, ''),
		);
		expect(read('README.md')).toContain(
			`newest n8n 2 (${newest}) and the newest n8n 1 (${newest1})`,
		);
	});

	test('are all in the index, by their titles', () => {
		const listed = tableRowsOf(read('decisions/README.md')).map(([cell]) => cell);
		const titled = PAGES.map((page) => `[${/^# (.+)/.exec(read(page))?.[1]}](${basename(page)})`);
		expect(listed.sort()).toEqual(titled.sort());
	});
});
