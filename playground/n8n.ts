import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axios from 'axios';
import type { FolderLock } from './folderLock';
import { freePort, LOOPBACK } from './machine';
import { OWN_GROUP } from './processGroup';
import { Program } from './program';
import type { Trouble } from './trouble';

/** What an n8n process is started with. */
export type N8nStart = {
	nodePath: string;
	/** n8n's own start script. */
	script: string;
	userFolder: string;
	logFile: string;
	port: number;
	/** The n8n command to run; default `start`, which runs all of n8n. */
	command?: string[];
	/** The path that answers with a JSON object once n8n is ready; default the one that the editor asks first. */
	readyPath?: string;
	/** The name that messages give it; default n8n. */
	name?: string;
	/** The lock of the data folder, which n8n keeps as well for as long as it runs. */
	dataLock?: FolderLock;
	/** The port on which it listens for a debugger; without one it does not listen. */
	inspectPort?: number;
	/** Settings of n8n, in addition to the playground's own. */
	environment?: Record<string, string>;
};

/** A running n8n and everything it starts. */
export class N8nProcess {
	private constructor(
		private readonly program: Program,
		private readonly start: N8nStart,
	) {}

	/** Resolves, with what to tell people, when n8n ends although nobody stopped it. */
	get broken(): Promise<Trouble> {
		return this.program.broken;
	}

	/** Resolves when n8n has ended, for whatever reason. */
	get ended(): Promise<void> {
		return this.program.ended;
	}

	/** The ID of n8n's own process. */
	get pid(): number | undefined {
		return this.program.pid;
	}

	/** Starts n8n on loopback, with its own log file. */
	static async spawn(start: N8nStart): Promise<N8nProcess> {
		const { name = 'n8n', logFile, userFolder: folder } = start;
		await mkdir(folder, { recursive: true });
		const brokerPort = await freePort();
		const endWithParent = ['--require', join(__dirname, 'endWithParent.cjs')];
		const inspect = start.inspectPort ? [`--inspect=${LOOPBACK}:${start.inspectPort}`] : [];
		const command = [...inspect, ...endWithParent, start.script, ...(start.command ?? ['start'])];
		const env = { ...outerEnvironment(), ...settings(start, brokerPort), ...start.environment };
		const program = Program.start({ name, logFile, folder }, (log) =>
			// The channel tells n8n when this process goes away; see endWithParent.cjs.
			spawn(start.nodePath, command, {
				cwd: folder,
				env,
				stdio: [
					'ignore',
					log,
					log,
					'ipc',
					...(start.dataLock ? [start.dataLock.fileDescriptor] : []),
				],
				...OWN_GROUP,
			}),
		);
		return new N8nProcess(program, start);
	}

	/**
	 * Waits until n8n is ready. While it boots, the same port already answers with waiting pages.
	 *
	 * @throws Trouble when n8n ends before that, or takes longer than three minutes
	 */
	async ready(signal?: AbortSignal): Promise<void> {
		await this.program.ready(async () => await this.answers(), signal);
	}

	/** Stops n8n and everything it started; returns when all of it is gone. */
	async stop(): Promise<void> {
		await this.program.stop();
	}

	/** Kills n8n and everything it started, in the middle of whatever it does, as if the machine had lost power. */
	async kill(): Promise<void> {
		await this.program.kill();
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
}

/** This process's environment, without the settings that would change the playground's n8n. */
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
	// Without it, times in texts are New York's, and the phone shows the computer's.
	GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
	N8N_LISTEN_ADDRESS: LOOPBACK,
	N8N_HOST: LOOPBACK,
	N8N_PORT: String(port),
	WEBHOOK_URL: `http://${LOOPBACK}:${port}/`,
	N8N_EDITOR_BASE_URL: `http://${LOOPBACK}:${port}/`,
	N8N_RUNNERS_BROKER_PORT: String(brokerPort),
	// A browser would not send a secure cookie back over http.
	N8N_SECURE_COOKIE: 'false',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	// The module `insights` ends n8n at a start that finds an execution which was killed before it had a start time.
	N8N_DISABLED_MODULES: 'mcp-registry,insights',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '10',
});
