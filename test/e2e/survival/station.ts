import { mkdtemp, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { HEADERS, PATHS } from '../../../nodes/TwoWayMessaging/contract';
import { loadAccount, type Account } from '../../../playground/account';
import { dataFiles, INSTALL_FOLDER } from '../../../playground/folders';
import { N8N } from '../../../playground/install';
import { freePort, LOOPBACK } from '../../../playground/machine';
import { N8nProcess, type N8nStart } from '../../../playground/n8n';
import { providePackage } from '../../../playground/ownPackage';
import { provideN8n } from '../../../playground/provideN8n';
import { keepRegistrations } from '../../../playground/registrations';
import { N8nRest, type WorkflowFile } from '../../../playground/rest';
import { importWorkflows, logIn, provideCredential } from '../../../playground/setUp';
import { Trouble } from '../../../playground/trouble';
import { createSandbox, serve, type Sandbox, type SandboxOptions } from '../../../sandbox/src';
import { Effects } from '../../support/playground/effects';
import { readN8nLog, showingLog } from '../../support/playground/n8nLog';
import { reckon, type Reckoning } from '../../support/playground/reckoning';
import {
	reportingWorkflow,
	type ReportingWorkflow,
} from '../../support/playground/reportingWorkflow';
import { Site } from '../../support/playground/site';
import { waitUntil } from '../../support/waitUntil';

/** An event for one endpoint, with every attempt to deliver it (§6.4). */
type Delivery = { attempts: Array<{ status: number | null }> };

/**
 * The parts of the playground with an n8n that can be killed and started again, while the sandbox and the collected
 * effects stay: the service sees the same as with an n8n on the internet.
 */
export class Station extends Site {
	readonly n8n: N8nRest;

	/** How often n8n has been started. Each start has its own log file. */
	private starts = 0;

	/** In which of the starts each workflow was published. */
	private readonly publishedIn = new Map<string, number>();

	private process?: N8nProcess;

	/** Whether this has logged in, which outlives a restart of n8n. */
	private isLoggedIn = false;

	private constructor(
		readonly sandbox: Sandbox,
		effects: Effects,
		readonly sandboxUrl: string,
		private readonly account: Account,
		private readonly dataFolder: string,
		private readonly n8nStart: N8nStart,
		private readonly closeOthers: () => Promise<void>,
	) {
		const pair = { [HEADERS.apiKey]: account.apiKey, [HEADERS.apiSecret]: account.apiSecret };
		super(`http://${LOOPBACK}:${n8nStart.port}`, effects, (path, init) =>
			sandbox.app.request(path, { ...init, headers: { ...init?.headers, ...pair } }),
		);
		this.n8n = new N8nRest(this.n8nUrl);
	}

	/**
	 * Starts everything, with its own data folder, and n8n for the first time.
	 *
	 * @param environment settings of n8n
	 */
	static async open(
		environment: Record<string, string>,
		sandboxOptions: SandboxOptions = {},
	): Promise<Station> {
		const { node, installation, inUse } = await provideN8n(N8N, INSTALL_FOLDER, (line, kind) => {
			if (kind !== 'passing') process.stderr.write(`${line}\n`);
		});
		const dataFolder = await mkdtemp(join(tmpdir(), 'two-way-messaging-survival-'));
		const files = dataFiles(dataFolder);
		await providePackage(files, () => undefined);
		const account = await loadAccount(files.account);
		const { apiKey: key, apiSecret: secret } = account;
		const sandbox = createSandbox({
			...sandboxOptions,
			keyPairs: [{ key, secret }],
			registrations: keepRegistrations(files.registrations),
		});
		const served = await serve(sandbox);
		const station = new Station(
			...([sandbox, await Effects.listen(), served.url, account, dataFolder] as const),
			{
				...{ nodePath: node.path, script: installation.script, environment, logFile: '' },
				...{ userFolder: files.userFolder, port: await freePort() },
			},
			async () => {
				await served.close();
				inUse.release();
			},
		);
		try {
			await station.start();
		} catch (error) {
			await station.close();
			throw error;
		}
		return station;
	}

	/** The ID of the process of the n8n that was started last. */
	get pid(): number | undefined {
		return this.process?.pid;
	}

	/** Starts n8n and returns while it boots. */
	async boot(): Promise<void> {
		this.starts += 1;
		const logFile = this.logFile(this.starts);
		this.process = await N8nProcess.spawn({ ...this.n8nStart, logFile });
	}

	/** Waits until n8n is ready. Its workflows become active a bit later. */
	async ready(): Promise<void> {
		await this.process?.ready();
		if (this.isLoggedIn) return;
		await logIn(this.n8n, this.account);
		this.isLoggedIn = true;
	}

	/**
	 * Waits until the workflows listen, and enables the endpoints. Ten attempts soon fail while n8n is down (§3.3), and a
	 * check registers again only once an hour; without this no event would come by webhook.
	 */
	async waitUntilListening(): Promise<void> {
		await this.ready();
		await waitUntil('an active workflow', async () => {
			const { webhooks } = await this.get<{ webhooks: Array<{ url: string }> }>('/sandbox/state');
			const url = webhooks.at(-1)?.url ?? '';
			const { status } = await axios.post(url, '', { proxy: false, validateStatus: () => true });
			// The trigger itself refuses an event without a signature.
			return status === 401 ? true : undefined;
		});
		await this.enableEndpoints();
	}

	/**
	 * Waits until n8n has activated a published workflow. Its webhooks answer before that, and n8n may still count executions
	 * that they start among those which a kill has cut off.
	 */
	async waitUntilActivated(workflowId: string): Promise<void> {
		if (this.starts === this.publishedIn.get(workflowId)) return;
		await waitUntil(`the activation of ${workflowId}`, async () => {
			const log = await readN8nLog(this.logFile(this.starts));
			return log.includes(`Activated workflow "${workflowId}"`) ? true : undefined;
		});
	}

	async start(): Promise<void> {
		await this.boot();
		await this.ready();
	}

	async kill(): Promise<void> {
		await this.process?.kill();
	}

	async stop(): Promise<void> {
		await this.process?.stop();
	}

	/** The same station, in which no workflow is published and nothing has had an effect. */
	async cleared(): Promise<Station> {
		for (const { id, activeVersionId } of await this.n8n.workflows()) {
			if (activeVersionId !== null) await this.n8n.deactivate(id);
		}
		this.effects.clear();
		return this;
	}

	/** Publishes a workflow that reports to `effects`; returns its id. */
	async publishReporting(workflow: Omit<ReportingWorkflow, 'reportTo'>): Promise<string> {
		await this.publish(reportingWorkflow({ ...workflow, reportTo: this.effects.url }));
		return workflow.id;
	}

	/** Imports a workflow with the credential for the sandbox, and activates it. */
	async publish(workflow: WorkflowFile): Promise<void> {
		const credentialId = await provideCredential(this.n8n, this.account, this.sandboxUrl);
		const folder = join(this.dataFolder, 'workflows', workflow.id);
		await mkdir(folder, { recursive: true });
		await writeFile(join(folder, 'workflow.json'), JSON.stringify(workflow));
		await importWorkflows(this.n8n, folder, credentialId);
		this.publishedIn.set(workflow.id, this.starts);
	}

	/** Every delivery, oldest first. */
	async deliveries(): Promise<Delivery[]> {
		const path = '/sandbox/deliveries?limit=10000';
		return (await this.get<{ deliveries: Delivery[] }>(path)).deliveries.reverse();
	}

	/** Registers every endpoint again, which enables it, as the operator of the service could. */
	async enableEndpoints(): Promise<void> {
		const file = await readFile(dataFiles(this.dataFolder).registrations, 'utf8');
		for (const registration of JSON.parse(file) as object[]) {
			await this.post(PATHS.webhooks, registration);
		}
	}

	/**
	 * Waits until every event has had an effect, or nothing happens any more; returns what has become of each event. An
	 * event's execution had begun if n8n has stored its key in an execution that it calls crashed.
	 *
	 * @param events their names, as in `Effects.counts`
	 */
	async reckon(
		workflowId: string,
		events: string[],
		keyOf = (name: string) => name.replace(' ', ':'),
		quietMs?: number,
	): Promise<Reckoning> {
		const findBegun = async (without: string[]) => {
			const crashed = await this.crashedData(workflowId);
			return new Set(without.filter((name) => crashed.some((data) => data.includes(keyOf(name)))));
		};
		return await reckon(this.effects, events, findBegun, quietMs);
	}

	/** Reads what n8n has stored of crashed executions; tries again while n8n is too busy to answer. */
	private async crashedData(workflowId: string): Promise<string[]> {
		return await waitUntil('the list of crashed executions', async () => {
			try {
				const crashed: string[] = [];
				for (const { id } of await this.n8n.crashedExecutions(workflowId)) {
					crashed.push(await this.n8n.executionData(id));
				}
				return crashed;
			} catch (error) {
				if (error instanceof Trouble) return undefined;
				throw error;
			}
		});
	}

	async readLogs(): Promise<string> {
		const logs: string[] = [];
		for (let start = 1; start <= this.starts; start += 1) {
			logs.push(`--- start ${start} ---\n${await readN8nLog(this.logFile(start))}`);
		}
		return logs.join('\n');
	}

	/** Runs the body of a test, and shows n8n's logs when it fails. */
	async showingLog(body: () => Promise<void>): Promise<void> {
		await showingLog(async () => await this.readLogs(), body);
	}

	async close(): Promise<void> {
		await this.kill();
		await this.closeOthers();
		await this.effects.close();
		await rm(this.dataFolder, { recursive: true, force: true });
	}

	private logFile(start: number): string {
		return join(this.dataFolder, `n8n-${start}.log`);
	}
}
