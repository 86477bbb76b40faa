import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { npmTrouble, runNpm } from '../../playground/npm';
import { FakeNpm } from './fakeNpm';

const npm = new FakeNpm();
const run = { args: ['ci'], folder: npm.folder, doing: 'installing n8n' };

afterAll(() => npm.remove());

describe('running npm', () => {
	test('gives what npm printed', async () => {
		npm.does("console.log('args', process.argv.slice(2).join(' '))");
		expect(await runNpm(run)).toBe('args ci\n');
	});

	test("does not pass on the project's own settings of an outer npm, and passes on the registry", async () => {
		npm.does('console.log(JSON.stringify(Object.keys(process.env)))');
		Object.assign(process.env, {
			npm_config_ignore_scripts: 'true',
			npm_config_registry: process.env.npm_config_registry ?? 'http://127.0.0.1:9/',
			npm_lifecycle_event: 'start',
		});
		const names = JSON.parse(await runNpm(run)) as string[];
		expect(names).toContain('npm_config_registry');
		expect(names).not.toContain('npm_config_ignore_scripts');
		expect(names).not.toContain('npm_lifecycle_event');
	});

	test('refuses a run that npm calls a success although it could not write a file', async () => {
		npm.does(
			"console.error('npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write')",
		);
		await expect(runNpm(run)).rejects.toThrow(/The disk ran full while installing n8n\./);
	});

	test('ends npm and what it started as soon as it is asked to', async () => {
		const started = join(npm.folder, 'started');
		// Both ignore a polite request, and the run is over only when neither holds its output open.
		npm.does(`
			process.on('SIGTERM', () => {});
			const stubborn = "process.on('SIGTERM', () => {}); setTimeout(() => {}, 20_000)";
			require('node:child_process')
				.spawn(process.execPath, ['-e', stubborn], { stdio: 'inherit' })
				.once('spawn', () => require('node:fs').writeFileSync(${JSON.stringify(started)}, ''));
		`);
		const asked = new AbortController();
		const ended = expect(runNpm({ ...run, signal: asked.signal })).rejects.toThrow(/aborted/);
		while (!existsSync(started)) await new Promise(setImmediate);
		asked.abort();
		await ended;
	}, 10_000);
});

describe('what npm says, in words for people', () => {
	test.each([
		[
			'npm error code ECONNREFUSED\nnpm error FetchError: request to http://registry/ failed, reason: connect ECONNREFUSED',
			/^The npm registry did not answer while installing n8n\.[^]*proxy settings/,
		],
		[
			'npm error code ENOTFOUND\nnpm error network request to http://registry/ failed',
			/^The npm registry did not answer/,
		],
		[
			'npm error code E503\nnpm error 503 Service Unavailable - GET http://registry/n8n',
			/^The npm registry did not answer/,
		],
		[
			'npm error code ENOSPC\nnpm error nospc There appears to be insufficient space',
			/^The disk ran full while installing n8n\.[^]*Free some space/,
		],
		[
			'npm error code EUSAGE\nnpm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.',
			/do not fit together[^]*git checkout/,
		],
		[
			'npm error code ETARGET\nnpm error notarget No matching version found for n8n@2.39.10',
			/does not serve what the lock file names[^]*npm config get registry/,
		],
		['npm error code EINTEGRITY', /does not serve what the lock file names/],
		[
			'npm error something else',
			/^npm stopped while installing n8n\.\n {2}│ npm error something else\n/,
		],
	])('%s', (output, words) => {
		expect(npmTrouble(run, output).message).toMatch(words);
	});

	test('leaves out warnings and the traces of its own code', () => {
		const { message } = npmTrouble(
			run,
			'npm warn deprecated x\nnpm error code E500\nnpm error     at npm/lib/index.js:1\nnpm error A complete log of this run can be found in: /x',
		);
		expect(message).toContain('npm error code E500');
		expect(message).not.toMatch(/deprecated|index\.js|complete log/);
	});
});
