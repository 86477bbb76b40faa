import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..');
const ESLINT = join(dirname(require.resolve('eslint/package.json')), 'bin/eslint.js');

/** What the scanner reads of a published package, and of the source it was built from. */
const OF_THE_PACKAGE = ['**/*.js', '**/*.json'];
const OF_THE_SOURCE = ['package.json', 'nodes/**/*.ts', 'credentials/**/*.ts', 'nodes/**/*.json'];

let scratch: string;
let unpacked: string;

type Report = Array<{ filePath: string; messages: Array<{ ruleId: string; message: string }> }>;

/** Everything n8n's scanner would say of a folder: refusals and warnings, one line each. */
function scan(folder: string, patterns: string[]): string[] {
	const config = join(ROOT, 'eslint.scan.config.mjs');
	const { stdout, stderr, status } = spawnSync(
		process.execPath,
		// It reads no disabling comments either.
		[ESLINT, '--config', config, '--no-inline-config', '--format', 'json', ...patterns],
		// Jest says that this is a test, and one of the plugins then takes every file name for one of its own.
		{ cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } },
	);
	if (status !== 0 && status !== 1) throw new Error(stderr);
	return (JSON.parse(stdout) as Report).flatMap(({ filePath, messages }) =>
		messages.map(
			({ ruleId, message }) => `${filePath.slice(folder.length + 1)} ${ruleId} ${message}`,
		),
	);
}

/** Changes a file of the package. */
function rewrite(folder: string, path: string, change: (text: string) => string): void {
	const file = join(folder, path);
	writeFileSync(file, change(readFileSync(file, 'utf8')));
}

beforeAll(() => {
	scratch = mkdtempSync(join(tmpdir(), 'two-way-messaging-scan-'));
	unpacked = join(scratch, 'package');
	mkdirSync(unpacked);
	// It packs what was built, which `npm test` does before.
	const said = execFileSync('npm', ['pack', '--json', '--pack-destination', scratch], {
		cwd: ROOT,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const [{ filename }] = JSON.parse(said) as [{ filename: string }];
	execFileSync('tar', ['-xzf', join(scratch, filename), '-C', unpacked, '--strip-components=1']);
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe("n8n's scanner of community packages, which verification runs", () => {
	test('accepts the files as they are published', () => {
		expect(scan(unpacked, OF_THE_PACKAGE)).toEqual([]);
	});

	test('accepts the source that they are built from', () => {
		expect(scan(ROOT, OF_THE_SOURCE)).toEqual([]);
	});

	test('refuses a dependency, an install script, and an eslint-disable comment', () => {
		const folder = join(scratch, 'refused');
		cpSync(unpacked, folder, { recursive: true });
		rewrite(folder, 'package.json', (text) =>
			text
				.replace('"peerDependencies"', '"dependencies": { "axios": "1" }, $&')
				.replace('"scripts": {', '$& "postinstall": "node x.js",'),
		);
		rewrite(
			folder,
			'dist/nodes/TwoWayMessaging/message.js',
			(text) => `/* eslint-disable */\n${text}\nconst home = process.env.HOME;\n`,
		);

		const found = scan(folder, ['package.json', 'dist/nodes/TwoWayMessaging/message.js']).join(
			'\n',
		);
		expect(found).toContain('no-runtime-dependencies');
		expect(found).toContain('no-forbidden-lifecycle-scripts');
		expect(found).toContain('no-restricted-globals');
	});
});
