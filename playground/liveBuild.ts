import { watch } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { context, type BuildResult } from 'esbuild';
import type { Log } from './progress';

/** A build that follows every change. */
export type LiveBuild = { stop(): Promise<void> };

const SOURCES = ['nodes', 'credentials'];

/** An editor writes a file in several steps. */
const SAVED_WITHIN_MS = 50;

/** What is built, and where it goes. */
export type LiveBuildStart = {
	/** The folder that `nodes/` and `credentials/` are in. */
	root: string;
	/** The `dist` of the package that n8n has installed; what it holds is replaced. */
	dist: string;
	log: Log;
};

/**
 * Builds the nodes and the credential into the package that n8n has installed, with source maps, and builds again what
 * changes. Types are not checked here: that takes seconds, and the editor does it.
 *
 * @returns after the first build
 */
export const startLiveBuild = async ({ root, dist, log }: LiveBuildStart): Promise<LiveBuild> => {
	await rm(dist, { recursive: true, force: true });
	/** The content of each file that was written, as a hash. */
	const written = new Map<string, string>();
	/** Writes what has changed. n8n loads the package again at each file, so the others stay as they are. */
	const write = async ({ errors, outputFiles = [] }: BuildResult) => {
		for (const { text, location } of errors) {
			log(`  ✗ ${location ? `${location.file}:${location.line} ` : ''}${text}`);
		}
		const isFirst = written.size === 0;
		const changed = outputFiles.filter(({ path, hash }) => written.get(path) !== hash);
		for (const { path, hash, contents } of changed) {
			await mkdir(dirname(path), { recursive: true });
			await writeFile(path, contents);
			written.set(path, hash);
		}
		if (!isFirst && changed.length > 0) log('  ✓ Built the change; n8n takes it over');
	};
	const build = await context({
		absWorkingDir: root,
		entryPoints: SOURCES.map((folder) => `${folder}/**/*.*`),
		outbase: '.',
		outdir: dist,
		write: false,
		platform: 'node',
		format: 'cjs',
		target: 'es2022',
		sourcemap: 'inline',
		loader: { '.json': 'copy', '.svg': 'copy' },
		logLevel: 'silent',
		plugins: [{ name: 'write', setup: ({ onEnd }) => onEnd(write) }],
	});
	const rebuild = async () => void (await build.rebuild().catch(() => undefined));
	let built = rebuild();
	await built;
	// esbuild's own watching looks around for two seconds; the operating system tells at once.
	let saved: NodeJS.Timeout | undefined;
	const watchers = SOURCES.map((folder) =>
		watch(join(root, folder), { recursive: true }, () => {
			clearTimeout(saved);
			// Joined to a build under way, it could find the file as it was before.
			saved = setTimeout(() => (built = built.then(rebuild)), SAVED_WITHIN_MS);
		}),
	);
	return {
		stop: async () => {
			clearTimeout(saved);
			for (const watcher of watchers) watcher.close();
			await build.dispose();
		},
	};
};
