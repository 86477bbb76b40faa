import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../support/temporaryFolder';

const ROOT = join(__dirname, '../..');
const ESLINT = join(dirname(require.resolve('eslint/package.json')), 'bin/eslint.js');
const CONFIG = join(ROOT, 'eslint.scan.config.mjs');

type Report = Array<{ filePath: string; messages: Array<{ ruleId: string; message: string }> }>;

test("n8n's scanner, which verification runs, accepts what is published and its source", () => {
	const folder = temporaryFolder();
	execFileSync('npm', ['run', 'build'], { cwd: ROOT });
	for (const path of ['package.json', 'dist', 'nodes', 'credentials']) {
		cpSync(join(ROOT, path), join(folder, path), { recursive: true });
	}
	const { stdout, stderr } = spawnSync(
		process.execPath,
		// The scanner reads no disabling comments either.
		[ESLINT, '--config', CONFIG, '--no-inline-config', '--format', 'json', '**/*.{js,json,ts}'],
		// Jest says that this is a test, and one of the plugins then takes every file name for one of its own.
		{ cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } },
	);
	if (stdout === '') throw new Error(stderr);
	const found = (JSON.parse(stdout) as Report).flatMap(({ filePath, messages }) =>
		messages.map(({ ruleId, message }) => `${filePath} ${ruleId} ${message}`),
	);
	expect(found).toEqual([]);
});
