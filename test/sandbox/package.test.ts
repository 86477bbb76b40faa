import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const SANDBOX = join(ROOT, 'sandbox');

type Packed = Array<{ filename: string; files: Array<{ path: string }> }>;

let folder: string;
let packed: Packed[number];

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'two-way-messaging-sandbox-'));
	execFileSync(process.execPath, ['build.mjs'], { cwd: SANDBOX });
	const output = execFileSync(
		'npm',
		['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
		{ cwd: SANDBOX, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
	);
	[packed] = JSON.parse(output) as [Packed[number]];
	execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', folder]);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('The sandbox as a package of its own', () => {
	test('contains its program, its phone, its README and its licence, and no sources', () => {
		const paths = packed.files.map(({ path }) => path);
		expect(paths).toEqual(
			expect.arrayContaining([
				'LICENSE',
				'README.md',
				'dist/cli.js',
				'dist/index.js',
				'dist/phone/index.html',
				'dist/phone/main.js',
				'dist/phone/style.css',
				'package.json',
			]),
		);
		expect(paths.filter((path) => /\.ts$|^src|^build/.test(path))).toEqual([]);
	});

	test('runs the phone and the service from the packed files alone', async () => {
		const child = spawn(
			process.execPath,
			[join(folder, 'package', 'dist', 'cli.js'), '--port', '0'],
			{
				cwd: folder,
				env: { ...process.env, NODE_PATH: join(ROOT, 'node_modules') },
				stdio: ['ignore', 'pipe', 'inherit'],
			},
		);
		let said = '';
		let url: string | undefined;
		for await (const chunk of child.stdout) {
			said += String(chunk);
			url = /Phone +(http:\S+)\/\n/.exec(said)?.[1];
			if (url) break;
		}
		try {
			expect(await (await fetch(`${url}/`)).text()).toContain('<title>Sandbox phone</title>');
			expect((await fetch(`${url}/phone/main.js`)).status).toBe(200);
			expect((await fetch(`${url}/v1/me`)).status).toBe(401);
		} finally {
			child.kill('SIGKILL');
		}
	});
});
