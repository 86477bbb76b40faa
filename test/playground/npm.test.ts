import { fork } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { N8N, N8N_1, N8nInstallation } from '../../playground/install';
import { explainNpmOutput, runNpm } from '../../playground/npm';
import { waitUntil } from '../support/waitUntil';
import { FakeNpm } from './fakeNpm';

const npm = new FakeNpm();
const run = { args: ['ci'], folder: npm.folder, doing: 'installing n8n' };

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
});

describe('npm and the processes it started end', () => {
	const alive = (pid: number): boolean => {
		try {
			return process.kill(pid, 0);
		} catch {
			return false;
		}
	};

	/** Lets npm and a process of its ignore SIGTERM, runs something, and expects that both end. */
	const expectEnd = async (start: () => () => unknown) => {
		const pids = join(npm.folder, 'pids');
		rmSync(pids, { force: true });
		npm.does(`
			process.on('SIGTERM', () => {});
			const stubborn = "process.on('SIGTERM', () => {}); setTimeout(() => {}, 20_000)";
			const child = require('node:child_process').spawn(process.execPath, ['-e', stubborn]);
			child.once('spawn', () =>
				require('node:fs').writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + child.pid));
			setTimeout(() => {}, 20_000);
		`);
		const end = start();
		const started = await waitUntil('npm', async () => {
			const text = existsSync(pids) ? readFileSync(pids, 'utf8') : '';
			return text === '' ? undefined : text.split(' ').map(Number);
		});
		await end();
		try {
			await waitUntil('the end', async () => (started.some(alive) ? undefined : true), 5_000);
		} finally {
			for (const pid of started.filter(alive)) process.kill(pid, 'SIGKILL');
		}
	};

	test('when npm is aborted', async () =>
		await expectEnd(() => {
			const asked = new AbortController();
			const ended = expect(runNpm({ ...run, signal: asked.signal })).rejects.toThrow(/aborted/);
			return async () => {
				asked.abort();
				await ended;
			};
		}));

	test('when the playground is killed, which cannot end them itself then', async () =>
		await expectEnd(() => {
			const playground = fork(join(__dirname, 'installingPlayground.ts'), [npm.folder], {
				execArgv: ['--import', 'tsx'],
				env: process.env,
			});
			return () => playground.kill('SIGKILL');
		}));
});

describe('the explanation of what npm printed', () => {
	const silent = /^The npm registry did not answer while installing n8n\.[^]*proxy settings/;

	test.each([
		['npm error code ECONNREFUSED', silent],
		['npm error code ENOTFOUND', silent],
		['npm error code E503\nnpm error 503 Service Unavailable - GET http://registry/n8n', silent],
		['npm error code ENOSPC', /^The disk became full while installing n8n\.[^]*Free some space/],
		['npm error code EUSAGE', /do not match[^]*git checkout/],
		[
			'npm error code ETARGET',
			/does not serve what the lock file names[^]*npm config get registry/,
		],
		['npm error code EINTEGRITY', /does not serve what the lock file names/],
		['npm error else', /^npm stopped while installing n8n\.\n {2}│ npm error else\n/],
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

const installation = new N8nInstallation(npm.folder, N8N);
const node = { path: process.execPath, major: 24 };

describe('the installation of n8n', () => {
	test('pins one exact version of n8n 2, and one of n8n 1', () => {
		expect(N8N.version).toMatch(/^2\.\d+\.\d+$/);
		expect(N8N_1.version).toMatch(/^1\.\d+\.\d+$/);
	});

	test('is complete after its native parts are built, for the Node that they are built for', async () => {
		npm.does('');
		await installation.download(node);
		expect(await installation.isComplete(24)).toBe(false);
		await installation.build(node);
		expect(await installation.isComplete(24)).toBe(true);
		expect(await installation.isComplete(26)).toBe(false);
	});

	test('is not complete any more after another download has failed', async () => {
		npm.does("console.error('npm error code E500'); process.exitCode = 1");
		await expect(installation.download(node)).rejects.toThrow(/registry did not answer/);
		expect(await installation.isComplete(24)).toBe(false);
	});

	test('says which tools it needs where its native parts cannot be built', async () => {
		npm.does("console.error('npm error gyp ERR! find Python'); process.exitCode = 1");
		await expect(installation.build(node)).rejects.toThrow(
			/It takes Python 3, make and a C\+\+ compiler/,
		);
	});
});
