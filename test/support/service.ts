import axios, { type AxiosInstance } from 'axios';
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';
import { TwoWayMessagingApi } from '../../credentials/TwoWayMessagingApi.credentials';
import type { SendResponse } from '../../sandbox/src/serviceFacts';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { createSandbox, serve, type FaultKind, type Sandbox } from '../../sandbox/src';
import type { SandboxOptions } from '../../sandbox/src';
import { createEngine, type Engine, type Run, type RunRequest } from './engine';
import { SkippedTime } from './testClock';

/** A history row of the sandbox. */
export type Row = SendResponse & { from: string; line_handle: string; conversation_handle: string };

/** How the action node is run: its fields, its items, and n8n's own settings of the node. */
export type ActionRun = {
	parameters: INodeParameters;
	items?: IDataObject[];
	node?: Partial<RunRequest['nodes'][number]>;
} & Omit<RunRequest, 'nodes' | 'items'>;

/** The sandbox on a socket, and an n8n with the action node whose credential points at it. */
export class TestService {
	private constructor(
		readonly sandbox: Sandbox,
		readonly url: string,
		private readonly closeServer: () => Promise<void>,
		/** What the node remembers, and its clock. */
		readonly memory: ProcessMemory,
	) {
		this.control = axios.create({ baseURL: url, validateStatus: () => true });
		this.engine = this.engineWith(this.credential());
	}

	readonly control: AxiosInstance;

	readonly engine: Engine;

	/** @param memory what the node remembers; unless given, of a process whose waits are skipped, for the service too */
	static async start({
		memory,
		...options
	}: SandboxOptions & { memory?: ProcessMemory } = {}): Promise<TestService> {
		const sandbox = createSandbox({ sentAfterMs: 0, deliveredAfterMs: 0, ...options });
		const { url, close } = await serve(sandbox);
		const skipped = () => new ProcessMemory(new SkippedTime(sandbox.advance));
		return new TestService(sandbox, url, close, memory ?? skipped());
	}

	async stop(): Promise<void> {
		await this.closeServer();
	}

	/** The filled-in credential, changed where a test wants it otherwise. */
	credential(changes: ICredentialDataDecryptedObject = {}): ICredentialDataDecryptedObject {
		const [pair] = this.sandbox.keyPairs;
		if (!pair) throw new Error('The sandbox has no key pair');
		return { baseUrl: this.url, apiKey: pair.key, apiSecret: pair.secret, ...changes };
	}

	/** @param memory of a process of n8n; the service's own unless given */
	engineWith(
		credential: ICredentialDataDecryptedObject,
		memory = this.memory,
		workflowId?: string,
	): Engine {
		return createEngine({
			nodeTypes: [new TwoWayMessaging(memory)],
			credentialTypes: [new TwoWayMessagingApi()],
			credentials: { twoWayMessagingApi: credential },
			...(workflowId !== undefined && { workflowId }),
		});
	}

	/** Runs the action node over items; one empty item unless given. */
	async run({ parameters, items, node, ...more }: ActionRun, engine = this.engine): Promise<Run> {
		return await engine.runWorkflow({
			nodes: [{ type: 'twoWayMessaging', name: 'Node', parameters, ...node }],
			items: (items ?? [{}]).map((json) => ({ json })),
			...more,
		});
	}

	/** Every message that the service has accepted, oldest first. */
	async accepted(): Promise<Row[]> {
		return (await this.rows()).filter(({ is_outbound: isOutbound }) => isOutbound);
	}

	/** The whole history, oldest first. */
	async rows(): Promise<Row[]> {
		const rows: Row[] = [];
		for (let before: string | undefined; ; before = rows.at(-1)?.message_handle) {
			const { data } = await this.control.get<{ messages: Row[] }>('/sandbox/messages', {
				params: { limit: 500, before },
			});
			if (data.messages.length === 0) return rows.reverse();
			rows.push(...data.messages);
		}
	}

	/** Lets the next requests to a path go wrong. */
	async fault(path: string, kind: FaultKind, times = 1, more: object = {}): Promise<void> {
		const { status, data } = await this.control.post('/sandbox/faults', {
			path,
			kind,
			times,
			...more,
		});
		if (status !== 201) throw new Error(`The sandbox refused the fault: ${JSON.stringify(data)}`);
	}

	/** Holds the next request to a path back until `goOn` is called; `arrived` resolves when it has come. */
	hold(path: string): { arrived: Promise<void>; goOn: () => void } {
		const { app } = this.sandbox;
		const answer = app.fetch;
		let [arrive, goOn] = [() => {}, () => {}];
		const arrived = new Promise<void>((resolve) => (arrive = resolve));
		const isOver = new Promise<void>((resolve) => (goOn = resolve));
		app.fetch = async (request, ...more) => {
			if (new URL(request.url).pathname === path) {
				app.fetch = answer;
				arrive();
				await isOver;
			}
			return await answer(request, ...more);
		};
		return { arrived, goOn };
	}
}
