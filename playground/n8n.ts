import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import axios from 'axios';
import { freePort, LOOPBACK } from './machine';
import { OWN_GROUP, signalGroup } from './processGroup';
import { diskIsFull, saysDiskIsFull, Trouble } from './trouble';

/** What an n8n process is started with. */
export type N8nStart = {
	nodePath: string;
	/** n8n's own start script. */
	script: string;
	userFolder: string;
	logFile: string;
	port: number;
	/** What n8n is told to do, or to be; default `start`, a whole n8n. */
	command?: string[];
	/** What answers with a JSON object once n8n is ready; default what the editor asks first. */
	readyPath?: string;
	/** What people call it; default n8n. */
	name?: string;
	/** Settings of n8n beside the playground's own. */
	environment?: Record<string, string>;
};

const READY_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 200;
const STOP_WITHIN_MS = 15_000;
const SHOWN_LOG_LINES = 15;

/** A running n8n and everything it starts. */
export class N8nProcess {
	/** Settles, with what to say, when n8n ends without having been stopped. */
	readonly broken: Promise<Trouble>;

	/** Settles when n8n has ended, for whatever reason. */
	readonly ended: Promise<void>;
	private hasEnded = false;
	private isStopping = false;

	private constructor(
		private readonly child: ChildProcess,
		private readonly start: N8nStart,
	) {
		this.ended = new Promise((resolve) => {
			child.once('exit', () => resolve());
			// Where the executable is missing or may not be run.
			child.once('error', () => resolve());
		});
		this.broken = new Promise((resolve, reject) => {
			void this.ended.then(() => {
				this.hasEnded = true;
				if (!this.isStopping) this.endedTrouble().then(resolve, reject);
			});
		});
		this.broken.catch(() => undefined);
	}

	/** Starts n8n on loopback with a log of its own. */
	static async spawn(start: N8nStart): Promise<N8nProcess> {
		await mkdir(start.userFolder, { recursive: true });
		const brokerPort = await freePort();
		const log = openSync(start.logFile, 'w', 0o600);
		try {
			const child = spawn(
				start.nodePath,
				[
					'--require',
					join(__dirname, 'endWithParent.cjs'),
					start.script,
					...(start.command ?? ['start']),
				],
				{
					cwd: start.userFolder,
					env: { ...outerEnvironment(), ...settings(start, brokerPort), ...start.environment },
					// The channel tells n8n when this process goes away; see endWithParent.cjs.
					stdio: ['ignore', log, log, 'ipc'],
					...OWN_GROUP,
				},
			);
			return new N8nProcess(child, start);
		} finally {
			closeSync(log);
		}
	}

	/**
	 * Waits until n8n answers for itself: while it boots, the same port answers with waiting pages.
	 *
	 * @throws Trouble when n8n ends before that, or takes three minutes.
	 */
	async ready(signal?: AbortSignal): Promise<void> {
		const startedAt = Date.now();
		while (!(await this.answers())) {
			signal?.throwIfAborted();
			if (this.hasEnded) throw await this.broken;
			if (Date.now() - startedAt > READY_WITHIN_MS) {
				throw new Trouble(
					`${this.name} was not ready within ${READY_WITHIN_MS / 60_000} minutes.`,
					`Its whole log is in ${this.start.logFile}; a machine with less to do may get further.`,
					await this.lastLogLines(),
				);
			}
			await pause(LOOK_EVERY_MS);
		}
	}

	private get name(): string {
		return this.start.name ?? 'n8n';
	}

	private async endedTrouble(): Promise<Trouble> {
		const lines = await this.lastLogLines();
		if (saysDiskIsFull(lines.join('\n')))
			return diskIsFull(`${this.name} was running`, this.start.userFolder);
		return new Trouble(
			`${this.name} ended by itself (${this.child.signalCode ?? `code ${this.child.exitCode ?? 'none'}`}).`,
			`Its whole log is in ${this.start.logFile}. Start again; if it stays so, begin anew with: npm start -- --fresh`,
			lines,
		);
	}

	/** Ends n8n and everything it started; returns when all of it is gone. */
	async stop(): Promise<void> {
		this.isStopping = true;
		if (!this.hasEnded) {
			this.child.kill('SIGTERM');
			const waiting = new AbortController();
			await Promise.race([
				this.ended,
				pause(STOP_WITHIN_MS, undefined, { signal: waiting.signal }).catch(() => undefined),
			]);
			waiting.abort();
		}
		await this.kill();
	}

	/** Ends n8n and everything it started at once, in the middle of whatever it does, as a lost machine would. */
	async kill(): Promise<void> {
		this.isStopping = true;
		// What n8n started is in its group, and may outlive it.
		signalGroup(this.child, 'SIGKILL');
		await this.ended;
	}

	private async answers(): Promise<boolean> {
		try {
			const { data } = await axios.get<unknown>(
				`http://${LOOPBACK}:${this.start.port}${this.start.readyPath ?? '/rest/settings'}`,
				{ timeout: 5_000, validateStatus: (status) => status === 200, proxy: false },
			);
			return typeof data === 'object' && data !== null;
		} catch (error) {
			if (axios.isAxiosError(error)) return false;
			throw error;
		}
	}

	private async lastLogLines(): Promise<string[]> {
		const log = await readFile(this.start.logFile, 'utf8');
		return log
			.split('\n')
			.map((line) => line.trimEnd())
			.filter((line) => line !== '')
			.slice(-SHOWN_LOG_LINES);
	}
}

/** This process's environment without what would turn the playground's n8n into another one. */
const outerEnvironment = (): NodeJS.ProcessEnv =>
	Object.fromEntries(
		Object.entries(process.env).filter(
			([name]) =>
				!/^(N8N|DB|EXECUTIONS|QUEUE|CREDENTIALS|WORKFLOWS|NODES|NODE_FUNCTION|EXTERNAL)_/i.test(
					name,
				) && !/^(npm_.*|WEBHOOK_URL|NODE_OPTIONS|NODE_ENV|INIT_CWD|JEST_WORKER_ID)$/i.test(name),
		),
	);

const settings = ({ port, userFolder }: N8nStart, brokerPort: number): Record<string, string> => ({
	N8N_USER_FOLDER: userFolder,
	N8N_LISTEN_ADDRESS: LOOPBACK,
	N8N_HOST: LOOPBACK,
	N8N_PORT: String(port),
	WEBHOOK_URL: `http://${LOOPBACK}:${port}/`,
	N8N_EDITOR_BASE_URL: `http://${LOOPBACK}:${port}/`,
	N8N_RUNNERS_BROKER_PORT: String(brokerPort),
	// Plain http on loopback: a browser would not send a secure cookie back.
	N8N_SECURE_COOKIE: 'false',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_DISABLED_MODULES: 'mcp-registry',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '10',
});
