import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { accountOf } from './account';
import { DATA_FOLDER, dataFiles, INSTALL_FOLDER, ROOT } from './folders';
import { N8N, type N8nRelease } from './install';
import { checkPort, checkSpace, LOOPBACK, SPACE_TO_RUN_BYTES } from './machine';
import { N8nProcess } from './n8n';
import { build, installPack, isBuildStale } from './ownPackage';
import { step, type Log } from './progress';
import { provideN8n } from './provide';
import { N8nRest } from './rest';
import { startSandbox } from './sandbox';
import { enter, importWorkflows, provideCredential } from './setUp';
import { diskIsFull, saysDiskIsFull, Trouble } from './trouble';

/** What a playground is started with. */
export type PlaygroundStart = {
	sandboxPort: number;
	n8nPort: number;
	log: Log;
	/** Where the account, the workflows and the logs are kept; default `.playground/data`. */
	dataFolder?: string;
	/** Where n8n is installed, to be shared by data folders; default `.playground/install`. */
	installFolder?: string;
	/** Which n8n; default the one that people get to see. */
	release?: N8nRelease;
	/** Removes what the data folder holds, first. */
	isFresh?: boolean;
	/** Settings of n8n beside the playground's own, for example `N8N_EXPRESSION_ENGINE`. */
	n8nEnvironment?: Record<string, string>;
	/** Ends a start that is under way. */
	signal?: AbortSignal;
};

/** A running playground. */
export type Playground = {
	n8nUrl: string;
	sandboxUrl: string;
	login: { email: string; password: string };
	/** n8n's log of this start. */
	n8nLog: string;
	/** n8n's REST interface, logged in. */
	n8n: N8nRest;
	/** What this start had to do; a second one has nothing to do. */
	did: { installedN8n: boolean; installedPackage: boolean; importedWorkflows: string[] };
	/** Settles, with what to say, when n8n ends without having been asked to. */
	broken: Promise<Trouble>;
	/** Ends everything; returns when all of it is gone. */
	stop(): Promise<void>;
};

/**
 * Starts the sandbox and an n8n that has the package, the credential and the example workflows.
 *
 * @throws Trouble that a person can mend; whatever was started until then is ended.
 */
export const startPlayground = async (start: PlaygroundStart): Promise<Playground> => {
	const { log, signal, installFolder = INSTALL_FOLDER, dataFolder = DATA_FOLDER } = start;
	const files = dataFiles(dataFolder);
	const started: Array<() => Promise<void>> = [];
	const stop = async () => {
		for (let end = started.pop(); end !== undefined; end = started.pop()) await end();
	};
	try {
		await checkPort(start.sandboxPort, 'the sandbox', '--port');
		await checkPort(start.n8nPort, 'n8n', '--n8n-port');
		if (start.isFresh) await rm(dataFolder, { recursive: true, force: true });

		const { node, installation, installedN8n } = await provideN8n(
			start.release ?? N8N,
			installFolder,
			log,
			signal,
		);
		await checkSpace(dataFolder, SPACE_TO_RUN_BYTES);
		if (await isBuildStale())
			await step(log, 'Building the package', async () => await build(signal));
		const installedPackage = await step(
			log,
			'Packing the package and putting it into n8n',
			async () => await installPack(files.package, files.communityNodes, signal),
		);

		const account = await accountOf(files.account);
		const sandbox = await startSandbox(start.sandboxPort, account, files.registrations);
		started.push(sandbox.close);
		const n8nUrl = `http://${LOOPBACK}:${start.n8nPort}`;
		const n8nProcess = await N8nProcess.spawn({
			nodePath: node.path,
			script: installation.script,
			userFolder: files.userFolder,
			logFile: files.n8nLog,
			port: start.n8nPort,
			environment: start.n8nEnvironment,
		});
		started.push(async () => await n8nProcess.stop());
		await step(log, 'Starting n8n', async () => await n8nProcess.ready(signal));

		const n8n = new N8nRest(n8nUrl);
		const importedWorkflows = await step(
			log,
			'Setting up log-in, credential and workflows',
			async () => {
				await enter(n8n, account);
				const credentialId = await provideCredential(n8n, account, sandbox.url);
				return await importWorkflows(n8n, join(ROOT, 'workflows'), credentialId);
			},
		);

		return {
			n8nUrl,
			sandboxUrl: sandbox.url,
			login: { email: account.email, password: account.password },
			n8nLog: files.n8nLog,
			n8n,
			did: { installedN8n, installedPackage, importedWorkflows },
			broken: n8nProcess.broken,
			stop,
		};
	} catch (error) {
		await stop();
		throw saysDiskIsFull(String(error)) && !(error instanceof Trouble)
			? diskIsFull('starting the playground', dataFolder)
			: error;
	}
};
