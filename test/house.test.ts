import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { circles, emptyNames, moduleState, wrongImports, type Tree } from './support/house';

const ROOT = join(__dirname, '..');
const FOLDERS = ['nodes', 'credentials', 'sandbox', 'playground', 'test', 'bench', 'docs'];
const NOT_OURS = ['node_modules', 'dist', 'coverage'];

/** Every file of the project below a folder, without what is installed or built. */
function filesBelow(folder: string): string[] {
	return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = posix.join(folder, entry.name);
		if (entry.name.startsWith('.') || NOT_OURS.includes(entry.name)) return [];
		return entry.isDirectory() ? filesBelow(path) : [path];
	});
}

const present = readdirSync(ROOT);
const files = FOLDERS.filter((folder) => present.includes(folder)).flatMap(filesBelow);
const sources = files.filter((path) => /\.[cm]?[jt]s$/.test(path));
const project: Tree = Object.fromEntries(
	sources.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
);

const published: Tree = Object.fromEntries(
	Object.entries(project).filter(([path]) => /^(nodes|credentials)\//.test(path)),
);

describe('the project', () => {
	test('every import points the way of the plan (CONTRIBUTING.md)', () => {
		expect(sources.length).toBeGreaterThan(300);
		expect(wrongImports(project)).toEqual([]);
	});

	test('no files of the nodes import each other in a circle, types too', () => {
		expect(circles(published)).toEqual([]);
	});

	test('the nodes keep nothing between two calls but the memory of the process', () => {
		const state = Object.entries(published).flatMap(([path, source]) => moduleState(path, source));
		expect(state).toEqual(['nodes/TwoWayMessaging/processMemory.ts keeps processMemory']);
	});

	test('every file and folder has a name that says what is in it', () => {
		expect(emptyNames(files)).toEqual([]);
	});
});

describe('the check of imports', () => {
	const NODE = 'nodes/TwoWayMessaging/';

	test.each([
		[`${NODE}service/request.ts`, '../trigger/event', 'service is below trigger'],
		[`${NODE}trigger/webhook/receiveEvent.ts`, '../begin/begin', 'webhook and begin stand beside'],
		[`${NODE}message.ts`, './service/request', 'message is below service'],
		[`${NODE}action/run.ts`, '../trigger/event', 'action and trigger stand beside'],
		[`${NODE}action/run.ts`, '../shared', 'stands in no layer'],
		[`${NODE}action/run.ts`, 'node:fs', 'n8n-workflow and crypto only'],
		[`${NODE}action/run.ts`, '../../../sandbox/src/clock', 'nothing outside themselves'],
		['credentials/TwoWayMessagingApi.credentials.ts', 'axios', 'n8n-workflow and crypto only'],
		['sandbox/src/app.ts', '../../nodes/TwoWayMessaging/message', 'shares contract.ts and nothing'],
	])('refuses that %s imports %s', (path, specifier, why) => {
		expect(wrongImports({ [path]: `import '${specifier}';` })).toEqual([
			expect.stringContaining(why),
		]);
	});

	test.each([
		"export * from '../action';",
		"import type { Operation } from '../action/run';",
		"const resources = await import('../action');",
		"type Operation = import('../action/run').Operation;",
		'void import(process.argv[2]);',
	])('finds the import in %s', (source) => {
		expect(wrongImports({ [`${NODE}service/request.ts`]: source })).toHaveLength(1);
	});
});
