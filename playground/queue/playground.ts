import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxOptions } from '../../sandbox/src';
import { accountOf, type Account } from '../account';
import { dataFiles, INSTALL_FOLDER, QUEUE_DATA_FOLDER, ROOT } from '../folders';
import { checkPort, checkSpace, freePort, LOOPBACK, SPACE_TO_RUN_BYTES } from '../machine';
import { build, installPack, isBuildStale } from '../ownPackage';
import { step, type Log } from '../progress';
import { N8N } from '../install';
import { provideN8n } from '../provide';
import { N8nRest } from '../rest';
import { startSandbox } from '../sandbox';
import { enter, importWorkflows, provideCredential } from '../setUp';
import { diskIsFull, saysDiskIsFull, Trouble } from '../trouble';
import { startBalancer } from './balancerProcess';
import { queueEnvironment } from './environment';
import { keysOf } from './keys';
import { Member } from './member';
import { removePostgres, startPostgres, type Database } from './postgres';
import { findPrograms } from './programs';
import { startRedis } from './redis';

/** Webhook processors and workers that a start brings up. */
const WEBHOOK_PROCESSORS = 2;
const WORKERS = 2;

/** Executions that a worker runs at a time; n8n's own default. */
export const CONCURRENCY = 10;

/** What a playground in queue mode is started with. */
export type QueuePlaygroundStart = {
	sandboxPort: number;
	/** The port of the balancer, which is where everybody finds n8n. */
	n8nPort: number;
	log: Log;
	/** Where everything is kept; default `.playground/queue`. */
	dataFolder?: string;
	/** Where n8n is installed, to be shared by data folders; default `.playground/install`. */
	installFolder?: string;
	/** Removes what the data folder holds, first. */
	isFresh?: boolean;
	/** Settings of every n8n process beside the playground's own. */
	n8nEnvironment?: Record<string, string>;
	/** How the sandbox behaves. */
	sandboxOptions?: SandboxOptions;
	/** A folder of workflows to import and activate; default the examples. */
	workflows?: string;
	/** Ends a start that is under way. */
	signal?: AbortSignal;
};

/** A running playground in queue mode. */
export type QueuePlayground = {
	/** The balancer's address. */
	n8nUrl: string;
	sandboxUrl: string;
	account: Account;
	/** n8n's REST interface, logged in. */
	n8n: N8nRest;
	main: Member;
	webhooks: Member[];
	workers: Member[];
	/** Where n8n keeps everything, for those who look for themselves. */
	database: Database;
	/** Settles, with what to say, when anything ends without having been asked to. */
	broken: Promise<Trouble>;
	/** Ends everything; returns when all of it is gone. */
	stop(): Promise<void>;
};

/**
 * Starts n8n as several processes that share the work, as its queue mode has it: PostgreSQL, Redis, a main
 * process, webhook processors, workers, a balancer in front; and the sandbox.
 *
 * @throws Trouble that a person can mend; whatever was started until then is ended
 */
export const startQueuePlayground = async (
	start: QueuePlaygroundStart,
): Promise<QueuePlayground> => {
	const { log, signal, installFolder = INSTALL_FOLDER, dataFolder = QUEUE_DATA_FOLDER } = start;
	const files = dataFiles(dataFolder);
	const logs = join(dataFolder, 'logs');
	const started: Array<() => Promise<unknown>> = [];
	const stop = async () => {
		for (let end = started.pop(); end !== undefined; end = started.pop()) await end();
	};
	try {
		const programs = findPrograms(process.env.PATH ?? '');
		await checkPort(start.sandboxPort, 'the sandbox', '--port', COMMAND);
		await checkPort(start.n8nPort, 'n8n', '--n8n-port', COMMAND);
		if (start.isFresh) await removeData(dataFolder);
		const { node, installation } = await provideN8n(N8N, installFolder, log, signal);
		await checkSpace(dataFolder, SPACE_TO_RUN_BYTES);
		if (await isBuildStale())
			await step(log, 'Building the package', async () => await build(signal));
		await step(
			log,
			'Packing the package and putting it into n8n',
			async () => await installPack(files.package, files.communityNodes, signal),
		);
		await mkdir(logs, { recursive: true });
		const account = await accountOf(files.account);
		const keys = await keysOf(files.keys);

		const postgres = await step(
			log,
			'Starting PostgreSQL',
			async () =>
				await startPostgres(
					programs,
					files.postgres,
					join(logs, 'postgres.log'),
					keys.databasePassword,
					signal,
				),
		);
		started.push(async () => await postgres.program.stop());
		const redis = await step(
			log,
			'Starting Redis',
			async () =>
				await startRedis(
					programs,
					files.redis,
					join(logs, 'redis.log'),
					keys.redisPassword,
					signal,
				),
		);
		started.push(async () => await redis.program.stop());
		const sandbox = await startSandbox(
			start.sandboxPort,
			account,
			files.registrations,
			start.sandboxOptions,
		);
		started.push(sandbox.close);

		const n8nUrl = `http://${LOOPBACK}:${start.n8nPort}`;
		const common = {
			...queueEnvironment({
				database: { ...postgres.database, host: LOOPBACK },
				redis: { host: LOOPBACK, port: redis.port, password: redis.password },
				encryptionKey: keys.encryptionKey,
				publicUrl: n8nUrl,
			}),
			...start.n8nEnvironment,
		};
		const member = async (
			name: string,
			command: string[],
			readyPath: string,
			more: (port: number) => Record<string, string> = () => ({}),
		): Promise<Member> => {
			const port = await freePort();
			return new Member({
				name,
				command,
				readyPath,
				port,
				nodePath: node.path,
				script: installation.script,
				userFolder: await userFolder(files.userFolder, name, files.communityNodes),
				logFile: join(logs, `${name.replaceAll(' ', '-')}.log`),
				environment: { ...common, ...more(port) },
			});
		};
		const main = await member('main', ['start'], '/rest/settings');
		started.push(async () => await main.stop());
		await step(log, 'Starting n8n: the main process', async () => await main.start(signal));
		const n8n = new N8nRest(main.url);
		const webhooks = await several(WEBHOOK_PROCESSORS, async (number) =>
			member(`webhook ${number}`, ['webhook'], '/healthz/readiness'),
		);
		const workers = await several(WORKERS, async (number) =>
			member(
				`worker ${number}`,
				['worker', `--concurrency=${CONCURRENCY}`],
				'/healthz/readiness',
				(port) => ({ QUEUE_HEALTH_CHECK_PORT: String(port) }),
			),
		);
		const others = [...webhooks, ...workers];
		started.push(async () => await Promise.all(others.map(async (one) => await one.stop())));
		await step(
			log,
			`Starting n8n: ${WEBHOOK_PROCESSORS} webhook processors and ${WORKERS} workers`,
			async () => await Promise.all(others.map(async (one) => await one.start(signal))),
		);
		const balancer = await startBalancer({
			port: start.n8nPort,
			main: main.url,
			webhooks: webhooks.map(({ url }) => url),
		});
		started.push(balancer.close);

		await step(log, 'Setting up log-in, credential and workflow', async () => {
			await enter(n8n, account);
			const id = await provideCredential(n8n, account, sandbox.url);
			await importWorkflows(n8n, start.workflows ?? join(ROOT, 'workflows'), id);
			return id;
		});
		const parts = [postgres.program, redis.program, main, ...others, balancer];
		return {
			n8nUrl,
			sandboxUrl: sandbox.url,
			account,
			n8n,
			main,
			webhooks,
			workers,
			database: postgres.database,
			broken: Promise.race(parts.map(async ({ broken }) => await broken)),
			stop,
		};
	} catch (error) {
		await stop();
		throw saysDiskIsFull(String(error)) && !(error instanceof Trouble)
			? diskIsFull('starting the playground', dataFolder)
			: error;
	}
};

/** Removes everything that a start keeps in its data folder, and what PostgreSQL had to keep elsewhere. */
export const removeData = async (dataFolder: string): Promise<void> => {
	await removePostgres(dataFiles(dataFolder).postgres);
	await rm(dataFolder, { recursive: true, force: true });
};

/** What people type to get here. */
export const COMMAND = 'npm run start:queue';

const several = async (count: number, make: (number: number) => Promise<Member>) =>
	await Promise.all(Array.from({ length: count }, async (_, at) => await make(at + 1)));

/** A process's own user folder, as on a machine of its own, with the one installed package in it. */
const userFolder = async (
	folder: string,
	name: string,
	communityNodes: string,
): Promise<string> => {
	const own = join(folder, name.replaceAll(' ', '-'));
	const nodes = join(own, '.n8n', 'nodes');
	await mkdir(join(own, '.n8n'), { recursive: true });
	await rm(nodes, { recursive: true, force: true });
	await symlink(communityNodes, nodes, 'dir');
	return own;
};
