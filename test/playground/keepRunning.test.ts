import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepRunning } from '../../playground/keepRunning';
import { freePort, LOOPBACK } from '../../playground/machine';
import { RestartableN8n } from '../../playground/restartableN8n';
import { waitUntil } from '../support/waitUntil';
import { temporaryFolder } from '../support/temporaryFolder';

let folder: string;
let n8n: RestartableN8n;
let stopping: AbortController;
let printed: string[];
let nowMs: number;
let inspectPort: number;
let onPrint: () => void;

beforeEach(async () => {
	folder = temporaryFolder();
	stopping = new AbortController();
	[printed, nowMs, onPrint] = [[], 0, () => {}];
	inspectPort = await freePort();
	n8n = new RestartableN8n({
		...{ name: 'n8n', nodePath: process.execPath, script: join(__dirname, 'fakeN8n.cjs') },
		...{ userFolder: folder, logFile: join(folder, 'n8n.log') },
		...{ port: await freePort(), inspectPort },
	});
});

const stop = async () => {
	stopping.abort();
	await n8n.stop();
};
afterEach(stop);

/** Starts n8n and keeps it running; returns what to tell people once it is given up. */
const start = async (): Promise<{ gaveUp: Promise<unknown> }> => {
	await n8n.start();
	const log = (line: string, kind?: 'passing') => {
		if (kind === 'passing') return;
		printed.push(line);
		onPrint();
	};
	const gaveUp = keepRunning(n8n, log, stopping.signal, () => nowMs);
	gaveUp.catch(() => undefined);
	return { gaveUp };
};

/** Waits until n8n has been started so many times in all and is ready. */
const waitForStart = async (number: number) =>
	await waitUntil(`start ${number}`, async () => {
		const isReady = await fetch(`${n8n.url}/rest/settings`).then(
			({ ok }) => ok,
			() => false,
		);
		return n8n.logs.length === number && isReady ? true : undefined;
	});

const killFromOutside = async () => process.kill((await n8n.pid()) ?? Number.NaN, 'SIGKILL');

describe('n8n in a playground', () => {
	test('lets a debugger attach at the port that is given for it, on this machine only', async () => {
		await start();
		const url = `${LOOPBACK}:${inspectPort}/`;
		expect(await (await fetch(`http://${url}json/list`)).json()).toEqual([
			expect.objectContaining({
				title: expect.stringContaining('fakeN8n.cjs') as string,
				webSocketDebuggerUrl: expect.stringContaining(`ws://${url}`) as string,
			}),
		]);
	});

	test('is started again on its port when somebody else kills it, and the terminal says so', async () => {
		await start();
		const first = await n8n.pid();
		await killFromOutside();
		await waitForStart(2);
		expect(await n8n.pid()).not.toBe(first);
		expect(printed[0]).toBe(
			'  n8n was ended by a signal (SIGKILL). It is started again; the phone keeps its conversations.',
		);
	});

	test('is given up when it ends a fourth time in ten minutes, with what to do', async () => {
		const { gaveUp } = await start();
		for (const number of [2, 3, 4]) {
			await fetch(`${n8n.url}/end`).catch(() => undefined);
			await waitForStart(number);
		}
		nowMs = 9 * 60_000;
		await fetch(`${n8n.url}/end`).catch(() => undefined);
		expect(await gaveUp).toMatchObject({
			happened: 'n8n ended by itself (code 3). n8n had been started again 3 times in 10 minutes.',
			whatToDo: expect.stringContaining('npm start -- --fresh') as string,
		});
		expect(n8n.logs).toHaveLength(4);
	});

	test('is given up when none of its starts succeeds', async () => {
		const { gaveUp } = await start();
		// The program looks for this file in the folder that it runs in.
		writeFileSync(join(folder, 'broken'), '');
		await killFromOutside();
		expect(await gaveUp).toMatchObject({
			happened: expect.stringMatching(/^n8n ended by itself \(code 4\)\. n8n had been/) as string,
		});
	});

	test('is gone after a stop, even while it is being started again', async () => {
		let stopped: Promise<void> | undefined;
		onPrint = () => {
			stopped ??= Promise.resolve().then(stop);
		};
		const { gaveUp } = await start();
		await killFromOutside();
		await expect(gaveUp).rejects.toThrow(/aborted/);
		await stopped;
		const pid = (await n8n.pid()) ?? Number.NaN;
		expect(n8n.logs).toHaveLength(2);
		expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
	});
});
