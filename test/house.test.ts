import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, read, ROOT } from './support/files';
import { circles, emptyNames, moduleState, wrongImports, type Tree } from './support/house';

const FOLDERS = ['nodes', 'credentials', 'sandbox', 'playground', 'test', 'bench', 'docs'];
const NOT_OURS = /(^|\/)(\.|(node_modules|dist|coverage)\/)/;

const files = FOLDERS.filter((folder) => existsSync(join(ROOT, folder)))
	.flatMap((folder) => filesIn(folder))
	.filter((path) => !NOT_OURS.test(path));
const sources = files.filter((path) => /\.[cm]?[jt]s$/.test(path));
const project: Tree = Object.fromEntries(sources.map((path) => [path, read(path)]));

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
