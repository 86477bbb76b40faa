import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { OWN_GROUP, signalGroup } from '../processGroup';
import { Trouble } from '../trouble';

/** A server beside n8n: what to run, and what to call it. */
export type ProgramStart = {
	name: string;
	command: string[];
	logFile: string;
	folder: string;
};

const READY_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;
const STOP_WITHIN_MS = 20_000;
const SHOWN_LOG_LINES = 10;

/** A running server of another kind than n8n, in a group of its own. */
export class Program {
	/** Settles, with what to say, when the program ends without having been stopped. */
	readonly broken: Promise<Trouble>;

	private readonly ended: Promise<void>;

	private hasEnded = false;

	private isStopping = false;

	private constructor(
		private readonly child: ChildProcess,
		private readonly start: ProgramStart,
	) {
		this.ended = new Promise((resolve) => {
			child.once('exit', () => resolve());
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

	/** Starts the program; it ends with this process, however that ends. */
	static spawn(start: ProgramStart): Program {
		const log = openSync(start.logFile, 'w', 0o600);
		try {
			const child = spawn(process.execPath, [join(__dirname, 'guard.cjs'), ...start.command], {
				cwd: start.folder,
				stdio: ['ignore', log, log, 'ipc'],
				...OWN_GROUP,
			});
			return new Program(child, start);
		} finally {
			closeSync(log);
		}
	}

	/**
	 * Waits until the program can be used.
	 *
	 * @throws Trouble when it ends before that, or takes a minute
	 */
	async ready(isReady: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
		const startedAt = Date.now();
		while (!(await isReady())) {
			signal?.throwIfAborted();
			if (this.hasEnded) throw await this.broken;
			if (Date.now() - startedAt > READY_WITHIN_MS) {
				throw new Trouble(
					`${this.start.name} was not ready within ${READY_WITHIN_MS / 1_000} seconds.`,
					`Its whole log is in ${this.start.logFile}; a machine with less to do may get further.`,
					await this.lastLogLines(),
				);
			}
			await pause(LOOK_EVERY_MS);
		}
	}

	/** Ends the program; returns when it is gone. */
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
		signalGroup(this.child, 'SIGKILL');
		await this.ended;
	}

	private async endedTrouble(): Promise<Trouble> {
		return new Trouble(
			`${this.start.name} ended by itself (${this.child.signalCode ?? `code ${this.child.exitCode ?? 'none'}`}).`,
			`Its whole log is in ${this.start.logFile}. Start again; if it stays so, begin anew with: npm run start:queue -- --fresh`,
			await this.lastLogLines(),
		);
	}

	private async lastLogLines(): Promise<string[]> {
		const log = await readFile(this.start.logFile, 'utf8');
		const lines = log.split('\n').map((line) => line.trimEnd());
		return lines.filter((line) => line !== '').slice(-SHOWN_LOG_LINES);
	}
}
