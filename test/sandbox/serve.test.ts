import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { CHARACTER_NAMES, Clock, createSandbox, serve } from '../../sandbox/src';
import { BEHIND_MS, START_MS } from './service';

const ROOT = join(__dirname, '..', '..');

test.each(CHARACTER_NAMES)(
	'a %s service listens on a port of loopback until it is closed, and dates its answers once',
	async (character) => {
		const served = await serve(createSandbox({ clock: Clock.stopped(START_MS), character }));
		expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		const { status, headers } = await fetch(`${served.url}/v1/me`);
		const date = new Date(START_MS - BEHIND_MS[character]).toUTCString();
		expect([status, headers.get('date')]).toEqual([401, date]);
		await served.close();
		await expect(fetch(`${served.url}/v1/me`)).rejects.toThrow();
	},
);

describe('The command line', () => {
	let child: ChildProcess;

	afterEach(() => child.kill('SIGKILL'));

	const run = (...args: string[]) => {
		const program = ['--import', 'tsx', 'sandbox/src/cli.ts', ...args];
		child = spawn(process.execPath, program, { cwd: ROOT });
		const spoken = new EventEmitter();
		let output = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream?.on('data', (chunk: Buffer) => {
				output += chunk.toString();
				spoken.emit('more');
			});
		}
		const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
		const said = async (words: string) => {
			while (!output.includes(words)) await once(spoken, 'more');
			return output;
		};
		return { ended, said };
	};

	test('prints the URL and the key pair once, serves as its options say, and ends in order at Ctrl-C', async () => {
		const pair = ['--key', 'the-key', '--secret', 'the-secret'];
		const { ended, said } = run('--port', '0', '--character', 'awkward', ...pair);
		const output = await said('Ctrl-C');
		const url = /http:\S+:\d+/.exec(output)![0];
		const headers = { 'x-api-key': 'the-key', 'x-api-secret': 'the-secret' };
		const me = await fetch(`${url}/v1/me`, { headers });
		expect([me.status, await me.json()]).toEqual([200, { data: expect.any(Object) as object }]);
		expect(output.match(/the-secret/g)).toHaveLength(1);
		child.kill('SIGINT');
		expect((await ended).code).toBe(0);
	});

	test('says that a port is in use, and how to choose another', async () => {
		const served = await serve(createSandbox());
		const port = new URL(served.url).port;
		const { code, output } = await run('--port', port).ended;
		await served.close();
		expect(code).toBe(1);
		expect(output).toContain(`Port ${port} is already in use.`);
		expect(output).toContain(`--port ${Number(port) + 1}`);
	});

	test('refuses what it does not know and prints the usage', async () => {
		const { code, output } = await run('--prot', '4010').ended;
		expect(code).toBe(2);
		expect(output).toMatch(/Unknown option '--prot'[^]*--host <address>/);
	});

	test('--host prints a warning when other machines can reach it, and a URL that this one opens', async () => {
		const { said } = run('--port', '0', '--host', '0.0.0.0');
		const output = await said('Anyone who can reach');
		expect(output).toContain('can use the control endpoints');
		expect(output).toMatch(/Phone +http:\/\/127\.0\.0\.1:\d+\//);
	});
});
