import axios from 'axios';
import { N8N_1 } from '../../playground/install';
import type { Playground } from '../../playground/playground';
import type { SavedNode, WorkflowFile } from '../../playground/rest';
import { itemsOf } from '../support/playground/executionData';
import { Customer } from '../support/playground/customer';
import { BETWEEN_CHECKS_MS } from '../support/playground/reportingWorkflow';
import { TemporaryPlayground } from '../support/playground/temporaryPlayground';
import { waitUntil } from '../support/waitUntil';

// The nodes keep the same promises in the newest n8n 1.x, which many people still run.

const AUTO_REPLY = 'Auto-reply';
const CREDENTIAL = ['twoWayMessagingApi', 'Two-Way Messaging Sandbox'] as const;
const ANNA = '+15551230001';

let temporary: TemporaryPlayground;
let playground: Playground;

beforeAll(async () => {
	temporary = await TemporaryPlayground.start({
		release: N8N_1,
		// n8n 1.x does not have the module that the playground turns off, and would not start.
		n8nEnvironment: { N8N_DISABLED_MODULES: '' },
	});
	playground = temporary.running;
});

afterAll(async () => await temporary?.removeAll());

/** Waits until a workflow has executions and none of them is under way any more, and returns them. */
const endedExecutions = async (workflowName: string, withinMs?: number) =>
	await waitUntil(
		'the end of all executions',
		async () => {
			// n8n 1.x gives a workflow an id of its own, whatever id it comes with.
			const workflows = await playground.n8n.workflows();
			const workflow = workflows.find(({ name }) => name === workflowName);
			const runs = workflow ? await playground.n8n.executions(workflow.id) : [];
			const areOver = runs.every(({ status }) => !['new', 'running', 'waiting'].includes(status));
			return areOver && runs.length > 0 ? runs : undefined;
		},
		withinMs,
	);

const credentialId = async (): Promise<string> => {
	const id = await playground.n8n.findCredential(...CREDENTIAL);
	if (id === undefined) throw new Error('The playground has stored no credential');
	return id;
};

/** Makes a node of the package with the playground's credential. */
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

/** Publishes a workflow whose nodes follow each other. */
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
		expect(await temporary.readLog()).toContain(`Version: ${N8N_1.version}`);
	});

	test('gets the examples but those that keep their state in a Data Table, and the start says so', async () => {
		const workflows = (await playground.n8n.workflows()).map(({ name }) => name);
		expect(workflows).toEqual(expect.arrayContaining(['Auto-reply', 'Picture to text']));
		expect(workflows).not.toEqual(expect.arrayContaining(['Hand over to a person']));
		expect(temporary.printed.filter((line) => line.includes('left out'))).toEqual([
			expect.stringContaining(
				'Follow-up until they answer, Hand over to a person, Opt-outs to a list',
			),
		]);
	});

	test('tests the credential', async () => {
		expect(await playground.n8n.testCredential(await credentialId())).toMatchObject({
			status: 'OK',
		});
	});

	test('starts one execution for a text, and answers it in the same conversation', async () => {
		const customer = new Customer(playground.sandboxUrl, ANNA);
		const text = await customer.text('hello');
		expect(await customer.waitForAnswer()).toMatchObject({
			to: ANNA,
			conversation_handle: text.conversation_handle,
			line_handle: text.line_handle,
			content: expect.stringContaining('hello') as string,
		});
		const { state, attempts } = await customer.waitForDelivery(text);
		expect({ state, attempts: attempts.length }).toEqual({ state: 'delivered', attempts: 1 });
		expect((await endedExecutions(AUTO_REPLY)).map(({ status }) => status)).toEqual(['success']);
	});

	test('§6.4 refuses a changed event with 401 and starts no execution', async () => {
		const customer = new Customer(playground.sandboxUrl, ANNA);
		const { url, body, attempts } = await customer.waitForDelivery(await customer.text('genuine'));
		const before = await waitUntil('both executions', async () => {
			const runs = await endedExecutions(AUTO_REPLY);
			return runs.length === 2 ? runs : undefined;
		});
		const tampered = body.replace('genuine', 'Genuine');
		const { status } = await axios.post(url, Buffer.from(tampered), {
			headers: attempts[0]?.headers,
			proxy: false,
			validateStatus: () => true,
		});
		expect(status).toBe(401);
		// The unchanged event is answered 200 again, and does not start another execution.
		const again = await axios.post(url, Buffer.from(body), {
			headers: attempts[0]?.headers,
			proxy: false,
		});
		expect(again.status).toBe(200);
		expect(await endedExecutions(AUTO_REPLY)).toEqual(before);
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
			await action('History', 'message', 'getMany', { returnAll: true, filters: {} }),
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
		expect((await endedExecutions('Read everything')).map(({ status }) => status)).toEqual([
			'success',
		]);
		const { data } = await axios.get<{ conversations: object[] }>(
			`${playground.sandboxUrl}/sandbox/state`,
			{ proxy: false },
		);
		expect(JSON.stringify(data)).toContain('iMessage true RECEIVED 2');
	});

	test('starts one execution for each of the texts that one check finds', async () => {
		const carla = '+15551230003';
		await publish('Polled', [
			await node(
				'Polled text',
				'twoWayMessagingTrigger',
				{
					receiveBy: 'polling',
					events: ['receive'],
					filters: { from: carla },
					checkEvery: 1,
				},
				{ webhookId: '4b7c7f1e-5a0f-4c58-9a55-7c1d0a8f0198' },
			),
		]);
		const customer = new Customer(playground.sandboxUrl, carla);
		for (const text of ['one', 'two', 'three']) await customer.text(text);
		await endedExecutions('Polled', BETWEEN_CHECKS_MS);
		const runs = await waitUntil('three executions', async () => {
			const ended = await endedExecutions('Polled');
			return ended.length >= 3 ? ended : undefined;
		});
		expect(runs.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
		for (const { id } of runs) {
			expect(itemsOf(await playground.n8n.executionData(id), 'Polled text')).toHaveLength(1);
		}
	});

	test('logs only the refused event about the nodes', async () => {
		const said = (await temporary.readLog())
			.split('\n')
			.filter((line) =>
				/n8n-nodes-two-way-messaging|^(When a customer texts|Text|Polled text) /i.test(line),
			);
		expect(said).toEqual([expect.stringMatching(/refused an event/)]);
	});
});
