import { dirname, join } from 'node:path';
import { N8nProcess, type N8nStart } from '../n8n';
import type { Trouble } from '../trouble';

/** One n8n process of several, which can go down and come back. */
export class Member {
	/** Settles, with what to say, when the process ends without having been asked to. */
	readonly broken: Promise<Trouble>;

	private isBroken: (trouble: Trouble) => void = () => {};

	private process?: N8nProcess;

	private starts = 0;

	constructor(private readonly settings: N8nStart & { name: string }) {
		this.broken = new Promise((resolve) => {
			this.isBroken = resolve;
		});
	}

	get name(): string {
		return this.settings.name;
	}

	/** The process's own address, past the balancer. */
	get url(): string {
		return `http://127.0.0.1:${this.settings.port}`;
	}

	/** Logs of all its starts. */
	get logs(): string[] {
		return Array.from({ length: this.starts }, (_, at) => this.logOf(at + 1));
	}

	/** Starts the process and waits until it can be used. */
	async start(signal?: AbortSignal): Promise<void> {
		this.starts += 1;
		const started = await N8nProcess.spawn({ ...this.settings, logFile: this.logOf(this.starts) });
		this.process = started;
		void started.broken.then(this.isBroken, () => undefined);
		await started.ready(signal);
	}

	/** Ends the process at once, in the middle of whatever it does. */
	async kill(): Promise<void> {
		await this.process?.kill();
	}

	/** Ends the process in good order. */
	async stop(): Promise<void> {
		await this.process?.stop();
	}

	private logOf(start: number): string {
		const { logFile, name } = this.settings;
		return start === 1
			? logFile
			: join(dirname(logFile), `${name.replaceAll(' ', '-')}-${start}.log`);
	}
}
