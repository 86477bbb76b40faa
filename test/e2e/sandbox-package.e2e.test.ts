import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from '../../playground/npm';
import { temporaryFolder } from '../support/temporaryFolder';

// The sandbox as those get it who have only its package. It is packed from a clean clone, in which nothing is built.

const ROOT = join(__dirname, '..', '..');

/** A program as a person writes it who tests their own one against the sandbox. */
const PROGRAM = `
import { Clock, createSandbox, serve, type Sandbox, type SandboxOptions, type Served } from 'two-way-messaging-sandbox';

const options: SandboxOptions = { clock: Clock.stopped(Date.now()), keyPairs: [{ key: 'k', secret: 's' }], character: 'generous' };
// @ts-expect-error There is no such character.
const wrong: SandboxOptions = { character: 'kind' };

async function run(): Promise<void> {
	const sandbox: Sandbox = createSandbox(options);
	const body: string = JSON.stringify({ from: '+15551230001', content: 'hello' });
	const answer: Response = await sandbox.app.request('/sandbox/inbound', { method: 'POST', body });
	// @ts-expect-error It takes milliseconds.
	const advanced: () => Promise<void> = async () => await sandbox.advance('12 h');
	await sandbox.advance(12 * 3_600_000);
	const served: Served = await serve(sandbox);
	const me: Response = await fetch(served.url + '/v1/me', { headers: { 'x-api-key': 'k', 'x-api-secret': 's' } });
	console.log([answer.status, me.status, wrong.character, typeof advanced].join(' '));
	await served.close();
}

void run();
`;

const folder = temporaryFolder();
let packed: string[];

/** What is in the folder of a person who has installed the package. */
const inPerson = (...path: string[]) => join(folder, 'person', ...path);

beforeAll(async () => {
	const clone = join(folder, 'clone');
	mkdirSync(clone);
	mkdirSync(inPerson());
	const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: ROOT, maxBuffer: 1e8 });
	execFileSync('tar', ['-x', '-C', clone], { input: archive });
	// What "npm ci" would install there.
	symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
	await runNpm({
		args: ['pack', '--pack-destination', folder],
		folder: join(clone, 'sandbox'),
		doing: 'packing the sandbox',
	});
	const pack = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
	packed = String(execFileSync('tar', ['-tzf', pack]))
		.trim()
		.split('\n');

	writeFileSync(inPerson('package.json'), '{ "private": true }\n');
	await runNpm({
		args: ['install', pack, '--prefer-offline', '--no-audit', '--no-fund'],
		folder: inPerson(),
		doing: 'installing the sandbox',
	});
}, 120_000);

describe('the package of the sandbox', () => {
	test('contains its program, types, phone, shop, README and licence, and no sources', () => {
		const inDist = packed.filter((path) => path.startsWith('package/dist/'));
		const needed = [
			...['cli.js', 'index.js', 'phone/index.html', 'phone/main.js', 'phone/style.css'],
			...['types/sandbox/src/index.d.ts', 'types/nodes/TwoWayMessaging/contract.d.ts'],
		].map((path) => `package/dist/${path}`);
		expect(inDist).toEqual(expect.arrayContaining(needed));
		const beside = packed.filter((path) => !inDist.includes(path)).sort();
		expect(beside).toEqual(
			['LICENSE', 'README.md', 'package.json', 'seeds/shop.yaml'].map((path) => `package/${path}`),
		);
		expect(inDist.filter((path) => /(?<!\.d)\.ts$|\.map$/.test(path))).toEqual([]);
	});

	test('runs the service and its phone with nothing else installed', async () => {
		const program = inPerson('node_modules', '.bin', 'two-way-messaging-sandbox');
		const shop = inPerson('node_modules', 'two-way-messaging-sandbox', 'seeds', 'shop.yaml');
		const child = spawn(program, ['--port', '0', '--seed', shop], {
			cwd: inPerson(),
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		try {
			let said = '';
			let url: string | undefined;
			for await (const chunk of child.stdout) {
				said += String(chunk);
				url = /Phone +(http:\S+)\/\n/.exec(said)?.[1];
				if (url) break;
			}
			expect(await (await fetch(`${url}/`)).text()).toContain('<title>Sandbox phone</title>');
			expect((await fetch(`${url}/phone/main.js`)).status).toBe(200);
			expect((await fetch(`${url}/v1/me`)).status).toBe(401);
			expect(await (await fetch(`${url}/sandbox/state`)).text()).toContain('tulips');
		} finally {
			child.kill('SIGKILL');
		}
	});

	test('lets a program in TypeScript use it, and tells it what is wrong', () => {
		writeFileSync(inPerson('program.ts'), PROGRAM);
		const compile = [
			join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'),
			...['--strict', '--module', 'node16', '--target', 'es2022', '--skipLibCheck'],
			// Every project in TypeScript for Node has these.
			...['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')],
			'program.ts',
		];
		execFileSync(process.execPath, compile, { cwd: inPerson(), stdio: 'inherit' });
		const output = execFileSync(process.execPath, ['program.js'], { cwd: inPerson() });
		expect(String(output)).toBe('201 200 kind function\n');
	});
});
