import './support/log';
import { PackageDirectoryLoader } from 'n8n-core';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { TwoWayMessaging } from '../nodes/TwoWayMessaging/TwoWayMessaging.node';
import manifest from '../package.json';

const ROOT = join(__dirname, '..');
const MAX_BYTES = 250_000;

type Pack = { size: number; files: Array<{ path: string }> };

/** The files that `npm publish` would ship. They need a build, which `npm test` makes first. */
function pack(): Pack {
	const output = execFileSync('npm', ['pack', '--dry-run', '--json'], {
		cwd: ROOT,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const [packed] = JSON.parse(output) as [Pack];
	return packed;
}

describe('the published package', () => {
	const { files, size } = pack();
	const paths = files.map(({ path }) => path);

	test('contains what was built, the README, the licence and package.json, and nothing else', () => {
		const beside = paths.filter((path) => !path.startsWith('dist/'));
		expect(beside.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
	});

	test('contains code, icons and JSON of the nodes and the credential: no test, no source, no map', () => {
		const built = paths.filter((path) => path.startsWith('dist/'));
		expect(built.length).toBeGreaterThan(0);
		const wanted = /^dist\/(nodes|credentials)\/(?!.*(\.test\.|\/test\/)).+\.(js|json|svg)$/;
		expect(built.filter((path) => !wanted.test(path))).toEqual([]);
	});

	test('contains every file that package.json names to n8n', () => {
		const promised = [...manifest.n8n.nodes, ...manifest.n8n.credentials, manifest.main];
		expect(promised).toHaveLength(4);
		expect(promised.filter((path) => !paths.includes(path))).toEqual([]);
	});

	test('contains the output schemas of the node for its version, by which n8n looks for them', () => {
		const { version } = new TwoWayMessaging().description;
		const schemas = paths.filter((path) => path.includes(`/__schema__/v${String(version)}.0.0/`));
		expect(schemas.length).toBeGreaterThan(0);
	});

	test('is small: under 250 kB to download', () => {
		expect(size).toBeLessThan(MAX_BYTES);
	});

	test("is loaded completely by n8n's own loader: types, icons for light and dark, codex", async () => {
		const loader = new PackageDirectoryLoader(ROOT);
		await loader.loadAll();
		const { nodes, credentials } = loader.types;

		expect(nodes.map(({ name }) => name).sort()).toEqual([
			'twoWayMessaging',
			'twoWayMessagingTrigger',
		]);
		expect(credentials.map(({ name }) => name)).toEqual(['twoWayMessagingApi']);
		for (const { iconUrl } of [...nodes, ...credentials]) {
			const { light, dark } = iconUrl as { light: string; dark: string };
			for (const url of [light, dark]) {
				expect(paths).toContain(url.replace(`icons/${manifest.name}/`, ''));
			}
			expect(light).not.toBe(dark);
		}
		for (const { codex } of nodes) {
			expect(codex?.categories).toContain('Communication');
			expect(codex?.resources?.primaryDocumentation).toHaveLength(1);
			expect(codex?.alias).toContain('SMS');
		}
	});
});

// What else n8n's verification wants of package.json, its scanner says; see scan.test.ts.
test('the package brings no library along that the scanner does not look for', () => {
	for (const field of ['optionalDependencies', 'bundledDependencies']) {
		expect(manifest).not.toHaveProperty(field);
	}
});
