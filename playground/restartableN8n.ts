import { dirname, join } from 'node:path';
import { LOOPBACK } from './machine';
import { N8nProcess, type N8nStart } from './n8n';
import type { Trouble } from './trouble';

/** An n8n process that can be stopped or killed, and started again. */
export class RestartableN8n {
	/** The process of the last start. */
	private process?: Promise<N8nProcess>;

	private starts = 0;

	private waitForEnd: Array<(trouble: Trouble) => void> = [];

	constructor(private readonly settings: N8nStart & { name: string }) {}

	get name(): string {
		return this.settings.name;
	}

	/** The process's own URL, which bypasses the balancer. */
	get url(): string {
		return `http://${LOOPBACK}:${this.settings.port}`;
	}

	/** The log files of all its starts. */
	get logs(): string[] {
		return Array.from({ length: this.starts }, (_, at) => this.logFile(at + 1));
	}

	/** The ID of the process of the last start. */
	async pid(): Promise<number | undefined> {
		return (await this.running())?.pid;
	}

	/** Resolves, with what to tell people, the next time that the process ends although nobody stopped it. */
	async nextEnd(): Promise<Trouble> {
		return await new Promise((resolve) => this.waitForEnd.push(resolve));
	}

	/** Starts the process, after whatever an earlier one has left, and waits until it is ready. */
	async start(signal?: AbortSignal): Promise<void> {
		this.starts += 1;
		this.process = this.spawn(this.running(), this.logFile(this.starts));
		const started = await this.process;
		void started.broken.then(
			(trouble) => this.waitForEnd.splice(0).forEach((resolve) => resolve(trouble)),
			() => undefined,
		);
		await started.ready(signal);
	}

	/** Kills the process at once, in the middle of whatever it does. */
	async kill(): Promise<void> {
		await (await this.running())?.kill();
	}

	/** Stops the process, and gives it time to finish. */
	async stop(): Promise<void> {
		await (await this.running())?.stop();
	}

	/** The process of the last start, even if it has ended; undefined where none could be started. */
	private async running(): Promise<N8nProcess | undefined> {
		return await this.process?.catch(() => undefined);
	}

	private async spawn(
		former: Promise<N8nProcess | undefined>,
		logFile: string,
	): Promise<N8nProcess> {
		// The processes that a killed n8n had started may outlive it.
		await (await former)?.kill();
		return await N8nProcess.spawn({ ...this.settings, logFile });
	}

	private logFile(start: number): string {
		const { logFile, name } = this.settings;
		return start === 1
			? logFile
			: join(dirname(logFile), `${name.replaceAll(' ', '-')}-${start}.log`);
	}
}
