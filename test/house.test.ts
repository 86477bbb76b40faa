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
