import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { signalGroup } from './processGroup';
import { diskIsFull, saysDiskIsFull, Trouble } from './trouble';

/** A program's name in messages, its log file, and the folder that it runs in. */
export type ProgramStart = { name: string; logFile: string; folder: string };

const READY_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 200;
const STOP_WITHIN_MS = 20_000;
const SHOWN_LOG_LINES = 15;

/** A running server and every process that it starts, in their own process group. */
export class Program {
	/** Resolves, with what to tell people, when the program ends although nobody stopped it. */
	readonly broken: Promise<Trouble>;

	/** Resolves when the program has ended, for whatever reason. */
	readonly ended: Promise<void>;

	private hasEnded = false;

	private isStopping = false;

	private constructor(
		private readonly child: ChildProcess,
		private readonly start: ProgramStart,
	) {
		this.ended = new Promise((resolve) => {
			child.once('exit', () => resolve());
			// The executable is missing or cannot be run.
			child.once('error', () => resolve());
		});
		this.broken = new Promise((resolve, reject) => {
			void this.ended.then(() => {
				this.hasEnded = true;
				if (!this.isStopping) this.explainEnd().then(resolve, reject);
			});
		});
		this.broken.catch(() => undefined);
	}

	/** The ID of its process; undefined where it could not be started. */
	get pid(): number | undefined {
		return this.child.pid;
	}

	/**
	 * Starts a program with its own log file.
	 *
	 * @param spawn starts it in its own process group and sends its output to the log file
	 */
	static start(start: ProgramStart, spawn: (log: number) => ChildProcess): Program {
		const log = openSync(start.logFile, 'w', 0o600);
		try {
			return new Program(spawn(log), start);
		} finally {
			closeSync(log);
		}
	}

	/**
	 * Waits until the program is ready.
	 *
	 * @throws Trouble when it ends before that, or takes longer than three minutes
	 */
	async ready(isReady: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
		const startedAt = Date.now();
		while (!(await isReady())) {
			signal?.throwIfAborted();
			if (this.hasEnded) throw await this.broken;
			if (Date.now() - startedAt > READY_WITHIN_MS) {
				throw new Trouble(
					`${this.start.name} was not ready within ${READY_WITHIN_MS / 60_000} minutes.`,
					`Its whole log is in ${this.start.logFile}; it may work when the machine has less to do.`,
					await this.lastLogLines(),
				);
			}
			await pause(LOOK_EVERY_MS);
		}
	}

	/** Stops the program and everything it started; returns when all of it is gone. */
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

	/** Kills the program and everything it started, in the middle of whatever it does. */
	async kill(): Promise<void> {
		this.isStopping = true;
		// The processes that the program started are in its group, and may outlive it.
		signalGroup(this.child, 'SIGKILL');
		await this.ended;
	}

	private async explainEnd(): Promise<Trouble> {
		const { name, folder, logFile } = this.start;
		const { signalCode, exitCode } = this.child;
		const lines = await this.lastLogLines();
		if (saysDiskIsFull(lines.join('\n'))) return diskIsFull(`${name} was running`, folder);
		return new Trouble(
			signalCode === null
				? `${name} ended by itself (code ${exitCode ?? 'none'}).`
				: `${name} was ended by a signal (${signalCode}).`,
			`Its whole log is in ${logFile}. Start it again; if that does not help, start over with: npm start -- --fresh`,
			lines,
		);
	}

	private async lastLogLines(): Promise<string[]> {
		const log = await readFile(this.start.logFile, 'utf8');
		const lines = log.split('\n').map((line) => line.trimEnd());
		return lines.filter((line) => line !== '').slice(-SHOWN_LOG_LINES);
	}
}
