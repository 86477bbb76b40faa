import axios from 'axios';
import { NodeConnectionTypes, NodeOperationError, sleep } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IRun,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { gzipSync } from 'node:zlib';
import { createEngine, type Engine } from './engine';
import { turns } from './turns';

/*
 * What the other tests can rely on, and would not notice. n8n-core itself runs here, so these are n8n's rules, shown with
 * two node types that exist only in this file.
 */

const description = (more: Partial<INodeTypeDescription>): INodeTypeDescription => ({
	displayName: 'Probe',
	name: 'probe',
	group: ['transform'],
	version: 1,
	description: 'For the tests of the engine',
	defaults: { name: 'Probe' },
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	properties: [{ displayName: 'Act', name: 'act', type: 'string', default: '' }],
	...more,
});

/** What each call of execute() has got. */
const calls: Array<{ executionId: string; items: number }> = [];

/** A node that refuses, or remembers the ids of its items. */
class Probe implements INodeType {
	description = description({});

	async execute(this: IExecuteFunctions) {
		const items = this.getInputData();
		calls.push({ executionId: this.getExecutionId(), items: items.length });
		if (this.getNodeParameter('act', 0) === 'refuse') {
			throw new NodeOperationError(this.getNode(), 'Refused by the probe');
		}
		const ids = items.map(({ json }) => json.id as string);
		const seen = await this.helpers.checkProcessedAndRecord(ids, 'node', {
			mode: 'entries',
			maxEntries: 3,
		});
		return [[{ json: { isNew: seen.new.length === 1 } }]];
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
	description = description({
		displayName: 'Probe Trigger',
		name: 'probeTrigger',
		group: ['trigger'],
		inputs: [],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				path: 'webhook',
				responseMode: 'onReceived',
				responseData: '',
			},
		],
	});

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions) {
				return await Promise.resolve(false);
			},
			async create(this: IHookFunctions) {
				this.getWorkflowStaticData('node').registered = this.getNodeWebhookUrl('default');
				return await Promise.resolve(true);
			},
			async delete(this: IHookFunctions) {
				delete this.getWorkflowStaticData('node').registered;
				return await Promise.resolve(true);
			},
		},
	};

	async webhook(this: IWebhookFunctions) {
		const { rawBody } = this.getRequestObject() as unknown as { rawBody: Buffer };
		if (this.getBodyData().kind === 'broken') throw new Error('webhook() broke');
		this.getWorkflowStaticData('node').written = true;
		return await Promise.resolve({ workflowData: [[{ json: { bytes: rawBody.length } }]] });
	}

	async trigger(this: ITriggerFunctions) {
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
		return await Promise.resolve({
			closeFunction: async () => await Promise.resolve(void (memory.closed += 1)),
		});
	}

	async execute(this: IExecuteFunctions) {
		return await Promise.resolve([this.getInputData()]);
	}
}

let engine: Engine;

const probe = { type: 'probe', name: 'Probe' };
const node = { type: 'probeTrigger', name: 'Probe Trigger' };

beforeEach(() => {
	calls.length = 0;
	Object.assign(memory, { ends: [], closed: 0 });
	engine = createEngine({
		nodeTypes: [new Probe(), new ProbeTrigger()],
		credentialTypes: [],
		credentials: {},
	});
});

test('Retry On Fail calls execute() again with all items and the same execution ID', async () => {
	const again = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const nodes = [{ ...probe, parameters: { act: 'refuse' }, ...again }];
	await engine.runWorkflow({ nodes, items: [{ json: {} }, { json: {} }], executionId: '77' });

	expect(calls).toEqual(Array(3).fill({ executionId: '77', items: 2 }));
});

describe('checkProcessedAndRecord', () => {
	const remember = async (id: string) =>
		(await engine.runWorkflow({ nodes: [probe], items: [{ json: { id } }] })).json('Probe')[0]
			?.isNew;

	test('knows as many entries of the node as it was told to keep', async () => {
		expect([await remember('a'), await remember('b'), await remember('a')]).toEqual([
			true,
			true,
			false,
		]);
		await remember('c');
		await remember('d');
		expect(await remember('a')).toBe(true);
	});

	test('loses entries when executions write at the same time', async () => {
		await Promise.all(['a', 'b', 'c'].map(remember));

		expect([await remember('a'), await remember('b'), await remember('c')]).toContain(true);
	});
});

describe('a trigger', () => {
	test('gets the exact unpacked bytes in webhook(), and starts an execution with its items', async () => {
		const body = '{ "kind" : "\u{1F44B}" }';
		const headers = { 'content-encoding': 'gzip' };
		const request = { node, headers, rawBody: gzipSync(body) };
		const { response, startsWith } = await engine.receiveWebhook(request);

		expect(startsWith).toEqual([{ json: { bytes: Buffer.byteLength(body) } }]);
		expect(response.status).toBe(200);
	});

	test('does not get a body that is not JSON, because n8n refuses it before webhook()', async () => {
		const { response, answer } = await engine.receiveWebhook({ node, rawBody: '{"kind":' });
		expect(response.status).toBe(422);
		expect(answer).toBeUndefined();
	});

	test('answers 500 when webhook() throws an error', async () => {
		const request = { node, rawBody: '{"kind":"broken"}' };
		const { response, thrown } = await engine.receiveWebhook(request);
		expect(response.status).toBe(500);
		expect(thrown).toMatchObject({ message: 'webhook() broke' });
	});

	test('does not save what webhook() writes into static data when an execution starts', async () => {
		const staticData = { kept: 1 };
		const reception = await engine.receiveWebhook({ node, staticData, rawBody: '{}' });
		expect(reception.staticData).toEqual({ kept: 1, written: true });
		expect(staticData).toEqual({ kept: 1 });
	});

	test('keeps its static data between ticks, and n8n saves it when an execution starts', async () => {
		const staticData: IDataObject = {};
		const { crons, emitted, tick } = await engine.listen({ node, staticData });
		expect(crons()).toEqual(['30 * * * * *']);
		await tick();
		expect(emitted).toEqual([]);
		expect(staticData).toEqual({ because: 'activate' });
		await tick();
		expect(emitted.map(({ items }) => items)).toEqual([[{ json: { ticks: 2 } }]]);
		expect(staticData).toEqual({ because: 'activate', ticks: 2 });
	});

	test('learns how each of its executions has ended from the one who starts them', async () => {
		let started = 0;
		await engine.listen({
			node,
			emit: (_data, _response, done) => {
				started += 1;
				if (started === 1) done?.resolve({ status: 'success' } as IRun);
				else done?.reject(new Error('The database is locked'));
			},
		});
		memory.start({ at: 1 });
		memory.start({ at: 2 });
		await turns();
		expect(memory.ends).toEqual(['success', 'The database is locked']);
	});
});

describe('a served workflow', () => {
	const registered = (staticData: IDataObject) =>
		(staticData['node:Probe Trigger'] as IDataObject).registered as string;

	test('answers 404 after its deactivation, which deletes the registration', async () => {
		const live = await engine.serveWorkflow({ nodes: [node, probe] });
		await live.activate();
		const url = registered(live.staticData);
		await live.deactivate();
		const { status } = await axios.post(url, {}, { validateStatus: () => true });
		expect(status).toBe(404);
		expect(registered(live.staticData)).toBeUndefined();
		expect(memory.closed).toBe(1);
		await live.close();
	});

	test('closes the trigger when n8n shuts down, and keeps the registration', async () => {
		const live = await engine.serveWorkflow({ nodes: [node, probe] });
		await live.activate();
		await live.close();
		expect(memory.closed).toBe(1);
		expect(registered(live.staticData)).toBeDefined();
	});
});
