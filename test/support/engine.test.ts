import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeType, IWebhookFunctions } from 'n8n-workflow';
import { createEngine } from './engine';

/*
 * What other tests rely on, and would not notice: where the engine stands in for n8n's server and its database, it does as
 * these do. Two node types are known here only.
 */

const described = (name: string): INodeType['description'] => ({
	...{ displayName: name, name, group: ['transform'], version: 1, description: 'For these tests' },
	...{ defaults: { name }, inputs: [NodeConnectionTypes.Main], properties: [] },
	outputs: [NodeConnectionTypes.Main],
});

/** A node that remembers the ids of its items, three at most. */
const probe: INodeType = {
	description: described('probe'),
	async execute(this: IExecuteFunctions) {
		const ids = this.getInputData().map(({ json }) => json.id as string);
		const options = { mode: 'entries', maxEntries: 3 } as const;
		const seen = await this.helpers.checkProcessedAndRecord(ids, 'node', options);
		return [[{ json: { isNew: seen.new.length === 1 } }]];
	},
};

const receiver: INodeType = {
	description: {
		...described('receiver'),
		webhooks: [
			{
				...{ name: 'default', httpMethod: 'POST', path: 'webhook' },
				...{ responseMode: 'onReceived', responseData: '' },
			},
		],
	},
	async webhook(this: IWebhookFunctions) {
		if (this.getBodyData().kind === 'broken') throw new Error('webhook() broke');
		this.getWorkflowStaticData('node').written = true;
		return await Promise.resolve({ workflowData: [[{ json: {} }]] });
	},
};

const engine = createEngine({ nodeTypes: [probe, receiver], credentialTypes: [], credentials: {} });

const receive = async (rawBody: string, staticData = {}) =>
	await engine.receiveWebhook({ node: { type: 'receiver' }, staticData, rawBody });

test('the stand-in for n8n’s table keeps so many names of a node, and loses some that are written at once', async () => {
	const remember = async (id: string) => {
		const run = await engine.runWorkflow({
			nodes: [{ type: 'probe', name: 'Probe' }],
			items: [{ json: { id } }],
		});
		return run.json('Probe')[0]?.isNew;
	};
	const remembered: unknown[] = [];
	for (const id of ['a', 'b', 'a', 'c', 'd', 'a']) remembered.push(await remember(id));
	expect(remembered).toEqual([true, true, false, true, true, true]);

	await Promise.all(['x', 'y', 'z'].map(remember));
	expect([await remember('x'), await remember('y'), await remember('z')]).toContain(true);
});

test('a body that is not JSON is answered 422 before webhook(), and 500 where webhook() throws', async () => {
	const refused = await receive('{"kind":');
	expect([refused.response.status, refused.answer]).toEqual([422, undefined]);
	const thrown = await receive('{"kind":"broken"}');
	expect(thrown.response.status).toBe(500);
	expect(thrown.thrown).toMatchObject({ message: 'webhook() broke' });
});

test('what webhook() writes into static data is not saved where an execution starts', async () => {
	const staticData = { kept: 1 };
	const reception = await receive('{}', staticData);
	expect(reception.startsWith).toEqual([{ json: {} }]);
	expect(reception.staticData).toEqual({ kept: 1, written: true });
	expect(staticData).toEqual({ kept: 1 });
});
