import axios from 'axios';
import { N8N_1 } from '../../playground/install';
import type { Playground } from '../../playground/playground';
import { Customer } from '../support/playground/customer';
import { endedExecutions, itemsOf } from '../support/playground/executionData';
import { BETWEEN_CHECKS_MS } from '../support/playground/reportingWorkflow';
import { TemporaryPlayground } from '../support/playground/temporaryPlayground';
import { PACKAGE, workflowOf, type NodeOf } from '../support/playground/workflowOf';

// The nodes keep the same promises in the newest n8n 1.x, which many people still run.

const CREDENTIAL = ['twoWayMessagingApi', 'Two-Way Messaging Sandbox'] as const;
const [ANNA, BEN, CARLA] = ['+15551230001', '+15551230002', '+15551230003'] as const;

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

/** The executions of a workflow once so many have ended. n8n 1.x gives it an id of its own, whatever id it comes with. */
const ended = async (workflowName: string, least = 1, withinMs?: number) => {
	const workflows = await playground.n8n.workflows();
	const { id = '' } = workflows.find(({ name }) => name === workflowName) ?? {};
	return await endedExecutions(playground.n8n, id, least, withinMs);
};

const credentialId = async (): Promise<string> =>
	(await playground.n8n.findCredential(...CREDENTIAL)) ?? '';

/** Publishes a workflow of nodes of the package, which follow each other. */
const publish = async (name: string, nodes: NodeOf[]) => {
	const credentials = { [CREDENTIAL[0]]: { id: await credentialId(), name: CREDENTIAL[1] } };
	const ours = nodes.map((node) => ({ ...node, type: `${PACKAGE}.${node.type}`, credentials }));
	const workflow = { ...workflowOf(name, ours), active: false };
	const { id, versionId } = await playground.n8n.createWorkflow(workflow);
	await playground.n8n.activate(id, versionId);
};

const trigger = (from: string, fields: object = {}): NodeOf => ({
	...{ name: 'Text', type: 'twoWayMessagingTrigger', webhookId: `${from.slice(1)}-webhook` },
	parameters: { events: ['receive'], filters: { from }, ...fields },
});

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
		const { n8n, n8nUrl } = playground;
		expect(await n8n.testCredential(await credentialId())).toMatchObject({ status: 'OK' });
		const keys = { apiKey: 'key', apiSecret: 'secret', baseUrl: n8nUrl };
		const wrong = await n8n.createCredential('twoWayMessagingApi', 'Wrong', keys);
		expect((await n8n.testCredential(wrong)).message).toContain('is not the messaging service');
	});

	test('starts one execution for a text and answers it, and §6.4 none for a changed or repeated event', async () => {
		const customer = new Customer(playground.sandboxUrl, ANNA);
		const text = await customer.text('genuine');
		expect(await customer.waitForAnswer()).toMatchObject({
			conversation_handle: text.conversation_handle,
			line_handle: text.line_handle,
			content: expect.stringContaining('genuine') as string,
		});
		const { url, body, attempts } = await customer.waitForDelivery(text);
		expect(attempts).toHaveLength(1);
		const before = await ended('Auto-reply');
		expect(before.map(({ status }) => status)).toEqual(['success']);
		for (const [said, status] of [
			[body.replace('genuine', 'Genuine'), 401],
			[body, 200],
		] as const) {
			const { headers } = attempts[0]!;
			const options = { headers, proxy: false, validateStatus: () => true } as const;
			expect((await axios.post(url, Buffer.from(said), options)).status).toBe(status);
		}
		expect(await ended('Auto-reply')).toEqual(before);
	});

	test('runs look-up, history, status and lines in a workflow', async () => {
		const action = (name: string, resource: string, operation: string, more: object): NodeOf => ({
			...{ name, type: 'twoWayMessaging', executeOnce: true },
			parameters: { resource, operation, ...more },
		});
		const found = [
			...["$('Look up').first().json.service", "$('History').all().length > 0"],
			...["$('Status').first().json.status", "$('Lines').all().length"],
		];
		await publish('Read everything', [
			trigger(BEN),
			action('Look up', 'number', 'lookup', { number: '={{ $json.from }}' }),
			action('History', 'message', 'getMany', { returnAll: true, filters: {} }),
			action('Status', 'message', 'getStatus', {
				messageHandle: "={{ $('Text').item.json.message_handle }}",
			}),
			action('Lines', 'line', 'getMany', {}),
			action('Answer', 'message', 'send', {
				number: BEN,
				content: `={{ [${found.join()}].join(' ') }}`,
			}),
		]);
		const customer = new Customer(playground.sandboxUrl, BEN);
		await customer.text('read everything');
		await ended('Read everything');
		expect((await customer.waitForAnswer()).content).toBe('iMessage true RECEIVED 2');
	});

	test('starts one execution for each of the texts that one check finds', async () => {
		await publish('Polled', [trigger(CARLA, { receiveBy: 'polling', checkEvery: 1 })]);
		const customer = new Customer(playground.sandboxUrl, CARLA);
		for (const text of ['one', 'two', 'three']) await customer.text(text);
		const runs = await ended('Polled', 3, BETWEEN_CHECKS_MS);
		expect(runs.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
		for (const { id } of runs) {
			expect(itemsOf(await playground.n8n.executionData(id), 'Text')).toHaveLength(1);
		}
	});

	test('logs only the refused event about the nodes', async () => {
		const said = (await temporary.readLog())
			.split('\n')
			.filter((line) => /n8n-nodes-two-way-messaging|^(When a customer texts|Text) /i.test(line));
		expect(said).toEqual([expect.stringMatching(/refused an event/)]);
	});
});
