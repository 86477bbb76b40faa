import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { signalGroup } from './processGroup';
import { diskIsFull, saysDiskIsFull, Trouble } from './trouble';

/** What people have to know of a program: what to call it, and where it runs and writes. */
export type ProgramStart = { name: string; logFile: string; folder: string };

const READY_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 200;
const STOP_WITHIN_MS = 20_000;
const SHOWN_LOG_LINES = 15;

/** A running server and everything it starts, in a process group of its own. */
export class Program {
	/** Settles, with what to say, when the program ends without having been stopped. */
	readonly broken: Promise<Trouble>;

	/** Settles when the program has ended, for whatever reason. */
	readonly ended: Promise<void>;

	private hasEnded = false;

	private isStopping = false;

	private constructor(
		private readonly child: ChildProcess,
		private readonly start: ProgramStart,
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

	/**
	 * Starts a program with a log of its own.
	 *
	 * @param spawn starts it in a group of its own, with its output going to the log
	 */
	static begin(start: ProgramStart, spawn: (log: number) => ChildProcess): Program {
		const log = openSync(start.logFile, 'w', 0o600);
		try {
			return new Program(spawn(log), start);
		} finally {
			closeSync(log);
		}
	}

	/**
	 * Waits until the program can be used.
	 *
	 * @throws Trouble when it ends before that, or takes three minutes
	 */
	async ready(isReady: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
		const startedAt = Date.now();
		while (!(await isReady())) {
			signal?.throwIfAborted();
			if (this.hasEnded) throw await this.broken;
			if (Date.now() - startedAt > READY_WITHIN_MS) {
				throw new Trouble(
					`${this.start.name} was not ready within ${READY_WITHIN_MS / 60_000} minutes.`,
					`Its whole log is in ${this.start.logFile}; a machine with less to do may get further.`,
					await this.lastLogLines(),
				);
			}
			await pause(LOOK_EVERY_MS);
		}
	}

	/** Ends the program and everything it started; returns when all of it is gone. */
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

	/** Ends the program and everything it started at once, in the middle of whatever it does, as a lost machine would. */
	async kill(): Promise<void> {
		this.isStopping = true;
		// What the program started is in its group, and may outlive it.
		signalGroup(this.child, 'SIGKILL');
		await this.ended;
	}

	private async endedTrouble(): Promise<Trouble> {
		const { name, folder, logFile } = this.start;
		const lines = await this.lastLogLines();
		if (saysDiskIsFull(lines.join('\n'))) return diskIsFull(`${name} was running`, folder);
		return new Trouble(
			`${name} ended by itself (${this.child.signalCode ?? `code ${this.child.exitCode ?? 'none'}`}).`,
			`Its whole log is in ${logFile}. Start again; if it stays so, begin anew with: npm start -- --fresh`,
			lines,
		);
	}

	private async lastLogLines(): Promise<string[]> {
		const log = await readFile(this.start.logFile, 'utf8');
		const lines = log.split('\n').map((line) => line.trimEnd());
		return lines.filter((line) => line !== '').slice(-SHOWN_LOG_LINES);
	}
}
