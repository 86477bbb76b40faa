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

const REGISTRY_SILENT =
	/ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|FETCH_ERROR|network timeout|npm error code E5\d\d/;
const LOCK_MISMATCH = /npm error code EUSAGE/;
const OTHER_CONTENT = /npm error code (EINTEGRITY|ETARGET|E404)/;
/** npm merely warns of files it could not write, goes on for minutes and ends with success. */
const COULD_NOT_WRITE = /TAR_ENTRY_ERROR/;
const NOISE =
	/A complete log of this run|^npm warn (?!tar)|^npm error\s+at |^npm error(   \w+: .*| })?$/;

/** npm waits over a minute for a registry that is not there; this is about 20 seconds. */
export const SHORT_WAIT_FOR_REGISTRY = [
	'--fetch-retries=3',
	'--fetch-retry-mintimeout=1000',
	'--fetch-retry-maxtimeout=10000',
];

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
		// Asked politely, npm first undoes what it did, for minutes; whoever calls begins anew anyway.
		const end = () => signalGroup(child, 'SIGKILL');
		run.signal?.addEventListener('abort', end);
		let output = '';
		let complaints = '';
		child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
		child.stderr.on('data', (chunk: Buffer) => {
			complaints += chunk.toString();
			if (COULD_NOT_WRITE.test(complaints)) end();
		});
		child.once('error', reject);
		child.once('close', (code) => {
			run.signal?.removeEventListener('abort', end);
			resolve({ code, output, complaints });
		});
	});
	run.signal?.throwIfAborted();
	if (code !== 0 || COULD_NOT_WRITE.test(complaints)) {
		throw npmTrouble(run, `${output}\n${complaints}`);
	}
	return output;
};

/** What npm's output means for a person. */
export const npmTrouble = ({ doing, folder }: Pick<NpmRun, 'doing' | 'folder'>, output: string) => {
	const lines = output
		.split('\n')
		.map((line) => line.trimEnd())
		.filter((line) => line !== '' && !NOISE.test(line));
	const firstLines = lines.slice(0, 4);
	if (saysDiskIsFull(output)) return diskIsFull(doing, folder);
	if (REGISTRY_SILENT.test(output)) {
		return new Trouble(
			`The npm registry did not answer while ${doing}.`,
			"Check the connection (npm ping tells) and npm's proxy settings, then run the command again.",
			firstLines,
		);
	}
	if (LOCK_MISMATCH.test(output)) return lockMismatch(doing, firstLines);
	if (OTHER_CONTENT.test(output)) {
		return new Trouble(
			`The npm registry does not serve what the lock file names, found while ${doing}.`,
			'Check which registry npm uses (npm config get registry), then run the command again.',
			firstLines,
		);
	}
	return new Trouble(
		`npm stopped while ${doing}.`,
		'Its last lines say why; when that is mended, run the command again.',
		lines.slice(-12),
	);
};

/** The playground's package.json asks for something else than its lock file holds. */
export const lockMismatch = (doing: string, lines: string[] = []): Trouble =>
	new Trouble(
		`The playground's package.json and package-lock.json do not fit together, found while ${doing}.`,
		'Bring both back to what the repository holds (git checkout -- playground) and run the command again.',
		lines,
	);

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
