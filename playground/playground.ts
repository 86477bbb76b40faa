import type { CharacterName } from '../sandbox/src';
import { loadAccount } from './account';
import { emptyLockedFolder } from './folderLock';
import { DATA_FOLDER, dataFiles, EXAMPLES_FOLDER, INSTALL_FOLDER, ROOT } from './folders';
import { N8N, type N8nRelease } from './install';
import { keepRunning } from './keepRunning';
import { startLiveBuild } from './liveBuild';
import { lockDataFolder } from './lockDataFolder';
import { checkPort, checkSpace, LOOPBACK, SPACE_TO_RUN_BYTES } from './machine';
import { providePackage, takeInstalledDist } from './ownPackage';
import { runStep, type Log } from './progress';
import { provideN8n } from './provideN8n';
import { N8nRest } from './rest';
import { RestartableN8n } from './restartableN8n';
import { startSandbox } from './sandbox';
import { firstPageUrl, logLeftOut, setUpN8n, workflowListUrl } from './setUp';
import { shopOf } from './shop';
import { startParts } from './startedParts';
import type { Trouble } from './trouble';

/** What a playground is started with. */
export type PlaygroundStart = {
	sandboxPort: number;
	n8nPort: number;
	log: Log;
	/** Keeps the account, the workflows and the logs; default `.playground/data`. */
	dataFolder?: string;
	/** Holds the installed n8n, which several data folders share; default `.playground/install`. */
	installFolder?: string;
	/** The version of n8n; default the one that `npm start` runs. */
	release?: N8nRelease;
	/** Whether everything in the data folder is removed first. */
	isFresh?: boolean;
	/** The port on which a debugger can attach to n8n, which then takes over each change of the nodes as well. */
	inspectPort?: number;
	/** What the sandbox does where the service's document is silent; default `literal`. */
	character?: CharacterName;
	/** Whether the phone begins with the conversations of a small shop; default false. */
	withShop?: boolean;
	/** Settings of n8n in addition to the playground's own, for example `N8N_EXPRESSION_ENGINE`. */
	n8nEnvironment?: Record<string, string>;
	/** Stops a start that has not finished. */
	signal?: AbortSignal;
};

/** A running playground. */
export type Playground = {
	n8nUrl: string;
	/** The URL of the workflow that answers. n8n's own first page shows no workflows. */
	firstPage: string;
	sandboxUrl: string;
	login: { email: string; password: string };
	/** Where a debugger can attach, if it can. */
	inspectPort?: number;
	/** The file with n8n's log of this start. */
	n8nLog: string;
	/** n8n's REST API, logged in as the owner. */
	n8n: N8nRest;
	/** What this start had to do; a second start has nothing to do. */
	did: { installedN8n: boolean; installedPackage: boolean; importedWorkflows: string[] };
	/** n8n's process, which is started again when it ends although nobody stopped it. */
	n8nProcess: RestartableN8n;
	/** Resolves, with what to tell people, when n8n ends so often that it is not started again. */
	broken: Promise<Trouble>;
	/** Stops everything; returns when all of it is gone. */
	stop(): Promise<void>;
};

/** With these n8n watches the packages it has installed, and loads a changed one again. */
const TAKE_OVER_CHANGES = { NODE_ENV: 'development', N8N_DEV_RELOAD: 'true' };

/**
 * Starts the sandbox, and an n8n that has the package, the credential and the example workflows.
 *
 * @throws Trouble that a person can do something about; whatever has started by then is stopped
 */
export const startPlayground = async (start: PlaygroundStart): Promise<Playground> => {
	const { log, signal, installFolder = INSTALL_FOLDER, dataFolder = DATA_FOLDER } = start;
	const files = dataFiles(dataFolder);
	return await startParts(dataFolder, async (parts) => {
		const phone = `http://${LOOPBACK}:${start.sandboxPort}`;
		const lock = await lockDataFolder(dataFolder, phone, log, signal);
		parts.add(async () => lock.release());
		await checkPort(start.sandboxPort, 'the sandbox', '--port');
		await checkPort(start.n8nPort, 'n8n', '--n8n-port');
		const { inspectPort } = start;
		if (inspectPort) await checkPort(inspectPort, 'a debugger', '--inspect-port');
		if (start.isFresh) await emptyLockedFolder(dataFolder);

		const { node, installation, installedN8n, inUse } = await provideN8n(
			start.release ?? N8N,
			installFolder,
			log,
			signal,
		);
		parts.add(async () => inUse.release());
		await checkSpace(dataFolder, SPACE_TO_RUN_BYTES);
		const installedPackage = await providePackage(files, log, signal);
		if (inspectPort) {
			const dist = await takeInstalledDist(files);
			const build = await startLiveBuild({ root: ROOT, dist, log });
			parts.add(build.stop);
		}

		const account = await loadAccount(files.account);
		const n8nUrl = `http://${LOOPBACK}:${start.n8nPort}`;
		const sandbox = await startSandbox(start.sandboxPort, account, files.registrations, {
			character: start.character,
			seed: start.withShop ? shopOf(files.account) : undefined,
			workflowsUrl: workflowListUrl(n8nUrl),
		});
		parts.add(sandbox.close);
		const n8nProcess = new RestartableN8n({
			name: 'n8n',
			nodePath: node.path,
			script: installation.script,
			userFolder: files.userFolder,
			logFile: files.n8nLog,
			port: start.n8nPort,
			dataLock: lock,
			inspectPort,
			environment: { ...(inspectPort && TAKE_OVER_CHANGES), ...start.n8nEnvironment },
		});
		const stopping = new AbortController();
		parts.add(async () => {
			stopping.abort();
			await n8nProcess.stop();
		});
		await runStep(log, 'Starting n8n', async () => await n8nProcess.start(signal));
		const broken = keepRunning(n8nProcess, log, stopping.signal);
		broken.catch(() => undefined);

		const n8n = new N8nRest(n8nUrl);
		const workflows = await runStep(
			log,
			'Setting up log-in, credential and workflows',
			async () => await setUpN8n(n8n, account, sandbox.url, EXAMPLES_FOLDER),
		);
		logLeftOut(log, workflows);

		return {
			n8nUrl,
			firstPage: await firstPageUrl(n8n, n8nUrl),
			sandboxUrl: sandbox.url,
			login: { email: account.email, password: account.password },
			inspectPort,
			n8nLog: files.n8nLog,
			n8n,
			did: { installedN8n, installedPackage, importedWorkflows: workflows.imported },
			n8nProcess,
			broken,
			stop: async () => await parts.stop(),
		};
	});
};
