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
import { createSandbox, serve, type Sandbox, type SandboxOptions } from '../../../sandbox/src';
import { until } from '../until';
import { Effects } from './effects';

/** A message as the sandbox keeps it; the fields that are used here. */
export type Message = { message_handle: string; date_sent: string };

/** A registered address, with how it stands (§3.3). */
export type Endpoint = { url: string; status: 'enabled' | 'disabled'; failures: number };

/** One delivery of an event, with every attempt made (§6.4). */
export type Delivery = {
	id: string;
	state: string;
	body: string;
	created_at: string;
	attempts: Array<{ status: number | null; reason: string | null; answer: string }>;
};

/**
 * The playground's parts with an n8n that can be killed and started again, while the sandbox and the counter of
 * effects stay: what an n8n on the internet looks like from its service.
 */
export class Station {
	readonly n8n: N8nRest;

	readonly n8nUrl: string;

	/** Every n8n that was started here, for the paths of their logs. */
	private starts = 0;

	private process?: N8nProcess;

	/** Whether n8n was logged in to, which it remembers. */
	private isIn = false;

	private constructor(
		readonly sandbox: Sandbox,
		readonly effects: Effects,
		private readonly dataFolder: string,
		private readonly account: Account,
		private readonly sandboxUrl: string,
		private readonly closeSandbox: () => Promise<void>,
		private readonly n8nPort: number,
		private readonly n8nParts: { nodePath: string; script: string },
		private readonly environment: Record<string, string>,
	) {
		this.n8nUrl = `http://${LOOPBACK}:${n8nPort}`;
		this.n8n = new N8nRest(this.n8nUrl);
	}

	/**
	 * Puts everything up, with a data folder of its own, and starts n8n for the first time.
	 *
	 * @param environment settings of n8n
	 */
	static async open(
		environment: Record<string, string>,
		sandboxOptions: SandboxOptions = {},
	): Promise<Station> {
		const { node, installation } = await provideN8n(N8N, INSTALL_FOLDER, (line, kind) => {
			if (kind !== 'passing') process.stderr.write(`${line}\n`);
		});
		const dataFolder = await mkdtemp(join(tmpdir(), 'two-way-messaging-survival-'));
		const files = dataFiles(dataFolder);
		await providePackage(files, () => undefined);
		const account = await loadAccount(files.account);
		const { apiKey: key, apiSecret: secret } = account;
		const sandbox = createSandbox({ ...sandboxOptions, keyPairs: [{ key, secret }] });
		await keepRegistrations(sandbox, files.registrations);
		const served = await serve(sandbox);
		const station = new Station(
			sandbox,
			await Effects.listen(),
			dataFolder,
			account,
			served.url,
			served.close,
			await freePort(),
			{ nodePath: node.path, script: installation.script },
			environment,
		);
		try {
			await station.start();
		} catch (error) {
			await station.close();
			throw error;
		}
		return station;
	}

	/** Starts n8n, and returns while it boots. */
	async boot(): Promise<void> {
		this.starts += 1;
		this.process = await N8nProcess.spawn(this.n8nStart(this.starts));
	}

	/** Waits until the n8n that boots answers for itself. Its workflows become active a bit later. */
	async ready(): Promise<void> {
		await this.process?.ready();
		if (this.isIn) return;
		await logIn(this.n8n, this.account);
		this.isIn = true;
	}

	/**
	 * Waits until the workflows listen. Ten failures are soon together while n8n is away (§3.3), and a check registers
	 * anew only once an hour: so that events come by webhook again, the operator of the service enables the addresses.
	 */
	async listens(): Promise<void> {
		await this.ready();
		await until('an active workflow', async () => {
			const { status } = await axios.post(await this.address(), '', {
				proxy: false,
				validateStatus: () => true,
			});
			// What is not signed is refused, by the trigger itself.
			return status === 401 ? true : undefined;
		});
		await this.enableEndpoints();
	}

	/** Starts n8n and waits until it answers for itself. */
	async start(): Promise<void> {
		await this.boot();
		await this.ready();
	}

	/** Ends n8n in the middle of whatever it does. */
	async kill(): Promise<void> {
		await this.process?.kill();
	}

	/** Ends n8n in good order. */
	async stop(): Promise<void> {
		await this.process?.stop();
	}

	/** Takes back n8n's newest migration, with n8n's own command: the next start finds a database to upgrade. */
	async revertMigration(): Promise<void> {
		const reverting = await N8nProcess.spawn({
			...this.n8nStart('revert'),
			command: ['db:revert'],
		});
		await reverting.ended;
	}

	/** Imports a workflow with the credential for the sandbox, and activates it. */
	async publish(workflow: WorkflowFile): Promise<void> {
		const credentialId = await provideCredential(this.n8n, this.account, this.sandboxUrl);
		const folder = join(this.dataFolder, 'workflows', workflow.id);
		await mkdir(folder, { recursive: true });
		await writeFile(join(folder, 'workflow.json'), JSON.stringify(workflow));
		await importWorkflows(this.n8n, folder, credentialId);
	}

	/** A customer texts. */
	async text(content: string, from = '+15551230001'): Promise<Message> {
		return await this.control<Message>('/sandbox/inbound', { from, content });
	}

	/** The addresses that are registered, in the order in which they were. */
	async endpoints(): Promise<Endpoint[]> {
		const { webhooks } = await this.look<{ webhooks: Endpoint[] }>('/sandbox/state');
		return webhooks;
	}

	/** Every delivery, oldest first. */
	async deliveries(): Promise<Delivery[]> {
		const { deliveries } = await this.look<{ deliveries: Delivery[] }>(
			'/sandbox/deliveries?limit=10000',
		);
		return deliveries.reverse();
	}

	/** The address that was registered last. */
	async address(): Promise<string> {
		return (await this.endpoints()).at(-1)?.url ?? '';
	}

	/** The operator of the service enables every address again, as registered. */
	async enableEndpoints(): Promise<void> {
		const file = await readFile(dataFiles(this.dataFolder).registrations, 'utf8');
		for (const registration of JSON.parse(file) as object[]) {
			await this.call(PATHS.webhooks, registration);
		}
	}

	/** A request to the service with the account's key pair, or to the sandbox's controls. */
	async control<Answer>(path: string, body: object): Promise<Answer> {
		return (await this.call(path, body)) as Answer;
	}

	/** What n8n logged at each of its starts. */
	async log(): Promise<string> {
		const logs: string[] = [];
		for (let start = 1; start <= this.starts; start += 1) {
			const lines = (await readFile(this.logFile(start), 'utf8').catch(() => '')).split('\n');
			const kept = lines.filter((line) => !/^(Starting|Finished) migration/.test(line));
			logs.push(`--- n8n's log, start ${start} ---\n${kept.join('\n')}`);
		}
		return logs.join('\n');
	}

	/** Runs a test's body; when it fails, n8n's logs are shown before the failure. */
	readonly withLog = async (body: () => Promise<void>): Promise<void> => {
		try {
			await body();
		} catch (error) {
			process.stderr.write(`${await this.log()}\n`);
			throw error;
		}
	};

	/** Ends everything and leaves nothing behind. */
	async close(): Promise<void> {
		await this.kill();
		await this.closeSandbox();
		await this.effects.close();
		await rm(this.dataFolder, { recursive: true, force: true });
	}

	private n8nStart(name: number | string): N8nStart {
		return {
			...this.n8nParts,
			userFolder: dataFiles(this.dataFolder).userFolder,
			logFile: this.logFile(name),
			port: this.n8nPort,
			// n8n's count of saved time ends n8n at a start that finds a run which was killed before it had a start time.
			environment: { N8N_DISABLED_MODULES: 'mcp-registry,insights', ...this.environment },
		};
	}

	private logFile(name: number | string): string {
		return join(this.dataFolder, `n8n-${name}.log`);
	}

	private async look<Answer>(path: string): Promise<Answer> {
		return (await (await this.sandbox.app.request(path)).json()) as Answer;
	}

	private async call(path: string, body: object): Promise<unknown> {
		const { apiKey, apiSecret } = this.account;
		const response = await this.sandbox.app.request(path, {
			method: 'POST',
			headers: {
				[HEADERS.apiKey]: apiKey,
				[HEADERS.apiSecret]: apiSecret,
				'content-type': 'application/json',
			},
			body: JSON.stringify(body),
		});
		if (!response.ok)
			throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
		return await response.json();
	}
}
