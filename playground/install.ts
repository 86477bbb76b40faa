import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import type { Node } from './node';
import { lockMismatch, runNpm, SHORT_WAIT_FOR_REGISTRY } from './npm';
import { Trouble } from './trouble';

/** A version of n8n that a package.json and its lock file pin. */
export type N8nRelease = {
	version: string;
	/** Holds the package.json and the lock file. */
	folder: string;
	/** The name of the folder that it is installed into. */
	installedAs: string;
};

const readRelease = (folder: string, installedAs: string): N8nRelease => {
	const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
		dependencies: { n8n: string };
	};
	return { version: manifest.dependencies.n8n, folder, installedAs };
};

/** The n8n that `npm start` runs. */
export const N8N = readRelease(__dirname, 'n8n');

/** The newest n8n 1.x, in which a test runs the nodes as well. */
export const N8N_1 = readRelease(join(__dirname, 'n8n-1'), 'n8n-1');

/** The packages of n8n whose install scripts run on this machine, because they are built here; no other script runs. */
const NATIVE_PARTS = ['sqlite3', 'isolated-vm'];

/** Checks that a lock file holds the pinned n8n. npm itself would say that a package is missing from the registry. */
const checkLock = async (lockFile: string, version: string): Promise<void> => {
	const lock = JSON.parse(await readFile(lockFile, 'utf8')) as {
		packages: Record<string, { version?: string }>;
	};
	if (lock.packages['node_modules/n8n']?.version !== version) {
		throw lockMismatch('installing n8n');
	}
};

/** The place where one n8n is installed, or will be. */
export class N8nInstallation {
	private readonly folder: string;
	private readonly marker: string;

	private readonly lock: string;

	constructor(
		installFolder: string,
		private readonly release: N8nRelease,
	) {
		this.folder = join(installFolder, release.installedAs);
		this.lock = join(release.folder, 'package-lock.json');
		this.marker = join(this.folder, 'installed.json');
	}

	/** The script that starts n8n. */
	get script(): string {
		return join(this.folder, 'node_modules', 'n8n', 'bin', 'n8n');
	}

	/**
	 * Whether the n8n of the lock file is completely installed for this major version of Node. An installation
	 * that was interrupted, or was made from another lock file, does not count.
	 */
	async isComplete(nodeMajor: number): Promise<boolean> {
		if (!existsSync(this.marker)) return false;
		return (await readFile(this.marker, 'utf8')) === (await this.fingerprint(nodeMajor));
	}

	/** Downloads all packages of the lock file, and replaces whatever was installed before. */
	async download(node: Node, signal?: AbortSignal): Promise<void> {
		await checkLock(this.lock, this.release.version);
		await mkdir(this.folder, { recursive: true });
		await rm(this.marker, { force: true });
		await copyFile(join(this.release.folder, 'package.json'), join(this.folder, 'package.json'));
		await copyFile(this.lock, join(this.folder, 'package-lock.json'));
		await this.npm(
			['ci', '--omit=dev', '--ignore-scripts', ...SHORT_WAIT_FOR_REGISTRY],
			'installing n8n',
			node,
			signal,
		).catch(async (error: unknown) => {
			// Half of n8n is of no use, and takes space on a disk that may be full.
			if (error instanceof Trouble) {
				await rm(join(this.folder, 'node_modules'), { recursive: true, force: true });
			}
			throw error;
		});
	}

	/** Builds the native parts, and then marks the installation as complete. */
	async build(node: Node, signal?: AbortSignal): Promise<void> {
		await this.npm(
			['rebuild', ...NATIVE_PARTS, '--ignore-scripts=false'],
			"building n8n's native parts",
			node,
			signal,
		).catch((error: unknown) => {
			if (!(error instanceof Trouble) || !/node-gyp|gyp ERR|prebuild/.test(error.message))
				throw error;
			throw new Trouble(
				"n8n's database driver could not be built on this machine.",
				'It takes Python 3, make and a C++ compiler (Debian: apt-get install python3 build-essential; macOS: xcode-select --install). Install them and run the command again.',
				error.lastLines,
			);
		});
		await writeFile(this.marker, await this.fingerprint(node.major));
	}

	private async npm(
		args: string[],
		doing: string,
		node: Node,
		signal?: AbortSignal,
	): Promise<void> {
		await runNpm({
			args: [...args, '--no-audit', '--no-fund', '--loglevel=warn'],
			folder: this.folder,
			doing,
			node: node.path,
			signal,
			environment: {
				// Build scripts run whatever `node` is on the PATH: it must be the Node that will load what they build.
				PATH: `${dirname(node.path)}${delimiter}${process.env.PATH ?? ''}`,
				...(node.headersFolder && { npm_config_nodedir: node.headersFolder }),
			},
		});
	}

	private async fingerprint(nodeMajor: number): Promise<string> {
		const lock = createHash('sha256')
			.update(await readFile(this.lock))
			.digest('hex');
		return `${JSON.stringify({ lock, node: nodeMajor, system: `${process.platform}-${process.arch}` })}\n`;
	}
}
