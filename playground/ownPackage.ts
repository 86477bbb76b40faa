import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, type DataFiles } from './folders';
import { runNpm } from './npm';
import { runStep, type Log } from './progress';

const SOURCES = ['nodes', 'credentials', 'gulpfile.js', 'tsconfig.json', 'tsconfig.build.json'];
const MANIFEST = join(ROOT, 'package.json');

type Manifest = { name: string; n8n: { nodes: string[]; credentials: string[] } };

const readManifest = async (): Promise<Manifest> =>
	JSON.parse(await readFile(MANIFEST, 'utf8')) as Manifest;

/**
 * Builds the package unless its build is up to date, packs it, and installs the pack into n8n.
 *
 * @returns whether it was installed now
 */
export const providePackage = async (
	files: DataFiles,
	log: Log,
	signal?: AbortSignal,
): Promise<boolean> => {
	if (await isBuildStale()) {
		await runStep(log, 'Building the package', async () => await build(signal));
	}
	return await runStep(
		log,
		'Packing the package and installing it into n8n',
		async () => await installPack(files.package, files.communityNodes, signal),
	);
};

/** Whether a file that package.json names is missing in dist, or older than any of its sources. */
const isBuildStale = async (): Promise<boolean> => {
	const { n8n } = await readManifest();
	const built = [...n8n.nodes, ...n8n.credentials].map((file) => join(ROOT, file));
	if (!built.every((file) => existsSync(file))) return true;
	const builtAt = Math.min(...(await Promise.all(built.map(changedAt))));
	const sourcesAt = await Promise.all(
		SOURCES.map(async (name) => await newestIn(join(ROOT, name))),
	);
	return Math.max(...sourcesAt, await changedAt(MANIFEST)) > builtAt;
};

/** Builds the package, as `npm run build` does. */
const build = async (signal?: AbortSignal): Promise<void> => {
	await runNpm({ args: ['run', 'build'], folder: ROOT, doing: 'building the package', signal });
};

/**
 * Packs the package and installs the pack where n8n looks for community packages, as a user would.
 * It does not install the same content twice.
 *
 * @returns whether it was installed now
 */
const installPack = async (
	packFolder: string,
	communityNodes: string,
	signal?: AbortSignal,
): Promise<boolean> => {
	await mkdir(packFolder, { recursive: true });
	const { name } = await readManifest();
	const packed = await runNpm({
		args: ['pack', '--json', '--pack-destination', packFolder],
		folder: ROOT,
		doing: 'packing the package',
		signal,
	});
	const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
	const fresh = join(packFolder, filename);
	const hash = createHash('sha256')
		.update(await readFile(fresh))
		.digest('hex');
	// The name holds the hash, because npm takes a file of the same name for the same package.
	const pack = join(packFolder, `${name}-${hash.slice(0, 16)}.tgz`);
	await rename(fresh, pack);

	const marker = markerOf(communityNodes, name);
	if (existsSync(marker) && (await readFile(marker, 'utf8')) === hash) return false;
	await mkdir(communityNodes, { recursive: true });
	await rm(marker, { force: true });
	const manifest = join(communityNodes, 'package.json');
	if (!existsSync(manifest)) {
		await writeFile(manifest, '{ "name": "installed-nodes", "private": true }\n');
	}
	await runNpm({
		// n8n brings the peer, n8n-workflow, itself.
		args: ['install', pack, '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'],
		folder: communityNodes,
		doing: 'installing the package into n8n',
		signal,
	});
	await writeFile(marker, hash);
	for (const other of await readdir(packFolder)) {
		if (join(packFolder, other) !== pack) await rm(join(packFolder, other));
	}
	return true;
};

/**
 * The folder of the built code in the installed package, for whoever puts other code there. The next start then installs
 * the package again.
 */
export const takeInstalledDist = async ({ communityNodes }: DataFiles): Promise<string> => {
	const { name } = await readManifest();
	await rm(markerOf(communityNodes, name), { force: true });
	return join(communityNodes, 'node_modules', name, 'dist');
};

/** The file that says which pack is installed. */
const markerOf = (communityNodes: string, name: string) =>
	join(communityNodes, `${name}.installed`);

const changedAt = async (path: string): Promise<number> => (await stat(path)).mtimeMs;

/** The folder's own time counts too: it changes when a file in the folder is removed. */
const newestIn = async (path: string): Promise<number> => {
	const times = [await changedAt(path)];
	if ((await stat(path)).isDirectory()) {
		for (const name of await readdir(path, { recursive: true })) {
			times.push(await changedAt(join(path, name)));
		}
	}
	return Math.max(...times);
};
