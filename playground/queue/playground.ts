import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CharacterName, SandboxOptions } from '../../sandbox/src';
import { loadAccount, type Account } from '../account';
import { emptyLockedFolder } from '../folderLock';
import { dataFiles, EXAMPLES_FOLDER, INSTALL_FOLDER, QUEUE_DATA_FOLDER } from '../folders';
import { N8N } from '../install';
import { keepRunning } from '../keepRunning';
import { lockDataFolder } from '../lockDataFolder';
import { checkPort, checkSpace, LOOPBACK, SPACE_TO_RUN_BYTES } from '../machine';
import { providePackage } from '../ownPackage';
import { runStep, type Log } from '../progress';
import { provideN8n } from '../provideN8n';
import { N8nRest } from '../rest';
import type { RestartableN8n } from '../restartableN8n';
import { startSandbox } from '../sandbox';
import { logLeftOut, setUpN8n, workflowListUrl } from '../setUp';
import { shopOf } from '../shop';
import { startParts } from '../startedParts';
import type { Trouble } from '../trouble';
import { startBalancer } from './balancerProcess';
import { queueEnvironment } from './environment';
import { loadKeys } from './keys';
import { N8nFleet, WEBHOOK_PROCESSORS, WORKERS } from './n8nFleet';
import { removePostgres, startPostgres, type Database } from './postgres';
import { findPrograms } from './programs';
import { startRedis } from './redis';

/** What a playground in queue mode is started with. */
export type QueuePlaygroundStart = {
	sandboxPort: number;
	/** The port of the balancer, through which people and the sandbox reach n8n. */
	n8nPort: number;
	log: Log;
	/** Keeps everything; default `.playground/queue`. */
	dataFolder?: string;
	/** Holds the installed n8n, which several data folders share; default `.playground/install`. */
	installFolder?: string;
	/** Whether everything in the data folder is removed first. */
	isFresh?: boolean;
	/** Settings of every n8n process, in addition to the playground's own. */
	n8nEnvironment?: Record<string, string>;
	/** What the sandbox does where the service's document is silent; default `literal`. */
	character?: CharacterName;
	/** Whether the phone begins with the conversations of a small shop; default false. */
	withShop?: boolean;
	/** How the sandbox behaves otherwise. */
	sandboxOptions?: SandboxOptions;
	/** A folder of workflows to import and activate; default the examples. */
	workflows?: string;
	/** Stops a start that has not finished. */
	signal?: AbortSignal;
};

/** A running playground in queue mode. */
export type QueuePlayground = {
	/** The balancer's URL. */
	n8nUrl: string;
	sandboxUrl: string;
	account: Account;
	/** n8n's REST API, logged in as the owner. */
	n8n: N8nRest;
	main: RestartableN8n;
	webhooks: RestartableN8n[];
	workers: RestartableN8n[];
	/** n8n's database, for tests that read its tables. */
	database: Database;
	/**
	 * Resolves, with what to tell people, when PostgreSQL, Redis or the balancer ends although nobody stopped it, or when
	 * an n8n process does so often.
	 */
	broken: Promise<Trouble>;
	/** Stops everything; returns when all of it is gone. */
	stop(): Promise<void>;
};

/**
 * Starts n8n in its queue mode: PostgreSQL, Redis, a main process, webhook processors, workers and a
 * balancer in front of them; and the sandbox.
 *
 * @throws Trouble that a person can do something about; whatever has started by then is stopped
 */
export const startQueuePlayground = async (
	start: QueuePlaygroundStart,
): Promise<QueuePlayground> => {
	const { log, signal, installFolder = INSTALL_FOLDER, dataFolder = QUEUE_DATA_FOLDER } = start;
	const files = dataFiles(dataFolder);
	const logs = join(dataFolder, 'logs');
	return await startParts(dataFolder, async (parts) => {
		const phone = `http://${LOOPBACK}:${start.sandboxPort}`;
		const dataLock = await lockDataFolder(dataFolder, phone, log, signal);
		parts.add(async () => dataLock.release());
		const programs = findPrograms(process.env.PATH ?? '');
		await checkPort(start.sandboxPort, 'the sandbox', '--port', COMMAND);
		await checkPort(start.n8nPort, 'n8n', '--n8n-port', COMMAND);
		if (start.isFresh) {
			await removePostgres(files.postgres);
			await emptyLockedFolder(dataFolder);
		}
		const { node, installation, inUse } = await provideN8n(N8N, installFolder, log, signal);
		parts.add(async () => inUse.release());
		await checkSpace(dataFolder, SPACE_TO_RUN_BYTES);
		await providePackage(files, log, signal);
		await mkdir(logs, { recursive: true });
		const account = await loadAccount(files.account);
		const keys = await loadKeys(files.keys);

		const server = (name: 'postgres' | 'redis', password: string) => ({
			programs,
			folder: files[name],
			logFile: join(logs, `${name}.log`),
			password,
			dataLock,
			signal,
		});
		const postgres = await runStep(
			log,
			'Starting PostgreSQL',
			async () => await startPostgres(server('postgres', keys.databasePassword)),
		);
		parts.add(async () => await postgres.program.stop());
		const redis = await runStep(
			log,
			'Starting Redis',
			async () => await startRedis(server('redis', keys.redisPassword)),
		);
		parts.add(async () => await redis.program.stop());
		const n8nUrl = `http://${LOOPBACK}:${start.n8nPort}`;
		const sandbox = await startSandbox(start.sandboxPort, account, files.registrations, {
			character: start.character,
			seed: start.withShop ? shopOf(files.account) : undefined,
			workflowsUrl: workflowListUrl(n8nUrl),
			...start.sandboxOptions,
		});
		parts.add(sandbox.close);

		const fleet = await N8nFleet.create({
			nodePath: node.path,
			script: installation.script,
			userFolder: files.userFolder,
			communityNodes: files.communityNodes,
			logs,
			dataLock,
			environment: {
				...queueEnvironment({
					database: { ...postgres.database, host: LOOPBACK },
					redis: { host: LOOPBACK, port: redis.port, password: redis.password },
					encryptionKey: keys.encryptionKey,
					publicUrl: n8nUrl,
				}),
				...start.n8nEnvironment,
			},
		});
		const { main, webhooks, workers } = fleet;
		parts.add(async () => await main.stop());
		await runStep(log, 'Starting n8n: the main process', async () => await main.start(signal));
		parts.add(async () => await fleet.stopOthers());
		await runStep(
			log,
			`Starting n8n: ${WEBHOOK_PROCESSORS} webhook processors and ${WORKERS} workers`,
			async () => await fleet.startOthers(signal),
		);
		const balancer = await startBalancer({
			port: start.n8nPort,
			main: main.url,
			webhooks: webhooks.map(({ url }) => url),
		});
		parts.add(balancer.close);

		const n8n = new N8nRest(main.url);
		const workflows = await runStep(
			log,
			'Setting up log-in, credential and workflows',
			async () => await setUpN8n(n8n, account, sandbox.url, start.workflows ?? EXAMPLES_FOLDER),
		);
		logLeftOut(log, workflows);
		const stopping = new AbortController();
		parts.add(async () => stopping.abort());
		const broken = Promise.race([
			...[postgres.program, redis.program, balancer].map(async (part) => await part.broken),
			...fleet.all.map(async (n8nProcess) => await keepRunning(n8nProcess, log, stopping.signal)),
		]);
		broken.catch(() => undefined);
		return {
			n8nUrl,
			sandboxUrl: sandbox.url,
			account,
			n8n,
			main,
			webhooks,
			workers,
			database: postgres.database,
			broken,
			stop: async () => await parts.stop(),
		};
	});
};

/** Removes a data folder, and what PostgreSQL had to keep outside of it. */
export const removeData = async (dataFolder: string): Promise<void> => {
	await removePostgres(dataFiles(dataFolder).postgres);
	await rm(dataFolder, { recursive: true, force: true });
};

/** What people type to start it. */
export const COMMAND = 'npm run start:queue';
