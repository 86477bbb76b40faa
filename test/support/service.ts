import axios, { type AxiosInstance } from 'axios';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';
import type { SendResponse } from '../../sandbox/src/serviceFacts';
import { ProcessMemory } from '../../nodes/TwoWayMessaging/processMemory';
import { TwoWayMessaging } from '../../nodes/TwoWayMessaging/TwoWayMessaging.node';
import { createSandbox, serve, type FaultKind, type Sandbox } from '../../sandbox/src';
import type { SandboxOptions } from '../../sandbox/src';
import { createEngine, type Engine, type Run, type RunRequest } from './engine';
import { startStub, type StubAnswer, type StubRequest } from './stub';
import { SkippedTime } from './testClock';

export const ANNA = '+15551230001';
export const BEN = '+15551230002';

/** The lines of the sandbox. */
export const FRONT_DESK = {
	handle: '7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a01',
	number: '+15550100001',
};
export const SUPPORT = {
	handle: '7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a02',
	number: '+15550100002',
};

/** Sends what the item says. */
export const SEND = {
	resource: 'message',
	operation: 'send',
	number: '={{ $json.number }}',
	content: '={{ $json.content }}',
};

/** *On Error* of a node that goes on where an item fails. */
export const CONTINUE = { onError: 'continueRegularOutput' } as const;

export type Row = SendResponse & { from: string; line_handle: string; conversation_handle: string };

/** How the action node is run: its fields, its items, and n8n's own settings of the node. */
export type ActionRun = {
	parameters: INodeParameters;
	items?: IDataObject[];
	/** Items with files, in place of others. */
	files?: INodeExecutionData[];
	node?: Partial<RunRequest['nodes'][number]>;
} & Omit<RunRequest, 'nodes' | 'items'>;

export type ServiceOptions = SandboxOptions & {
	/** What the node remembers; unless given, of a process whose waits are skipped, for the service too. */
	memory?: ProcessMemory;
};

/** The sandbox on a socket, and an n8n with the action node whose credential points at it. */
export class TestService {
	sandbox!: Sandbox;

	url!: string;

	control!: AxiosInstance;

	/** What the node remembers, and its clock. */
	memory!: ProcessMemory;

	engine!: Engine;

	stop: () => Promise<void> = async () => {};

	static async start(options: ServiceOptions = {}): Promise<TestService> {
		const service = new TestService();
		await service.begin(options);
		return service;
	}

	/** Begins as a new service, of another kind if there are options. */
	async begin({ memory, ...options }: ServiceOptions = {}): Promise<void> {
		await this.stop();
		this.sandbox = createSandbox({ sentAfterMs: 0, deliveredAfterMs: 0, ...options });
		const { url, close } = await serve(this.sandbox);
		this.url = url;
		this.stop = async () => {
			this.stop = async () => {};
			await close();
		};
		this.control = axios.create({ baseURL: url, validateStatus: () => true });
		this.memory = memory ?? new ProcessMemory(new SkippedTime(this.sandbox.advance));
		this.engine = this.engineWith(this.credential());
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
			credential,
			...(workflowId !== undefined && { workflowId }),
		});
	}

	/** Runs the action node over items; one empty item unless given. */
	async run(
		{ parameters, items = [{}], files, node, ...more }: ActionRun,
		engine = this.engine,
	): Promise<Run> {
		return await engine.runWorkflow({
			nodes: [{ type: 'twoWayMessaging', name: 'Node', parameters, ...node }],
			items: files ?? items.map((json) => ({ json })),
			...more,
		});
	}

	/** Runs the node against a service that answers as a test wants; `asked` has the requests. */
	async runAt(
		answer: (request: StubRequest, asked: StubRequest[]) => StubAnswer | Promise<StubAnswer>,
		{ credential = {}, ...run }: ActionRun & { credential?: ICredentialDataDecryptedObject },
	): Promise<Run & { asked: StubRequest[] }> {
		const stub = await startStub(async (request) => await answer(request, stub.requests));
		const engine = this.engineWith(this.credential({ baseUrl: stub.url, ...credential }));
		const result = await this.run(run, engine);
		await stub.stop();
		return { ...result, asked: stub.requests };
	}

	/** A customer texts a line; returns the row of the history. */
	async text(content: string, more: object = {}): Promise<IDataObject> {
		const body = { from: ANNA, content, ...more };
		return (await this.control.post<IDataObject>('/sandbox/inbound', body)).data;
	}

	/** Changes how it is with a customer: `{ opted_out: true }`, `{ fail_next: 'No signal' }`. */
	async customer(number: string, changes: object): Promise<void> {
		await this.control.patch(`/sandbox/contacts/${number}`, changes);
	}

	async block(line: string): Promise<void> {
		await this.control.post(`/sandbox/lines/${line}/block`, { reason: 'spam reports' });
	}

	/** How often the service was asked for these paths. */
	async timesAsked(...paths: string[]): Promise<number> {
		type Calls = { calls: Array<{ path: string }> };
		const { data } = await this.control.get<Calls>('/sandbox/calls?limit=1000');
		return data.calls.filter((call) => paths.some((path) => call.path.startsWith(path))).length;
	}

	/** Every message that the service has accepted, oldest first. */
	async accepted(): Promise<Row[]> {
		return (await this.rows()).filter(({ is_outbound: isOutbound }) => isOutbound);
	}

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
		let [arrive, goOn] = [() => {}, () => {}];
		const arrived = new Promise<void>((resolve) => (arrive = resolve));
		const isOver = new Promise<void>((resolve) => (goOn = resolve));
		const end = this.onRequest(path, async () => {
			end();
			arrive();
			await isOver;
		});
		return { arrived, goOn };
	}

	/** Does something before each request to a path; what it returns is the answer. Returns what ends that. */
	onRequest(path: string, act: (answer: () => Promise<Response>) => unknown): () => void {
		const { app } = this.sandbox;
		const answer = app.fetch;
		app.fetch = async (request, ...more) => {
			const usual = async () => await answer(request, ...more);
			if (new URL(request.url).pathname !== path) return await usual();
			const given = await act(usual);
			return given instanceof Response ? given : await usual();
		};
		return () => (app.fetch = answer);
	}
}

/** A new service in each test of a file. */
export function serviceInEachTest(options: () => ServiceOptions = () => ({})): TestService {
	const service = new TestService();
	beforeEach(async () => await service.begin(options()));
	afterEach(async () => await service.stop());
	return service;
}
