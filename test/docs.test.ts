import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { TwoWayMessagingApi } from '../credentials/TwoWayMessagingApi.credentials';
import actionCodex from '../nodes/TwoWayMessaging/TwoWayMessaging.node.json';
import triggerCodex from '../nodes/TwoWayMessaging/TwoWayMessagingTrigger.node.json';
import { properties as triggerProperties } from '../nodes/TwoWayMessaging/trigger/properties';
import manifest from '../package.json';
import { filesIn, read, ROOT } from './support/files';
import { sectionsOf, tableRowsOf, targetsOf, textBelow } from './support/markdown';
import { fieldsOf, OPERATIONS } from './support/operations';
import { loggedIn, sentencesOf } from './support/sentences';
import { examples } from './support/workflowFiles';

const MAX_PICTURE_BYTES = 1_300_000;
const MAX_MOVING_BYTES = 1_500_000;

const DOCUMENTS = [
	'README.md',
	'CONTRIBUTING.md',
	'CHANGELOG.md',
	'SECURITY.md',
	'CODE_OF_CONDUCT.md',
	'sandbox/README.md',
	'bench/README.md',
	...filesIn('docs', '.md'),
	...filesIn('decisions', '.md'),
];
const SOURCES = [...filesIn('nodes', '.ts'), ...filesIn('credentials', '.ts')];

const anchorsOf = (path: string) => sectionsOf(read(path)).map(({ anchor }) => anchor);

/** Why a link is broken; undefined when its target exists, or is outside this project. */
function broken(document: string, target: string): string | undefined {
	if (/^(https?|mailto):/.test(target)) return undefined;
	const [path = '', anchor] = target.split('#');
	const file = path === '' ? document : normalize(join(dirname(document), path));
	if (file.startsWith('..') || !existsSync(join(ROOT, file))) return `${target}: no such file`;
	if (anchor === undefined || anchorsOf(file).includes(anchor)) return undefined;
	return `${target}: no such heading`;
}

describe.each(DOCUMENTS)('%s', (document) => {
	const text = read(document);

	test('leads to files and headings that exist', () => {
		expect(targetsOf(text).flatMap((target) => broken(document, target) ?? [])).toEqual([]);
	});

	test('names only commands that package.json has', () => {
		const named = [...text.matchAll(/\bnpm (?:run ([\w:]+)|(start|test)\b)/g)];
		const scripts = named.map(([, run, short]) => run ?? short ?? '');
		expect(scripts.filter((script) => !(script in manifest.scripts))).toEqual([]);
	});
});

const OVERVIEW = 'docs/README.md';

/** The files that a page leads to, by their paths from the root. */
const filesLedTo = (page: string) =>
	targetsOf(read(page)).map((target) => normalize(join(dirname(page), target.replace(/#.*$/, ''))));

test.each(['README.md', OVERVIEW])('%s leads to every page', (page) => {
	const others = filesIn('docs', '.md').filter((other) => other !== page);
	expect(others.filter((other) => !filesLedTo(page).includes(other))).toEqual([]);
});

/** The sentences of a page, cells of tables among them; a piece of code counts as a word. */
function sentencesOfPage(page: string): string[] {
	const text = read(page)
		.replace(/^( *)```[\s\S]*?^\1```$/gm, '')
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/`[^`\n]*`/g, 'CODE');
	return text
		.split(/\n\s*\n|\n(?=\s*(?:[-#>|]|\d+\.) )|^\| | \| | \|$/m)
		.flatMap((block) => block.split(/(?<=[.!?])["”*)]*\s+(?=["“(*]*[A-Z0-9])/));
}

const countWords = (text: string) => text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;

describe('pages for people', () => {
	const FOR_DEVELOPERS = ['docs/assumptions.md', 'docs/service.md', 'docs/verification.md'];
	const pages = ['README.md', ...filesIn('docs', '.md')].filter(
		(page) => !FOR_DEVELOPERS.includes(page),
	);

	test('have fewer than 15,000 words, as what nobody reads to its end is not said', () => {
		const words = pages.flatMap((page) => read(page).split(/\s+/).filter(Boolean));
		expect(words.length).toBeLessThan(15_000);
	});

	test.each(pages)('%s has no sentence that has to be read twice', (page) => {
		expect(sentencesOfPage(page).filter((sentence) => countWords(sentence) > 35)).toEqual([]);
	});

	test.each(pages)('%s cites no section of a document that its readers do not have', (page) => {
		expect(read(page)).not.toMatch(/§\d/);
	});

	test.each(pages)('%s names both variables with which n8n is told its public URL', (page) => {
		const text = read(page);
		const isOldNamed = /(?<!N8N_)WEBHOOK_URL/.test(text);
		const isNewNamed = /N8N_WEBHOOK_URL/.test(text);
		expect(isNewNamed).toBe(isOldNamed);
	});

	test('promise nothing outside of the page about what is promised', () => {
		const promising = pages.filter((page) =>
			sectionsOf(read(page)).some(({ heading }) => /^What is promised/.test(heading)),
		);
		expect(promising).toEqual(['docs/promises.md']);
	});
});

test('the list of questions leads to every recipe', () => {
	const recipes = sectionsOf(read('docs/recipes.md')).filter(
		({ heading }) => heading !== 'Recipes',
	);
	const led = targetsOf(read(OVERVIEW));
	expect(
		recipes.map(({ anchor }) => anchor).filter((one) => !led.includes(`recipes.md#${one}`)),
	).toEqual([]);
	expect(recipes.length).toBeGreaterThan(15);
});

test('the beginning of the README leads to what people ask first in one click', () => {
	const [beginning = ''] = read('README.md').split('\n## ');
	expect(targetsOf(beginning)).toEqual(
		expect.arrayContaining([
			'docs/recipes.md#find-an-operator-and-know-what-it-costs',
			'docs/troubleshooting.md#my-workflow-does-not-start',
			'docs/troubleshooting.md#my-answer-was-not-taken',
			...['a-public-url', 'before-you-go-live', 'uninstalling'].map(
				(place) => `docs/your-own-n8n.md#${place}`,
			),
			...['how-long-a-list-takes', 'stop'].map((place) => `docs/texting-people.md#${place}`),
		]),
	);
});

test.each(filesIn('docs', '.md').filter((page) => read(page).split('\n').length > 60))(
	'%s, which is longer than a screen, begins with what is on it',
	(page) => {
		const [beginning = ''] = read(page).split('\n## ');
		const chapters = [...read(page).matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
		const anchors = sectionsOf(read(page))
			.filter(({ heading }) => chapters.includes(heading))
			.map(({ anchor }) => `#${anchor}`);
		const led = targetsOf(beginning);
		expect(anchors.filter((anchor) => !led.includes(anchor))).toEqual([]);
	},
);

test('the README has a row for every example, under the name that n8n shows, with what it needs', () => {
	const rows = tableRowsOf(textBelow(read('README.md'), 'examples'));
	for (const { file, text, workflow } of examples()) {
		const [cell = '', , needs = ''] = rows.find(([one = '']) => one.includes(`/${file})`)) ?? [];
		const [, title] = /^\[(.+)\]/.exec(cell) ?? [];
		expect(workflow.name).toContain(title ?? `a row for ${file}`);
		const isWaiting = text.includes('"sendAndWait"') && /"(limitWaitTime|expected)"/.test(text);
		expect([
			file,
			...['n8n 2.39', 'Data Table', 'AI model'].map((need) => needs.includes(need)),
		]).toEqual([file, isWaiting, text.includes('.dataTable"'), /"[^"]*lmChat\w*"/.test(text)]);
	}
});

test("the Docs link of n8n's panels opens the page about its node, at a heading that exists", () => {
	const repository = manifest.homepage.replace('#readme', '');
	const placeOf = (url: string) =>
		url.replace(`${repository}/blob/HEAD/`, '').replace(repository, 'README.md');
	const first = ([one]: Array<{ url: string }>) => placeOf(one?.url ?? '');

	expect(first(triggerCodex.resources.primaryDocumentation)).toBe('docs/trigger.md');
	expect(first(actionCodex.resources.primaryDocumentation)).toBe('docs/operations.md');
	const urls = [actionCodex, triggerCodex].flatMap(({ resources }) =>
		[...resources.credentialDocumentation, ...resources.primaryDocumentation].map(({ url }) => url),
	);
	urls.push(new TwoWayMessagingApi().documentationUrl);
	expect(urls.flatMap((url) => broken('README.md', placeOf(url)) ?? [])).toEqual([]);
});

test('every picture is shown on a page', () => {
	const shown = [...filesLedTo('README.md'), ...filesIn('docs', '.md').flatMap(filesLedTo)];
	const pictures = ['.png', '.svg', '.webp'].flatMap((ending) => filesIn('docs', ending));
	expect(pictures.filter((picture) => !shown.includes(picture))).toEqual([]);
});

test.each([
	['.png', MAX_PICTURE_BYTES],
	['.webp', MAX_MOVING_BYTES],
])('the pictures that end with %s are small', (ending, most) => {
	const bytes = filesIn('docs', ending).map((path) => statSync(join(ROOT, path)).size);
	expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(most);
	expect(bytes.length).toBeGreaterThan(0);
});

/** The choices of a dropdown; lists that n8n or the service fill in have none here, nor has the list of countries. */
const choicesOf = ({ name: field, type, options = [] }: INodeProperties) =>
	(type === 'options' && field !== 'numberCountry') || type === 'multiOptions'
		? options.map(({ name }) => name)
		: [];

/** The labels that a text lacks in bold, and the choices that it lacks anywhere. */
function unsaid(fields: INodeProperties[], text: string): string[] {
	return fieldsOf(fields, '')
		.filter(({ field }) => !['notice', 'collection'].includes(field.type))
		.flatMap(({ field }) => [
			...(text.includes(`**${field.displayName}**`) ? [] : [field.displayName]),
			...choicesOf(field).filter((choice) => !text.includes(choice)),
		]);
}

describe('the pages about operations', () => {
	const pages = ['docs/operations.md', 'docs/send.md', 'docs/send-and-wait.md'].map(read);
	const sections = pages.flatMap(sectionsOf);

	test.each(OPERATIONS)('explain every field of $heading, with an example', (operation) => {
		const text = sections.find(({ heading }) => heading === operation.heading)?.text ?? '';
		expect(unsaid(operation.fields, text)).toEqual([]);
		expect(text).toContain('**Example');
	});

	/** Items are shown of these, the others put out the same. */
	const SHOWN = OPERATIONS.filter(({ heading }) => !/Reply|Line: Get Many/.test(heading));

	test.each(SHOWN)('show items of $heading with fields that it puts out', (operation) => {
		const { heading } = operation;
		const page = pages.find((text) => new RegExp(`^#+ ${heading}$`, 'm').test(text)) ?? '';
		const [, section = ''] = page.split(new RegExp(`^#+ ${heading}$`, 'm'));
		const own = heading.includes('Send') ? section : (section.split('\n## ')[0] ?? '');
		const items = [...own.matchAll(/```json\n([\s\S]*?)```/g)].map(
			([, json = '']) => JSON.parse(json) as object,
		);
		const { properties } = JSON.parse(
			read(
				`nodes/TwoWayMessaging/__schema__/v1.0.0/${operation.resource}/${operation.operation}.json`,
			),
		) as { properties: object };
		expect(items).not.toEqual([]);
		expect(items.flatMap(Object.keys).filter((field) => !(field in properties))).toEqual([]);
	});

	test('have a section, and a row in the table at the beginning, for each operation and no other', () => {
		const [beginning = ''] = read('docs/operations.md').split('\n## ');
		const listed = tableRowsOf(beginning).map(([cell]) => /\[(.+)\]/.exec(cell ?? '')?.[1]);
		const headings = sections.map(({ heading }) => heading).filter((name) => name.includes(': '));
		const all = OPERATIONS.map(({ heading }) => heading).sort();
		expect([listed.sort(), headings.sort()]).toEqual([all, all]);
	});
});

test('docs/trigger.md explains every field, event and option of the trigger', () => {
	expect(unsaid(triggerProperties, read('docs/trigger.md'))).toEqual([]);
});

test('the README calls the action of its first workflow as the list of n8n does', () => {
	const [, named = ''] = /search again, and choose \*([^*]+)\*/.exec(read('README.md')) ?? [];
	expect(OPERATIONS.map(({ action }) => action)).toContain(named);
});

test('the README explains every field of the credential', () => {
	const text = textBelow(read('README.md'), 'credential');
	const labels = new TwoWayMessagingApi().properties.map(({ displayName }) => displayName);
	expect(labels.filter((label) => !text.includes(`**${label}**`))).toEqual([]);
});

describe('the pages about messages', () => {
	const inCode = [...new Set(SOURCES.flatMap((path) => sentencesOf(path, read(path))))];
	const firstCells = (text: string) =>
		tableRowsOf(text).map(([cell = '']) => cell.replace(/^(↳ )?(… )?/, ''));
	const executions = firstCells(
		textBelow(read('docs/troubleshooting.md'), 'an-execution-without-items'),
	);
	const explained = [...firstCells(read('docs/messages.md')), ...executions];

	test('explain no message that is gone', () => {
		expect(explained.filter((sentence) => !inCode.includes(sentence))).toEqual([]);
		expect(explained.length).toBeGreaterThan(15);
	});

	test('have every line of the log in the section about the log, and nothing else', () => {
		const logged = SOURCES.flatMap((path) => loggedIn(path, read(path)));
		const inSection = (anchor: string) => firstCells(textBelow(read('docs/messages.md'), anchor));
		const log = inSection('in-n8ns-log');
		expect(inSection('in-a-node').filter((line) => logged.includes(line))).toEqual([]);
		expect(log.filter((line) => logged.includes(line)).length).toBeGreaterThan(3);
	});

	test('explain every reason for which an execution ends at the trigger', () => {
		const path = 'nodes/TwoWayMessaging/trigger/begin/begin.ts';
		const logged = loggedIn(path, read(path));
		const reasons = sentencesOf(path, read(path)).filter((one) => !logged.includes(one));
		expect(executions.sort()).toEqual(reasons.sort());
	});
});

test('a message says itself what to do, so that nobody has to look it up', () => {
	const said = SOURCES.flatMap(
		(path) => read(path).match(/(new Node(Operation|Api)Error|throw refusal)\([^;]*/g) ?? [],
	).filter((made) => /['"`]/.test(made));
	const silent = said.filter(
		(made) => !/description|advice|refusalWords|noChoice|[.}] (Set|Choose) /.test(made),
	);
	expect(silent).toEqual(["new NodeOperationError(node, 'The execution was canceled')"]);
	expect(said.length).toBeGreaterThan(15);
});

describe('docs/promises.md', () => {
	const promised = tableRowsOf(read('docs/promises.md')).map(([cell = '']) =>
		cell.replaceAll('*', ''),
	);
	const folder = 'test/integration/promises';

	test('has eight promises, each of one sentence with its limits, on one screen', () => {
		expect(promised).toHaveLength(8);
		expect(countWords(read('docs/promises.md'))).toBeLessThan(600);
	});

	test('promises nothing that has no tests of its own, and neither do its edges', () => {
		const tested = filesIn(folder, '.test.ts').flatMap(
			(path) => /^\/\* (.+)\. \*\/$/m.exec(read(path))?.[1] ?? [],
		);
		const edges = sectionsOf(read('decisions/0025-edges-of-the-promises.md'))
			.map(({ heading }) => heading)
			.filter((heading) => promised.includes(heading));
		const untested = promised.filter((one) => !tested.includes(one));
		expect(untested).toEqual([]);
		expect(edges.length).toBeGreaterThan(4);
	});
});

test('docs/service.md has every section of the service that the code and the tests cite', () => {
	const page = read('docs/service.md');
	const cited = [
		...filesIn('nodes', '.ts'),
		...filesIn('sandbox/src', '.ts'),
		...filesIn('test', '.ts'),
	]
		.flatMap((path) => read(path).match(/§\d(?:\.\d)?/g) ?? [])
		.map((section) => section.slice(1));
	const missing = [...new Set(cited)].filter(
		(section) => !new RegExp(`^(#+|\\|) ${section.replace('.', '\\.')} `, 'm').test(page),
	);
	expect(missing).toEqual([]);
	expect(new Set(cited).size).toBeGreaterThan(40);
});

describe('docs/verification.md', () => {
	const page = read('docs/verification.md');

	test('has one row for everything that is used of n8n beyond its documentation', () => {
		const rows = tableRowsOf(
			sectionsOf(page).find(({ anchor }) => /^what-is-used/.test(anchor))?.text ?? '',
		);
		const used = filesIn('nodes/TwoWayMessaging/n8n', '.ts').map((path) => `\`${basename(path)}\``);
		expect(rows.map(([, file]) => file)).toEqual(used);
	});

	test("names the version of n8n's rules that is installed", () => {
		expect(page).toContain(
			`community-nodes\` ${manifest.devDependencies['@n8n/eslint-plugin-community-nodes']}`,
		);
	});
});

test('docs/assumptions.md has one row for every assumption in the code, and names its file', () => {
	const folder = 'nodes/TwoWayMessaging/';
	const inCode = SOURCES.flatMap((path) =>
		[...read(path).matchAll(/\bassumption:/g)].map(() => path.replace(folder, '')),
	);
	const rows = tableRowsOf(read('docs/assumptions.md'));
	const listed = rows.map((cells) => cells.at(-1)?.replaceAll('`', ''));
	expect(listed.sort()).toEqual(inCode.sort());
});
