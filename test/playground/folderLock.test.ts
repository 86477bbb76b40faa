import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FolderLock, readHolder } from '../../playground/folderLock';
import { lockDataFolder } from '../../playground/lockDataFolder';
import { N8nProcess } from '../../playground/n8n';
import { startPlayground } from '../../playground/playground';
import { startGuarded } from '../../playground/queue/guarded';
import { startQueuePlayground } from '../../playground/queue/playground';
import { provideN8n } from '../../playground/provideN8n';
import { FakeNpm } from './fakeNpm';
import { temporaryFolder } from '../support/temporaryFolder';
import { waitUntil } from '../support/waitUntil';

const PHONE = 'http://127.0.0.1:4010';
const PLAYGROUND = join(__dirname, 'lockingPlayground.ts');

let folder: string;
let children: ChildProcess[];

beforeEach(() => {
	folder = temporaryFolder();
	children = [];
});
afterEach(async () => {
	await Promise.all(children.map(kill));
});

/**
 * Starts a process that locks the folder as a playground does, and waits until it has.
 *
 * @param n8nRunsMs keeps a process of its own with the lock, as its n8n is, which ends by itself after so long
 */
const startOther = async (n8nRunsMs = 0): Promise<{ child: ChildProcess; said: unknown }> => {
	const args = [folder, PHONE, String(n8nRunsMs)];
	const child = fork(PLAYGROUND, args, { execArgv: ['--import', 'tsx'] });
	children.push(child);
	const [said] = (await once(child, 'message')) as unknown[];
	return { child, said };
};

const kill = async (child: ChildProcess): Promise<void> => {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, 'exit');
	child.kill('SIGKILL');
	await ended;
};

const printed: string[] = [];
const log = (line: string) => printed.push(line);
const lock = async () => await lockDataFolder(folder, PHONE, log);

describe('a data folder', () => {
	test('is given to one of several playgrounds, and the refusal says to which and what to do', async () => {
		const others = await Promise.all([startOther(), startOther()]);
		expect(others.map(({ said }) => said).sort()).toEqual(['locked', 'refused']);
		const { pid } = others.find(({ said }) => said === 'locked')!.child;
		await expect(lock()).rejects.toMatchObject({
			happened: expect.stringMatching(
				`^A playground is running already with the data in ${folder}: process ${pid}, started .+, with its phone at ${PHONE}/\\.$`,
			) as string,
			whatToDo: expect.stringContaining('end it with Ctrl-C') as string,
		});
	});

	test('of a playground that was killed is free when its n8n has ended, and not earlier', async () => {
		const { child } = await startOther(500);
		await kill(child);
		expect(FolderLock.tryTake(folder)).toBeUndefined();
		const taken = await lock();
		expect(readHolder(folder)?.pid).toBe(process.pid);
		expect(printed).toContainEqual(
			expect.stringContaining('Waiting for the programs of a playground that was killed'),
		);
		taken.release();
	});

	test('stays locked until a server of queue mode has ended, also when its guard was killed', async () => {
		const taken = await lock();
		const logFile = join(folder, 'server.log');
		const guard = startGuarded({ name: 'Server', logFile, folder }, taken, [
			...[process.execPath, '-e', 'console.log(process.pid); setTimeout(() => {}, 20_000)'],
		]);
		const server = await waitUntil(
			'the server',
			async () => Number(readFileSync(logFile, 'utf8')) || undefined,
		);
		taken.release();
		process.kill(guard.pid!, 'SIGKILL');
		await guard.ended;
		const whileItRuns = FolderLock.tryTake(folder);
		process.kill(server, 'SIGKILL');
		expect(whileItRuns).toBeUndefined();
		(await waitUntil('the lock', async () => FolderLock.tryTake(folder))).release();
	});

	test('stays locked while n8n runs, even if the playground does not any more', async () => {
		const taken = await lock();
		const running = await N8nProcess.spawn({
			...{ nodePath: process.execPath, script: join(__dirname, 'endlessProgram.cjs') },
			...{ userFolder: folder, logFile: join(folder, 'n8n.log'), port: 0, dataLock: taken },
		});
		taken.release();
		const whileItRuns = FolderLock.tryTake(folder);
		await running.kill();
		expect(whileItRuns).toBeUndefined();
		(await lock()).release();
	});

	test.each([
		['npm start -- --fresh', startPlayground],
		['npm run start:queue -- --fresh', startQueuePlayground],
	])('that a running playground uses is not removed by %s', async (_command, start) => {
		await startOther();
		writeFileSync(join(folder, 'account.json'), '{}');
		const ports = { sandboxPort: 4299, n8nPort: 5299 };
		await expect(start({ ...ports, dataFolder: folder, log, isFresh: true })).rejects.toThrow(
			/is running already[^]*end it with Ctrl-C/,
		);
		expect(existsSync(join(folder, 'account.json'))).toBe(true);
	});
});

/** What is done where an older Node than n8n's runs the tests: the package with n8n's Node is a link to this one. */
const PUTS_NODE_IN_PLACE = `
	const [command, name = ''] = process.argv.slice(2);
	if (command === 'install') {
		const bin = 'node_modules/' + name.split('@')[0] + '/bin';
		require('node:fs').mkdirSync(bin, { recursive: true });
		require('node:fs').symlinkSync(process.execPath, bin + '/node');
	}`;

describe('an install folder', () => {
	const npm = new FakeNpm();
	const release = (version: string) => ({ version, folder: npm.folder, installedAs: 'n8n' });
	const provide = async (version: string) => {
		const pinned = { version, dependencies: { n8n: version } };
		writeFileSync(join(npm.folder, 'package.json'), JSON.stringify(pinned));
		writeFileSync(
			join(npm.folder, 'package-lock.json'),
			JSON.stringify({ packages: { 'node_modules/n8n': { version } } }),
		);
		return await provideN8n(release(version), folder, log);
	};

	beforeEach(() => npm.does(PUTS_NODE_IN_PLACE));

	test('serves several playgrounds at once, and is not changed while one uses what is installed in it', async () => {
		const { inUse, installedN8n } = await provide('2.0.0');
		const second = await provide('2.0.0');
		expect([installedN8n, second.installedN8n]).toEqual([true, false]);
		second.inUse.release();
		npm.does('process.exit(9)');
		await expect(provide('2.0.1')).rejects.toThrow(
			/^n8n 2\.0\.1 cannot be installed into .+ while another playground[^]*end that playground/,
		);
		inUse.release();
		await expect(provide('2.0.1')).rejects.toThrow(/npm stopped/);
	});

	test('that another start installs into is used by none', async () => {
		const { child } = await startOther();
		await expect(provide('2.0.0')).rejects.toThrow(/Wait until it is installed/);
		await kill(child);
		(await provide('2.0.0')).inUse.release();
	});
});
