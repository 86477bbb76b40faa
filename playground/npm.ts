import { spawn } from 'node:child_process';
import { basename, join } from 'node:path';
import { OWN_GROUP, signalGroup } from './processGroup';
import { diskIsFull, saysDiskIsFull, Trouble } from './trouble';

/** How npm is run. */
export type NpmRun = {
	args: string[];
	folder: string;
	/** What messages say npm was doing, for example "installing n8n". */
	doing: string;
	/** The Node that runs npm, for which packages are built; default the one of this process. */
	node?: string;
	environment?: Record<string, string>;
	/** Ends npm when it fires. */
	signal?: AbortSignal;
};

const REGISTRY_SILENT =
	/ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|FETCH_ERROR|network timeout|npm error code E5\d\d/;
const LOCK_MISMATCH = /npm error code EUSAGE/;
const OTHER_CONTENT = /npm error code (EINTEGRITY|ETARGET|E404)/;
/** When npm cannot write a file it only prints a warning, continues for minutes and ends with success. */
const COULD_NOT_WRITE = /TAR_ENTRY_ERROR/;
const NOISE =
	/A complete log of this run|^npm warn (?!tar)|^npm error\s+at |^npm error(   \w+: .*| })?$/;

/** Makes npm give up after about 20 seconds when the registry does not answer; by default it waits over a minute. */
export const SHORT_WAIT_FOR_REGISTRY = [
	'--fetch-retries=3',
	'--fetch-retry-mintimeout=1000',
	'--fetch-retry-maxtimeout=10000',
];

/**
 * Runs npm and waits until it ends; shows nothing.
 *
 * @returns what npm printed to its standard output
 * @throws Trouble that explains in plain words why npm did not succeed
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
			// The channel tells npm when this process goes away; see endGroupWithParent.cjs.
			stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
			shell: command === 'npm' && process.platform === 'win32',
			...OWN_GROUP,
		});
		// At SIGTERM npm would first undo what it did, which takes minutes; the next run starts over anyway.
		const end = () => signalGroup(child, 'SIGKILL');
		run.signal?.addEventListener('abort', end);
		let output = '';
		let complaints = '';
		child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
		child.stderr?.on('data', (chunk: Buffer) => {
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
		throw explainNpmOutput(run, `${output}\n${complaints}`);
	}
	return output;
};

/** Explains npm's output to a person. */
export const explainNpmOutput = (
	{ doing, folder }: Pick<NpmRun, 'doing' | 'folder'>,
	output: string,
) => {
	const lines = output
		.split('\n')
		.map((line) => line.trimEnd())
		.filter((line) => line !== '' && !NOISE.test(line));
	const firstLines = lines.slice(0, 4);
	if (saysDiskIsFull(output)) return diskIsFull(doing, folder);
	if (REGISTRY_SILENT.test(output)) {
		return new Trouble(
			`The npm registry did not answer while ${doing}.`,
			"Check the connection (npm ping shows it) and npm's proxy settings, then run the command again.",
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
		'Its last lines say why. Correct that and run the command again.',
		lines.slice(-12),
	);
};

/** The playground's package.json asks for other versions than its lock file holds. */
export const lockMismatch = (doing: string, lines: string[] = []): Trouble =>
	new Trouble(
		`The playground's package.json and package-lock.json do not match, found while ${doing}.`,
		'Restore both from the repository (git checkout -- playground) and run the command again.',
		lines,
	);

const END_WITH_PARENT = ['--require', join(__dirname, 'endGroupWithParent.cjs')];

/** Runs the npm that started this process with the given Node; without one, the npm on the PATH. */
const npmCommand = (node: string, args: string[]): { command: string; args: string[] } => {
	const script = process.env.npm_execpath;
	return script !== undefined && /^npm(-cli)?\.[cm]?js$/.test(basename(script))
		? { command: node, args: [...END_WITH_PARENT, script, ...args] }
		: { command: 'npm', args };
};

/**
 * The environment without the settings that an outer npm passes on from its own project, above all
 * `ignore-scripts=true`. The user's registry, proxy and cache settings stay.
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
