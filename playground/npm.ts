import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { OWN_GROUP, signalGroup } from './processGroup';
import { diskIsFull, saysDiskIsFull, Trouble } from './trouble';

/** How npm is to be run. */
export type NpmRun = {
	args: string[];
	folder: string;
	/** For messages: "installing n8n". */
	doing: string;
	/** The Node that runs npm, and that packages are built for; default: the one of this process. */
	node?: string;
	environment?: Record<string, string>;
	/** Ends npm when it fires. */
	signal?: AbortSignal;
};

const KEPT_LINES = 12;

const REGISTRY_SILENT =
	/ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|FETCH_ERROR|network timeout|npm error code E5\d\d/;
const LOCK_MISMATCH = /can only install (packages )?(when|with)|EUSAGE|package-lock\.json/;
const OTHER_CONTENT = /EINTEGRITY|ETARGET|npm error code E404/;

/**
 * Runs npm to its end, in silence.
 *
 * @returns what npm printed to its standard output.
 * @throws Trouble that says in people's words what npm stumbled over.
 */
export const runNpm = async (run: NpmRun): Promise<string> => {
	run.signal?.throwIfAborted();
	const { command, args } = npmCommand(run.node ?? process.execPath, run.args);
	const { code, output, complaints } = await new Promise<{
		code: number | null;
		output: string;
		complaints: string;
	}>((resolve, reject) => {
		const child = spawn(command, args, {
			cwd: run.folder,
			env: { ...environmentForNpm(), ...run.environment },
			stdio: ['ignore', 'pipe', 'pipe'],
			shell: command === 'npm' && process.platform === 'win32',
			...OWN_GROUP,
		});
		const end = () => signalGroup(child, 'SIGTERM');
		run.signal?.addEventListener('abort', end);
		let output = '';
		let complaints = '';
		child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
		child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
		child.once('error', reject);
		child.once('close', (code) => {
			run.signal?.removeEventListener('abort', end);
			resolve({ code, output, complaints });
		});
	});
	run.signal?.throwIfAborted();
	if (code !== 0) throw npmTrouble(run, `${output}\n${complaints}`);
	return output;
};

/** What npm's output means for a person. */
export const npmTrouble = (run: Pick<NpmRun, 'doing' | 'folder'>, output: string): Trouble => {
	const lines = output
		.split('\n')
		.map((line) => line.trimEnd())
		.filter((line) => line !== '' && !/A complete log of this run|^npm warn/.test(line));
	const lastLines = lines.slice(-KEPT_LINES);
	if (saysDiskIsFull(output)) return diskIsFull(run.doing, run.folder);
	if (REGISTRY_SILENT.test(output)) {
		return new Trouble(
			`The npm registry did not answer while ${run.doing}.`,
			'Check the connection (npm ping tells) and the proxy settings of npm, then run the command again.',
			lastLines,
		);
	}
	if (OTHER_CONTENT.test(output)) {
		return new Trouble(
			`The npm registry does not serve what the lock file names, while ${run.doing}.`,
			'Check which registry npm uses (npm config get registry), then run the command again.',
			lastLines,
		);
	}
	if (LOCK_MISMATCH.test(output)) {
		return new Trouble(
			`package.json and package-lock.json do not fit together, while ${run.doing}.`,
			'Bring both back to what the repository holds (git checkout -- playground) and run the command again.',
			lastLines,
		);
	}
	return new Trouble(
		`npm did not get through ${run.doing}.`,
		'Its last lines say why; when that is mended, run the command again.',
		lastLines,
	);
};

/** The npm that started us, run by the wanted Node; else the one on the path. */
const npmCommand = (node: string, args: string[]): { command: string; args: string[] } => {
	const script = process.env.npm_execpath;
	return script !== undefined && /^npm(-cli)?\.[cm]?js$/.test(basename(script))
		? { command: node, args: [script, ...args] }
		: { command: 'npm', args };
};

/**
 * The environment without what an outer npm passes on of its own project, above all its
 * `ignore-scripts=true`; the user's registry, proxy and cache settings stay.
 */
const environmentForNpm = (): NodeJS.ProcessEnv =>
	Object.fromEntries(
		Object.entries(process.env).filter(
			([name]) =>
				!/^npm_(package|lifecycle)_/i.test(name) &&
				!/^npm_(command|config_(ignore_scripts|local_prefix|workspaces?|prefix|omit|include|dry_run|json))$/i.test(
					name,
				),
		),
	);
