import axios from 'axios';
import { NodeApiError, NodeConnectionTypes, NodeOperationError, sleep } from 'n8n-workflow';
import type {
	ICredentialType,
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IRun,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { createEngine, type Engine, type LiveWorkflow, type NodeSpec } from './engine';
import { turns } from './turns';

/*
 * What the other tests can rely on. n8n-core itself runs here, so these are n8n's rules, shown with two node types that
 * exist only in this file.
 */

type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer };

/** A server that keeps its requests and answers by path. */
class Service {
	readonly received: Received[] = [];
	answers: Record<string, { status: number; body?: unknown }> = {};
	private readonly server: Server = createServer((req, res) => {
		void buffer(req).then((body) => {
			const path = req.url ?? '';
			this.received.push({ method: req.method ?? '', path, headers: req.headers, body });
			const { status, body: answer = {} } = this.answers[path] ?? { status: 200 };
			res.writeHead(status, { 'content-type': 'application/json' });
			res.end(JSON.stringify(answer));
		});
	});
	get address() {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}
	async open() {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
	}
	async close() {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}

class ProbeApi implements ICredentialType {
	name = 'probeApi';
	displayName = 'Probe API';
	properties: ICredentialType['properties'] = [
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: 'http://unset.example' },
		{ displayName: 'Key', name: 'apiKey', type: 'string', default: '' },
		{ displayName: 'Style', name: 'style', type: 'string', default: 'plain' },
	];
	authenticate: ICredentialType['authenticate'] = {
		type: 'generic',
		properties: { headers: { 'X-Key': '={{$credentials.apiKey}}', 'X-Fixed': 'as it is' } },
	};
	test: ICredentialType['test'] = {
		request: { baseURL: '={{ $credentials.baseUrl }}', url: '=/{{ $credentials.style }}' },
		rules: [{ type: 'responseCode', properties: { value: 401, message: 'Another key' } }],
	};
}

const probeDescription = (more: Partial<INodeTypeDescription>): INodeTypeDescription => ({
	displayName: 'Probe',
	name: 'probe',
	group: ['transform'],
	version: 1,
	description: 'For the tests of the engine',
	defaults: { name: 'Probe' },
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	credentials: [{ name: 'probeApi', required: true }],
	properties: [
		{ displayName: 'Act', name: 'act', type: 'string', default: 'echo' },
		{ displayName: 'Line', name: 'line', type: 'string', default: 'any' },
	],
	...more,
});

/** What each call of execute() has got. */
const calls: Array<{ executionId: string; items: number; run: string }> = [];

class Probe implements INodeType {
	description = probeDescription({});

	methods = {
		listSearch: {
			async lines(this: ILoadOptionsFunctions, filter = '') {
				const { baseUrl } = await this.getCredentials<{ baseUrl: string }>('probeApi');
				const options: IHttpRequestOptions = { url: `${baseUrl}/lines` };
				const request = this.helpers.httpRequestWithAuthentication;
				const lines = (await request.call(this, 'probeApi', options)) as string[];
				const results = lines.filter((name) => name.includes(filter));
				const current = this.getCurrentNodeParameter('line') as string;
				return { results: [...results, current].map((name) => ({ name, value: name })) };
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		calls.push({
			executionId: this.getExecutionId(),
			items: items.length,
			run: this.getNode().name,
		});
		const output: INodeExecutionData[] = [];
		for (const [item, { json }] of items.entries()) {
			const act = this.getNodeParameter('act', item) as string;
			try {
				output.push({ ...(await perform.call(this, act, json, item)), pairedItem: { item } });
			} catch (problem) {
				if (!this.continueOnFail()) throw problem;
				output.push({ json: {}, error: problem as NodeOperationError, pairedItem: { item } });
			}
		}
		return [output];
	}
}

async function perform(
	this: IExecuteFunctions,
	act: string,
	json: IDataObject,
	item: number,
): Promise<INodeExecutionData> {
	switch (act) {
		case 'refuse': {
			if (json.fine) return { json };
			throw new NodeOperationError(this.getNode(), 'Refused by the probe', { itemIndex: item });
		}
		case 'request': {
			const { baseUrl } = await this.getCredentials<{ baseUrl: string }>('probeApi');
			const options: IHttpRequestOptions = { url: `${baseUrl}${json.path as string}`, json: true };
			const request = this.helpers.httpRequestWithAuthentication;
			return { json: (await request.call(this, 'probeApi', options)) as IDataObject };
		}
		case 'wait': {
			const signal = this.getExecutionCancelSignal();
			for (let turn = 0; turn < 1000 && !signal?.aborted; turn += 1) await sleep(1);
			return { json: { stopped: signal?.aborted } };
		}
		case 'store': {
			const file = await this.helpers.prepareBinaryData(Buffer.from('a file'), 'note.txt');
			return { json, binary: { file } };
		}
		case 'load': {
			const { fileName } = this.helpers.assertBinaryData(item, 'file');
			const bytes = await this.helpers.getBinaryDataBuffer(item, 'file');
			return { json: { fileName, text: bytes.toString() } };
		}
		case 'remember': {
			const seen = await this.helpers.checkProcessedAndRecord([json.id as string], 'node', {
				mode: 'entries',
				maxEntries: 3,
			});
			return { json: { isNew: seen.new.length === 1 } };
		}
		case 'log': {
			this.logger.warn('Something to know', { inner: { secret: 'hidden-in-metadata' } });
			return { json };
		}
		default:
			return { json };
	}
}

/** What the trigger of a test remembers while it listens. */
const memory = {
	/** Starts an execution. */
	start: (_json: IDataObject) => {},
	/** How these executions have ended. */
	ends: [] as string[],
	closed: 0,
};

class ProbeTrigger implements INodeType {
	description = probeDescription({
		displayName: 'Probe Trigger',
		name: 'probeTrigger',
		group: ['trigger'],
		inputs: [],
		webhooks: [
			{
				name: 'default',
				httpMethod: '={{ $parameter["line"] === "none" ? "" : "POST" }}',
				path: 'webhook',
				responseMode: 'onReceived',
				responseData: '',
			},
		],
	});

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions) {
				return this.getWorkflowStaticData('node').registered === this.getNodeWebhookUrl('default');
			},
			async create(this: IHookFunctions) {
				const data = this.getWorkflowStaticData('node');
				data.registered = this.getNodeWebhookUrl('default');
				data.because = this.getActivationMode();
				return true;
			},
			async delete(this: IHookFunctions) {
				delete this.getWorkflowStaticData('node').registered;
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions) {
		const { rawBody } = this.getRequestObject() as unknown as { rawBody: Buffer };
		const { kind } = this.getBodyData();
		const response = this.getResponseObject();
		if (kind === 'unsigned') {
			response.status(401).json({ message: 'no' });
			return { noWebhookResponse: true };
		}
		if (kind === 'broken') throw new Error('webhook() broke');
		if (kind === 'filtered') return { webhookResponse: 'filtered' };
		if (kind === 'later') {
			response.status(200).send('taken');
			void sleep(2).then(() => memory.start({ later: true }));
			return { noWebhookResponse: true };
		}
		this.getWorkflowStaticData('node').written = true;
		return {
			workflowData: [[{ json: { bytes: rawBody.length, sent: this.getHeaderData()['x-sent'] } }]],
		};
	}

	async trigger(this: ITriggerFunctions) {
		if (this.getNodeParameter('act') === 'refuse') throw new Error('trigger() broke');
		const data = this.getWorkflowStaticData('node');
		const { createDeferredPromise, registerCron } = this.helpers;
		data.because = this.getActivationMode();
		memory.start = (json) => {
			const done = createDeferredPromise<IRun>();
			this.emit([[{ json }]], undefined, done);
			done.promise.then(
				({ status }) => memory.ends.push(status),
				({ message }: Error) => memory.ends.push(message),
			);
		};
		registerCron({ expression: '30 * * * * *' }, async () => {
			await sleep(1);
			data.ticks = Number(data.ticks ?? 0) + 1;
			if (data.ticks !== 1) memory.start({ ticks: data.ticks });
		});
		return {
			closeFunction: async () => {
				memory.closed += 1;
			},
		};
	}

	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	}
}

const service = new Service();
let engine: Engine;

const probe = (act: string, more: IDataObject = {}) => ({
	type: 'probe',
	name: 'Probe',
	parameters: { act },
	...more,
});
const given = (...json: IDataObject[]) => json.map((one) => ({ json: one }));

beforeAll(async () => await service.open());
afterAll(async () => await service.close());
beforeEach(() => {
	service.received.length = 0;
	service.answers = {};
	calls.length = 0;
	Object.assign(memory, { ends: [], closed: 0 });
	engine = createEngine({
		nodeTypes: [new Probe(), new ProbeTrigger()],
		credentialTypes: [new ProbeApi()],
		credentials: { probeApi: { baseUrl: service.address, apiKey: 'the key' } },
	});
});

describe('an execution', () => {
	test("links a node's items to the items they came from", async () => {
		const run = await engine.runWorkflow({ nodes: [probe('echo')], items: given({ a: 1 }, {}) });

		expect(run.status).toBe('success');
		expect(run.json('Probe')).toEqual([{ a: 1 }, {}]);
		expect(run.items('Probe').map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
		]);
	});

	test('evaluates an expression in a parameter for each item', async () => {
		const nodes = [probe('={{ $json.act }}')];
		const run = await engine.runWorkflow({ nodes, items: given({ act: 'wrong' }, { act: 'log' }) });

		expect(run.json('Probe')).toEqual([{ act: 'wrong' }, { act: 'log' }]);
		expect(engine.log.messages('warn')).toContain('Something to know');
	});

	test('stops at an error, which says which item it belongs to', async () => {
		const nodes = [probe('refuse'), probe('echo', { name: 'After' })];
		const run = await engine.runWorkflow({ nodes, items: given({ fine: true }, {}) });

		expect(run.status).toBe('error');
		expect(run.error).toMatchObject({ message: 'Refused by the probe', context: { itemIndex: 1 } });
		expect(run.timesRun('After')).toBe(0);
	});

	test('separates good and refused items with Continue (using error output)', async () => {
		const nodes = [probe('refuse', { onError: 'continueErrorOutput' })];
		const run = await engine.runWorkflow({ nodes, items: given({ fine: true }, { other: 1 }) });

		expect(run.status).toBe('success');
		expect(run.json('Probe', 0)).toEqual([{ fine: true }]);
		expect(run.json('Probe', 1)).toEqual([{ error: 'Refused by the probe' }]);
	});

	test('calls execute() again with all items and the same execution id with Retry On Fail', async () => {
		const nodes = [probe('refuse', { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 })];
		const items = given({ fine: true }, {});
		await engine.runWorkflow({ nodes, items, executionId: '77' });

		expect(calls).toEqual(Array(3).fill({ executionId: '77', items: 2, run: 'Probe' }));
	});

	test('passes only the first item with Execute Once', async () => {
		const nodes = [probe('echo', { executeOnce: true })];
		await engine.runWorkflow({ nodes, items: given({}, {}, {}) });

		expect(calls).toMatchObject([{ items: 1 }]);
	});

	test('fires its signal when it is cancelled, and does not run the next node', async () => {
		const stop = new AbortController();
		const nodes = [probe('wait'), probe('echo', { name: 'After' })];
		const running = engine.runWorkflow({ nodes, signal: stop.signal });
		stop.abort();

		const run = await running;
		expect(run.status).toBe('canceled');
		expect(run.timesRun('After')).toBe(0);
	});

	test('fires the same signal at its timeout', async () => {
		const run = await engine.runWorkflow({ nodes: [probe('wait')], timeoutMs: 20 });

		expect(run.status).toBe('canceled');
		expect(run.json('Probe')).toEqual([{ stopped: true }]);
	});

	test('keeps its own items and execution id when several run at once', async () => {
		const runs = await Promise.all(
			[1, 2, 3].map((n) => engine.runWorkflow({ nodes: [probe('echo')], items: given({ n }) })),
		);

		expect(runs.map((run) => run.json('Probe'))).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
		expect(new Set(runs.map(({ executionId }) => executionId)).size).toBe(3);
	});

	test('does not run a node that lacks a required credential', async () => {
		const bare = createEngine({ nodeTypes: [new Probe()], credentialTypes: [], credentials: {} });
		const run = await bare.runWorkflow({ nodes: [probe('request')], items: given({ path: '/' }) });

		expect(run.error?.message).toMatch(/credential/);
		expect(service.received).toEqual([]);
	});
});

describe("n8n's helpers", () => {
	test('send a request over a socket with the declared headers, whose expressions are evaluated', async () => {
		service.answers['/lines'] = { status: 200, body: { ok: 'yes' } };
		const nodes = [probe('request')];
		const run = await engine.runWorkflow({ nodes, items: given({ path: '/lines' }) });

		expect(run.json('Probe')).toEqual([{ ok: 'yes' }]);
		expect(service.received).toMatchObject([
			{ path: '/lines', headers: { 'x-key': 'the key', 'x-fixed': 'as it is' } },
		]);
	});

	test('throw a NodeApiError with the status when a request is refused', async () => {
		service.answers['/lines'] = { status: 422, body: { message: 'Line is blocked' } };
		const nodes = [probe('request')];
		const run = await engine.runWorkflow({ nodes, items: given({ path: '/lines' }) });

		expect(run.error).toMatchObject({ name: NodeApiError.name, httpCode: '422' });
	});

	test('pass a file from one node to the next in memory', async () => {
		const nodes = [probe('store'), probe('load', { name: 'Load' })];
		const run = await engine.runWorkflow({ nodes });

		expect(run.json('Load')).toEqual([{ fileName: 'note.txt', text: 'a file' }]);
	});

	test('recognize an entry of checkProcessedAndRecord in a later execution of the same node', async () => {
		const nodes = [probe('remember')];
		const remember = async (id: string) =>
			(await engine.runWorkflow({ nodes, items: given({ id }) })).json('Probe')[0]?.isNew;

		expect([await remember('a'), await remember('b'), await remember('a')]).toEqual([
			true,
			true,
			false,
		]);
		await remember('c');
		await remember('d');
		expect(await remember('a')).toBe(true);
	});

	test('lose entries of checkProcessedAndRecord when executions write at the same time', async () => {
		const nodes = [probe('remember')];
		const remember = async (id: string) =>
			(await engine.runWorkflow({ nodes, items: given({ id }) })).json('Probe')[0]?.isNew;
		await Promise.all(['a', 'b', 'c'].map(remember));

		const again = [await remember('a'), await remember('b'), await remember('c')];
		expect(again).toContain(true);
	});

	test('make the log searchable, with its metadata', async () => {
		engine.log.clear();
		await engine.runWorkflow({ nodes: [probe('log')] });

		expect(engine.log.text()).toContain('hidden-in-metadata');
		engine.log.clear();
		expect(engine.log.text()).toBe('[]');
	});
});

describe('the editor', () => {
	test('searches a list with the credential and the parameters of the node', async () => {
		service.answers['/lines'] = { status: 200, body: ['sales', 'support'] };
		const node = { type: 'probe', parameters: { line: 'chosen' } };
		const { results } = await engine.searchList({ node, method: 'lines', filter: 'sup' });

		expect(results.map(({ name }) => name)).toEqual(['support', 'chosen']);
		expect(service.received).toMatchObject([{ headers: { 'x-key': 'the key' } }]);
	});

	test('tests a credential over a socket, with defaults for the fields that are left out', async () => {
		const data = { baseUrl: service.address, apiKey: 'another' };
		service.answers['/plain'] = { status: 200, body: 'welcome' };
		expect(await engine.testCredential('probeApi', data)).toMatchObject({ status: 'OK' });
		service.answers['/plain'] = { status: 401, body: 'no' };
		const refused = { status: 'Error', message: 'Another key' };
		expect(await engine.testCredential('probeApi', data)).toEqual(refused);
		expect(service.received[0]).toMatchObject({ path: '/plain', headers: { 'x-key': 'another' } });
	});
});

describe('a trigger', () => {
	const node = { type: 'probeTrigger', name: 'Probe Trigger' };

	test('gets the URL and the reason in webhookMethods, and keeps what they write', async () => {
		const staticData: IDataObject = {};
		const call = { node, staticData };
		expect(await engine.callWebhookMethod({ ...call, method: 'checkExists' })).toBe(false);
		await engine.callWebhookMethod({ ...call, method: 'create', activation: 'init' });
		expect(staticData).toEqual({
			registered: expect.stringMatching(/^http:\/\/localhost:5678\/webhook\/[0-9a-f]+\/webhook$/),
			because: 'init',
		});
		expect(await engine.callWebhookMethod({ ...call, method: 'checkExists' })).toBe(true);
		expect(await engine.callWebhookMethod({ ...call, method: 'checkExists', isTest: true })).toBe(
			false,
		);
		await engine.callWebhookMethod({ ...call, method: 'delete' });
		expect(staticData).toEqual({ because: 'init' });
	});

	test('gets the exact unpacked bytes in webhook(), and starts an execution with its items', async () => {
		const body = '{ "kind" : "\u{1F44B}" }';
		const { response, startsWith } = await engine.receiveWebhook({
			node,
			headers: { 'content-encoding': 'gzip', 'x-sent': 'yes' },
			rawBody: gzipSync(body),
		});

		expect(startsWith).toEqual([{ json: { bytes: Buffer.byteLength(body), sent: 'yes' } }]);
		expect(response).toEqual({
			status: 200,
			headers: { 'content-type': 'application/json; charset=utf-8' },
			body: { message: 'Workflow was started' },
		});
	});

	test('can refuse or accept a request in webhook() without an execution', async () => {
		const refused = await engine.receiveWebhook({ node, rawBody: '{"kind":"unsigned"}' });
		expect(refused.response).toMatchObject({ status: 401, body: { message: 'no' } });
		expect(refused.startsWith).toBeUndefined();

		const accepted = await engine.receiveWebhook({ node, rawBody: '{"kind":"filtered"}' });
		expect(accepted.response).toMatchObject({ status: 200, body: 'filtered' });
		expect(accepted.startsWith).toBeUndefined();
	});

	test('does not get a body that is not JSON, because n8n refuses it before webhook()', async () => {
		const { response, answer } = await engine.receiveWebhook({ node, rawBody: '{"kind":' });
		expect(response.status).toBe(422);
		expect(answer).toBeUndefined();
	});

	test('answers 500 when webhook() throws an error', async () => {
		const { response, thrown } = await engine.receiveWebhook({
			node,
			rawBody: '{"kind":"broken"}',
		});
		expect(response.status).toBe(500);
		expect(thrown).toMatchObject({ message: 'webhook() broke' });
	});

	test('does not save what webhook() writes into static data when an execution starts', async () => {
		const staticData = { kept: 1 };
		const reception = await engine.receiveWebhook({ node, staticData, rawBody: '{}' });
		expect(reception.staticData).toEqual({ kept: 1, written: true });
		expect(staticData).toEqual({ kept: 1 });
	});

	test('keeps its static data from one tick to the next, and n8n saves it when an execution starts', async () => {
		const staticData: IDataObject = {};
		const { crons, emitted, tick } = await engine.listen({ node, staticData });
		expect(crons()).toEqual(['30 * * * * *']);
		expect(staticData).toEqual({ because: 'activate' });
		await tick();
		expect(emitted).toEqual([]);
		expect(staticData).toEqual({ because: 'activate' });
		await tick();
		expect(emitted.map(({ items }) => items)).toEqual([[{ json: { ticks: 2 } }]]);
		expect(staticData).toEqual({ because: 'activate', ticks: 2 });
	});

	test('does not tick any more once it is closed, but can start executions', async () => {
		const { close, crons, emitted, tick } = await engine.listen({ node, activation: 'init' });
		await close();
		await tick();
		expect(memory.closed).toBe(1);
		expect(crons()).toEqual([]);
		expect(emitted).toEqual([]);
		memory.start({ last: true });
		expect(emitted.map(({ items }) => items)).toEqual([[{ json: { last: true } }]]);
	});

	test('learns how each of its executions has ended from the one who starts them', async () => {
		const emitted: unknown[] = [];
		await engine.listen({
			node,
			emit: (data, _response, done) => {
				emitted.push(data);
				if (emitted.length === 1) done?.resolve({ status: 'success' } as IRun);
				else done?.reject(new Error('The database is locked'));
			},
		});
		memory.start({ at: 1 });
		memory.start({ at: 2 });
		await turns();
		expect(emitted).toEqual([[[{ json: { at: 1 } }]], [[{ json: { at: 2 } }]]]);
		expect(memory.ends).toEqual(['success', 'The database is locked']);
	});

	test('does not listen where trigger() throws', async () => {
		const refusing = { ...node, parameters: { act: 'refuse' } };
		await expect(engine.listen({ node: refusing })).rejects.toThrow('trigger() broke');
	});
});

describe('a served workflow', () => {
	const nodes = [
		{ type: 'probeTrigger', name: 'Probe Trigger' },
		{ type: 'probe', name: 'Probe' },
	];
	const whileServed = async (served: NodeSpec[], body: (live: LiveWorkflow) => Promise<void>) => {
		const live = await engine.serveWorkflow({ nodes: served });
		try {
			await body(live);
		} finally {
			await live.close();
		}
	};
	const registered = (staticData: IDataObject) =>
		(staticData['node:Probe Trigger'] as IDataObject).registered as string;
	const post = async (url: string, body: string) =>
		await axios.post<unknown>(url, Buffer.from(body), {
			headers: { 'content-type': 'application/json' },
			transformResponse: (text: string) => text,
			validateStatus: () => true,
		});

	test('answers an event over a socket and runs to its end', async () => {
		await whileServed(nodes, async (live) => {
			await live.activate();
			const url = registered(live.staticData);
			expect(url).toMatch(live.address);

			const answer = await post(url, '{"kind":"text"}');
			expect(answer).toMatchObject({ status: 200, data: '{"message":"Workflow was started"}' });
			const [run] = await live.waitForRuns(1);
			expect(run?.json('Probe')).toEqual([{ bytes: 15 }]);

			expect((await post(url, '{"kind":"unsigned"}')).status).toBe(401);
			expect((await post(url, '{')).status).toBe(422);
			expect((await post(`${url}/other`, '{}')).status).toBe(404);
			expect(live.runs).toHaveLength(1);
		});
	});

	test('runs with what the trigger has found at a tick, and tells it how the execution ended', async () => {
		await whileServed(nodes, async (live) => {
			await live.activate();
			await live.tick();
			expect(live.runs).toEqual([]);
			await live.tick(2);
			const runs = await live.waitForRuns(2);
			expect(runs.map((run) => run.json('Probe'))).toEqual([[{ ticks: 2 }], [{ ticks: 3 }]]);
			await turns();
			expect(memory.ends).toEqual(['success', 'success']);
			expect(live.staticData['node:Probe Trigger']).toMatchObject({ ticks: 3 });
		});
	});

	test('runs with an event whose request the trigger has answered before', async () => {
		await whileServed(nodes, async (live) => {
			await live.activate();
			const answer = await post(registered(live.staticData), '{"kind":"later"}');
			expect(answer).toMatchObject({ status: 200, data: 'taken' });
			const [run] = await live.waitForRuns(1);
			expect(run?.json('Probe')).toEqual([{ later: true }]);
		});
	});

	test('tells the trigger that an execution ended with an error', async () => {
		await whileServed([nodes[0]!, probe('refuse')], async (live) => {
			await live.activate();
			memory.start({});
			expect(await live.waitForRuns(1)).toMatchObject([{ status: 'error' }]);
			await turns();
			expect(memory.ends).toEqual(['error']);
		});
	});

	test('answers 404 after its deactivation, which deletes the registration', async () => {
		await whileServed(nodes, async (live) => {
			await live.activate();
			const url = registered(live.staticData);
			await live.deactivate();
			expect((await post(url, '{}')).status).toBe(404);
			expect(registered(live.staticData)).toBeUndefined();
			await expect(live.tick()).rejects.toThrow('not active');
			expect(memory.closed).toBe(1);
		});
	});

	test('closes the trigger when n8n shuts down, and keeps the registration', async () => {
		let saved: IDataObject = {};
		await whileServed(nodes, async (live) => {
			await live.activate();
			saved = live.staticData;
		});
		expect(memory.closed).toBe(1);
		expect(registered(saved)).toBeDefined();
	});

	test('registers no webhook for a node that wants none, and still lets it listen', async () => {
		const polling = [{ type: 'probeTrigger', parameters: { line: 'none' } }];
		await whileServed(polling, async (live) => {
			await live.activate('init');
			expect(live.staticData).toEqual({ 'node:Probe Trigger': { because: 'init' } });
		});
	});
});
