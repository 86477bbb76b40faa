import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from './support/temporaryFolder';

const ROOT = join(__dirname, '..');
const ESLINT = join(dirname(require.resolve('eslint/package.json')), 'bin/eslint.js');

/** What is published, which `npm test` has built before, and the source that it is built from. */
const folder = temporaryFolder();
for (const path of ['package.json', 'dist', 'nodes', 'credentials']) {
	cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}
type Report = Array<{ filePath: string; messages: Array<{ ruleId: string; message: string }> }>;

/** Everything n8n's scanner would say of these files: refusals and warnings, one line each. */
function scan(...patterns: string[]): string[] {
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

function rewrite(path: string, change: (text: string) => string): void {
	const file = join(folder, path);
	writeFileSync(file, change(readFileSync(file, 'utf8')));
}

describe("n8n's scanner of community packages, which verification runs", () => {
	test('accepts the files as they are published, and the source that they are built from', () => {
		expect(scan('**/*.js', '**/*.json', '**/*.ts')).toEqual([]);
	});

	test('refuses a dependency, an install script, and an eslint-disable comment', () => {
		const code = 'dist/nodes/TwoWayMessaging/message.js';
		rewrite('package.json', (text) =>
			text
				.replace('"peerDependencies"', '"dependencies": { "axios": "1" }, $&')
				.replace('"scripts": {', '$& "postinstall": "node x.js",'),
		);
		rewrite(code, (text) => `/* eslint-disable */\n${text}\nconst home = process.env.HOME;\n`);
		const found = scan('package.json', code).join('\n');
		expect(found).toContain('no-runtime-dependencies');
		expect(found).toContain('no-forbidden-lifecycle-scripts');
		expect(found).toContain('no-restricted-globals');
	});
});
