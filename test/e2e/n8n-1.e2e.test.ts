import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { dataFiles } from '../../playground/folders';
import { N8N_1 } from '../../playground/install';
import { freePort } from '../../playground/machine';
import { startPlayground, type Playground } from '../../playground/playground';
import type { SavedNode, WorkflowFile } from '../../playground/rest';
import { Customer } from './customer';
import { until } from './until';

/** The newest n8n of the major version before, which many people still run: the same nodes, the same promises. */

const AUTO_REPLY = 'Auto-reply';
const CREDENTIAL = ['twoWayMessagingApi', 'Two-Way Messaging Sandbox'] as const;
const ANNA = '+15551230001';

let dataFolder: string;
let playground: Playground;

beforeAll(async () => {
	dataFolder = await mkdtemp(join(tmpdir(), 'n8n-1-e2e-'));
	playground = await startPlayground({
		release: N8N_1,
		sandboxPort: await freePort(),
		n8nPort: await freePort(),
		dataFolder,
		// The module that is switched off otherwise is not there yet, and n8n does not start for want of it.
		n8nEnvironment: { N8N_DISABLED_MODULES: '' },
		log: () => undefined,
	});
});

afterAll(async () => {
	await playground?.stop();
	await rm(dataFolder, { recursive: true, force: true });
});

const n8nLog = async (): Promise<string> => await readFile(dataFiles(dataFolder).n8nLog, 'utf8');

/** The runs of a workflow once there is one at least and none is under way any more. */
const endedRuns = async (workflowName: string) =>
	await until('the end of all runs', async () => {
		// n8n 1.x gives a workflow an id of its own, whatever id it comes with.
		const workflows = await playground.n8n.workflows();
		const workflow = workflows.find(({ name }) => name === workflowName);
		const runs = workflow ? await playground.n8n.executions(workflow.id) : [];
		const areOver = runs.every(({ status }) => !['new', 'running', 'waiting'].includes(status));
		return areOver && runs.length > 0 ? runs : undefined;
	});

const credentialId = async (): Promise<string> => {
	const id = await playground.n8n.findCredential(...CREDENTIAL);
	if (id === undefined) throw new Error('The playground has stored no credential');
	return id;
};

/** A node of the package with the playground's credential. */
const node = async (name: string, type: string, parameters: object, more: object = {}) => ({
	id: name,
	name,
	type: `n8n-nodes-two-way-messaging.${type}`,
	typeVersion: 1,
	position: [0, 0],
	parameters: parameters as SavedNode['parameters'],
	credentials: { [CREDENTIAL[0]]: { id: await credentialId(), name: CREDENTIAL[1] } },
	...more,
});

/** Publishes a workflow of nodes in a row. */
const publish = async (name: string, nodes: Array<SavedNode & { name: string }>) => {
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map((to, at) => [nodes[at]?.name, { main: [[{ node: to.name, type: 'main', index: 0 }]] }]),
	);
	const file: WorkflowFile = { id: '', name, active: false, nodes, connections };
	const { id, versionId } = await playground.n8n.createWorkflow(file);
	await playground.n8n.activate(id, versionId);
};

describe(`n8n ${N8N_1.version}`, () => {
	test('is the n8n that runs', async () => {
		expect(await n8nLog()).toContain(`Version: ${N8N_1.version}`);
	});

	test('tests the credential', async () => {
		expect(await playground.n8n.testCredential(await credentialId())).toMatchObject({
			status: 'OK',
		});
	});

	test('lets a text go round: one event, one run, one answer in the same conversation', async () => {
		const customer = new Customer(playground.sandboxUrl, ANNA);
		const text = await customer.text('hello');
		expect(await customer.answer()).toMatchObject({
			to: ANNA,
			conversation_handle: text.conversation_handle,
			line_handle: text.line_handle,
			content: expect.stringContaining('hello') as string,
		});
		const { state, attempts } = await customer.deliveryOf(text);
		expect({ state, attempts: attempts.length }).toEqual({ state: 'delivered', attempts: 1 });
		expect((await endedRuns(AUTO_REPLY)).map(({ status }) => status)).toEqual(['success']);
	});

	test('§6.4 refuses an event that was tampered with, with 401 and without a run', async () => {
		const customer = new Customer(playground.sandboxUrl, ANNA);
		const { url, body, attempts } = await customer.deliveryOf(await customer.text('genuine'));
		const before = await until('both runs', async () => {
			const runs = await endedRuns(AUTO_REPLY);
			return runs.length === 2 ? runs : undefined;
		});
		const tampered = body.replace('genuine', 'Genuine');
		const { status } = await axios.post(url, Buffer.from(tampered), {
			headers: attempts[0]?.headers,
			proxy: false,
			validateStatus: () => true,
		});
		expect(status).toBe(401);
		// Sent once more as it was, it is answered as before and known.
		const again = await axios.post(url, Buffer.from(body), {
			headers: attempts[0]?.headers,
			proxy: false,
		});
		expect(again.status).toBe(200);
		expect(await endedRuns(AUTO_REPLY)).toEqual(before);
	});

	test('runs look-up, history, status and lines in a workflow', async () => {
		const action = async (name: string, resource: string, operation: string, more: object) =>
			await node(name, 'twoWayMessaging', { resource, operation, ...more }, { executeOnce: true });
		const ben = '+15551230002';
		await publish('Read everything', [
			await node(
				'Text',
				'twoWayMessagingTrigger',
				{ events: ['receive'], filters: { from: ben } },
				{ webhookId: '4b7c7f1e-5a0f-4c58-9a55-7c1d0a8f0199' },
			),
			await action('Look up', 'number', 'lookup', { number: '={{ $json.from }}' }),
			await action('History', 'message', 'getMany', {
				returnAll: true,
				filters: { conversationHandle: "={{ $('Text').item.json.conversation_handle }}" },
			}),
			await action('Status', 'message', 'getStatus', {
				messageHandle: "={{ $('Text').item.json.message_handle }}",
			}),
			await action('Lines', 'line', 'getMany', {}),
			await action('Answer', 'message', 'send', {
				number: ben,
				content:
					"={{ [$('Look up').first().json.service, $('History').all().length > 0, $('Status').first().json.status, $('Lines').all().length].join(' ') }}",
			}),
		]);
		const customer = new Customer(playground.sandboxUrl, ben);
		await customer.text('read everything');
		expect((await endedRuns('Read everything')).map(({ status }) => status)).toEqual(['success']);
		const { data } = await axios.get<{ conversations: object[] }>(
			`${playground.sandboxUrl}/sandbox/state`,
			{ proxy: false },
		);
		expect(JSON.stringify(data)).toContain('iMessage true RECEIVED 2');
	});

	test('says of the nodes only what they refused', async () => {
		const said = (await n8nLog())
			.split('\n')
			.filter((line) => /two-?way-?messaging|^(When a customer texts|Text) /i.test(line));
		expect(said).toEqual([expect.stringMatching(/refused an event/)]);
	});
});
