import { dirname, join } from 'node:path';
import { N8nProcess, type N8nStart } from '../n8n';
import type { Trouble } from '../trouble';

/** One of several n8n processes, which can be stopped or killed and started again. */
export class RestartableN8n {
	/** Resolves, with what to tell people, when the process ends although nobody stopped it. */
	readonly broken: Promise<Trouble>;

	private reportBroken: (trouble: Trouble) => void = () => {};

	private process?: N8nProcess;

	private starts = 0;

	constructor(private readonly settings: N8nStart & { name: string }) {
		this.broken = new Promise((resolve) => {
			this.reportBroken = resolve;
		});
	}

	get name(): string {
		return this.settings.name;
	}

	/** The process's own URL, which bypasses the balancer. */
	get url(): string {
		return `http://127.0.0.1:${this.settings.port}`;
	}

	/** The log files of all its starts. */
	get logs(): string[] {
		return Array.from({ length: this.starts }, (_, at) => this.logFile(at + 1));
	}

	/** Starts the process and waits until it is ready. */
	async start(signal?: AbortSignal): Promise<void> {
		this.starts += 1;
		const started = await N8nProcess.spawn({
			...this.settings,
			logFile: this.logFile(this.starts),
		});
		this.process = started;
		void started.broken.then(this.reportBroken, () => undefined);
		await started.ready(signal);
	}

	/** Kills the process at once, in the middle of whatever it does. */
	async kill(): Promise<void> {
		await this.process?.kill();
	}

	/** Stops the process, and gives it time to finish. */
	async stop(): Promise<void> {
		await this.process?.stop();
	}

	private logFile(start: number): string {
		const { logFile, name } = this.settings;
		return start === 1
			? logFile
			: join(dirname(logFile), `${name.replaceAll(' ', '-')}-${start}.log`);
	}
}
