import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFiles } from '../../../playground/folders';
import { freePort } from '../../../playground/machine';
import {
	startPlayground,
	type Playground,
	type PlaygroundStart,
} from '../../../playground/playground';
import { readN8nLog, showingLog } from './n8nLog';

/** What a temporary playground is started with; ports and data folder are its own. */
export type TemporaryStart = Omit<
	Partial<PlaygroundStart>,
	'sandboxPort' | 'n8nPort' | 'dataFolder'
>;

/** A playground on free ports and with its own data folder, which can be stopped and started again. */
export class TemporaryPlayground {
	/** What the last start has printed, and the playground since then. */
	readonly printed: string[] = [];

	private started?: Playground;

	private constructor(
		readonly dataFolder: string,
		public ports: { sandboxPort: number; n8nPort: number },
		private readonly options: TemporaryStart,
	) {}

	/** Starts a playground. `removeAll` stops it and removes its data folder. */
	static async start(options: TemporaryStart = {}): Promise<TemporaryPlayground> {
		const dataFolder = await mkdtemp(join(tmpdir(), 'two-way-messaging-playground-'));
		const temporary = new TemporaryPlayground(dataFolder, await freePorts(), options);
		try {
			await temporary.startAgain();
		} catch (error) {
			await temporary.removeAll();
			throw error;
		}
		return temporary;
	}

	get running(): Playground {
		if (!this.started) throw new Error('The playground does not run');
		return this.started;
	}

	/** Starts the playground again with the same data, on the same ports or on others. */
	async startAgain(ports = this.ports): Promise<void> {
		this.ports = ports;
		this.printed.length = 0;
		try {
			this.started = await startPlayground({
				...this.options,
				...ports,
				dataFolder: this.dataFolder,
				log: (line, kind) => {
					if (kind !== 'passing') this.printed.push(line);
					this.options.log?.(line, kind);
				},
			});
		} catch (error) {
			process.stderr.write(`${this.printed.join('\n')}\n${await this.readLog()}\n`);
			throw error;
		}
	}

	async stop(): Promise<void> {
		await this.started?.stop();
	}

	async removeAll(): Promise<void> {
		await this.stop();
		await rm(this.dataFolder, { recursive: true, force: true });
	}

	async readLog(): Promise<string> {
		return await readN8nLog(dataFiles(this.dataFolder).n8nLog);
	}

	/** Runs the body of a test, and shows n8n's log when it fails. */
	async showingLog(body: () => Promise<void>): Promise<void> {
		await showingLog(async () => await this.readLog(), body);
	}
}

export const freePorts = async () => ({ sandboxPort: await freePort(), n8nPort: await freePort() });
