import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderLock } from '../folderLock';
import { freePort } from '../machine';
import { RestartableN8n } from '../restartableN8n';

/** How many webhook processors and workers share the work. */
export const WEBHOOK_PROCESSORS = 2;
export const WORKERS = 2;

/** How many executions a worker runs at a time; n8n's own default. */
export const CONCURRENCY = 10;

/** What all n8n processes have in common. */
export type FleetSettings = {
	nodePath: string;
	/** n8n's own start script. */
	script: string;
	/** Holds a user folder for each process. */
	userFolder: string;
	/** Holds the installed package, which every process loads. */
	communityNodes: string;
	/** Holds a log for each process. */
	logs: string;
	/** The lock of the data folder, which every process keeps as well. */
	dataLock: FolderLock;
	environment: Record<string, string>;
};

/** The n8n processes of queue mode. None of them runs until it is started. */
export class N8nFleet {
	private constructor(
		readonly main: RestartableN8n,
		readonly webhooks: RestartableN8n[],
		readonly workers: RestartableN8n[],
	) {}

	/** Makes the processes, each with a port and a user folder of its own. */
	static async create(settings: FleetSettings): Promise<N8nFleet> {
		const main = await createProcess(settings, {
			name: 'main',
			command: ['start'],
			readyPath: '/rest/settings',
		});
		const webhooks = await createMany(WEBHOOK_PROCESSORS, async (number) =>
			createProcess(settings, {
				name: `webhook ${number}`,
				command: ['webhook'],
				readyPath: '/healthz/readiness',
			}),
		);
		const workers = await createMany(WORKERS, async (number) =>
			createProcess(settings, {
				name: `worker ${number}`,
				command: ['worker', `--concurrency=${CONCURRENCY}`],
				readyPath: '/healthz/readiness',
				portSetting: 'QUEUE_HEALTH_CHECK_PORT',
			}),
		);
		return new N8nFleet(main, webhooks, workers);
	}

	/** Every process. */
	get all(): RestartableN8n[] {
		return [this.main, ...this.others];
	}

	/** Starts the webhook processors and the workers, which need a main process that has set up the database. */
	async startOthers(signal?: AbortSignal): Promise<void> {
		await Promise.all(this.others.map(async (one) => await one.start(signal)));
	}

	/** Stops the webhook processors and the workers. */
	async stopOthers(): Promise<void> {
		await Promise.all(this.others.map(async (one) => await one.stop()));
	}

	private get others(): RestartableN8n[] {
		return [...this.webhooks, ...this.workers];
	}
}

/** What makes one process different from the others. */
type ProcessSettings = {
	name: string;
	command: string[];
	readyPath: string;
	/** The setting that takes the process's port, where it is not n8n's usual one. */
	portSetting?: string;
};

const createProcess = async (
	{ userFolder, communityNodes, logs, environment, ...n8n }: FleetSettings,
	{ portSetting, ...settings }: ProcessSettings,
): Promise<RestartableN8n> => {
	const port = await freePort();
	const fileName = settings.name.replaceAll(' ', '-');
	return new RestartableN8n({
		...n8n,
		...settings,
		port,
		userFolder: await createUserFolder(join(userFolder, fileName), communityNodes),
		logFile: join(logs, `${fileName}.log`),
		environment: { ...environment, ...(portSetting && { [portSetting]: String(port) }) },
	});
};

const createMany = async (
	count: number,
	create: (number: number) => Promise<RestartableN8n>,
): Promise<RestartableN8n[]> =>
	await Promise.all(Array.from({ length: count }, async (_, at) => await create(at + 1)));

/** Creates a user folder, as a process on a machine of its own has one, and links the installed package into it. */
const createUserFolder = async (folder: string, communityNodes: string): Promise<string> => {
	const nodes = join(folder, '.n8n', 'nodes');
	await mkdir(join(folder, '.n8n'), { recursive: true });
	await rm(nodes, { recursive: true, force: true });
	await symlink(communityNodes, nodes, 'dir');
	return folder;
};
