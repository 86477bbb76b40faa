import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { startLiveBuild, type LiveBuild } from '../../playground/liveBuild';
import { temporaryFolder } from '../support/temporaryFolder';
import { waitUntil } from '../support/waitUntil';

const root = temporaryFolder();
const dist = join(root, 'installed', 'dist');
const source = join(root, 'nodes', 'greet.ts');
const built = join(dist, 'nodes', 'greet.js');

const greeting = (word: string) =>
	`type Name = string;\n\nexport function greet(name: Name) {\n\treturn '${word} ' + name;\n}\n`;

let build: LiveBuild;
const said: string[] = [];
const saidOf = (words: string) => said.find((line) => line.includes(words));

beforeAll(async () => {
	mkdirSync(join(root, 'nodes'));
	mkdirSync(join(root, 'credentials'));
	mkdirSync(dist, { recursive: true });
	writeFileSync(source, greeting('Hello'));
	writeFileSync(join(root, 'nodes', 'greet.node.json'), '{"alias": []}');
	writeFileSync(join(root, 'credentials', 'key.svg'), '<svg/>');
	writeFileSync(join(dist, 'old.js'), '');
	build = await startLiveBuild({ root, dist, log: (line) => said.push(line) });
});
afterAll(async () => await build.stop());

describe('the build that follows every change', () => {
	test('puts code, icons and codex files where n8n has the package, in place of what was there', () => {
		expect(readFileSync(built, 'utf8')).toContain('Hello ');
		expect(readFileSync(join(dist, 'nodes', 'greet.node.json'), 'utf8')).toContain('alias');
		expect(readFileSync(join(dist, 'credentials', 'key.svg'), 'utf8')).toBe('<svg/>');
		expect(() => readFileSync(join(dist, 'old.js'))).toThrow();
	});

	test('leads a debugger from each line to the line that was written', () => {
		const code = readFileSync(built, 'utf8');
		const [, map = ''] = /sourceMappingURL=data:application\/json;base64,(.+)/.exec(code) ?? [];
		const lines = code.split('\n');
		const at = lines.findIndex((line) => line.includes('return "Hello'));
		const written = JSON.parse(Buffer.from(map, 'base64').toString()) as SourceMapPayload;
		const place = new SourceMap(written).findEntry(at, lines[at]?.search(/\S/) ?? 0);
		expect(place).toMatchObject({ originalLine: 3 });
		const file = 'originalSource' in place ? place.originalSource : '';
		expect(resolve(dirname(built), file)).toBe(source);
	});

	test('builds what changes, and says so', async () => {
		writeFileSync(source, greeting('Welcome'));
		await waitUntil('a word about it', async () => saidOf('n8n takes it over'));
		expect(readFileSync(built, 'utf8')).toContain('Welcome ');
	});

	test('says where code cannot be read, and keeps what was built', async () => {
		writeFileSync(source, 'export const greet = (;\n');
		await waitUntil('the place', async () => saidOf('nodes/greet.ts:1 '));
		expect(readFileSync(built, 'utf8')).toContain('Welcome ');
	});
});
