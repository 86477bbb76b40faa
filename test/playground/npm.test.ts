import { fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainNpmOutput, runNpm } from '../../playground/npm';
import { waitUntil } from '../support/waitUntil';
import { FakeNpm } from './fakeNpm';

const npm = new FakeNpm();
const run = { args: ['ci'], folder: npm.folder, doing: 'installing n8n' };

afterAll(() => npm.remove());

describe('running npm', () => {
	test('gives npm the registry that is set in the environment, and no other npm setting of the environment', async () => {
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

	test('treats a run as failed when npm could not write a file, even if npm calls it a success', async () => {
		npm.does(
			"console.error('npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write')",
		);
		await expect(runNpm(run)).rejects.toThrow(/The disk became full while installing n8n\./);
	});

	test('kills npm and the processes it started when it is aborted', async () => {
		const started = join(npm.folder, 'started');
		// Both ignore SIGTERM, and the run is only over when neither of them holds its output open.
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

describe('npm and the processes it started', () => {
	const alive = (pid: number): boolean => {
		try {
			return process.kill(pid, 0);
		} catch {
			return false;
		}
	};

	test('end when the playground is killed, which cannot end them itself then', async () => {
		const pids = join(npm.folder, 'pids');
		npm.does(`
			process.on('SIGTERM', () => {});
			const stubborn = "process.on('SIGTERM', () => {}); setTimeout(() => {}, 20_000)";
			const child = require('node:child_process').spawn(process.execPath, ['-e', stubborn]);
			child.once('spawn', () =>
				require('node:fs').writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + child.pid));
			setTimeout(() => {}, 20_000);
		`);
		const playground = fork(join(__dirname, 'installingPlayground.ts'), [npm.folder], {
			execArgv: ['--import', 'tsx'],
			env: process.env,
		});
		const started = await waitUntil('npm', async () => {
			const text = existsSync(pids) ? readFileSync(pids, 'utf8') : '';
			return text === '' ? undefined : text.split(' ').map(Number);
		});
		playground.kill('SIGKILL');
		try {
			await waitUntil('the end', async () => (started.some(alive) ? undefined : true), 5_000);
		} finally {
			for (const pid of started.filter(alive)) process.kill(pid, 'SIGKILL');
		}
	}, 30_000);
});

describe('the explanation of what npm printed', () => {
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
			/^The disk became full while installing n8n\.[^]*Free some space/,
		],
		[
			'npm error code EUSAGE\nnpm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.',
			/do not match[^]*git checkout/,
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
	])('says what to do about: %s', (output, words) => {
		expect(explainNpmOutput(run, output).message).toMatch(words);
	});

	test('leaves out warnings and the stack traces of npm itself', () => {
		const { message } = explainNpmOutput(
			run,
			'npm warn deprecated x\nnpm error code E500\nnpm error     at npm/lib/index.js:1\nnpm error A complete log of this run can be found in: /x',
		);
		expect(message).toContain('npm error code E500');
		expect(message).not.toMatch(/deprecated|index\.js|complete log/);
	});
});
