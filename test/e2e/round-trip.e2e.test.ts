import axios from 'axios';
import { checkPort } from '../../playground/machine';
import type { Playground } from '../../playground/playground';
import type { SavedWorkflow } from '../../playground/rest';
import { Customer, type Row } from '../support/playground/customer';
import { endedExecutions } from '../support/playground/executionData';
import { freePorts, TemporaryPlayground } from '../support/playground/temporaryPlayground';
import { waitUntil } from '../support/waitUntil';
import { examples } from '../support/workflowFiles';

// What people see from the first start on. The other playgrounds of these tests have a service that is literal.

const WORKFLOW = 'twmAutoReply0001';
const ANNA = '+15551230001';

let temporary: TemporaryPlayground;
let playground: Playground;

const startAgain = async (ports = temporary.ports) => {
	await temporary.stop();
	await temporary.startAgain(ports);
	playground = temporary.running;
};

beforeAll(async () => {
	temporary = await TemporaryPlayground.start({ character: 'awkward', withShop: true });
	playground = temporary.running;
});

afterAll(async () => await temporary?.removeAll());

const read = async <Answer>(path: string, params: object = {}): Promise<Answer> =>
	(await axios.get<Answer>(`${playground.sandboxUrl}/sandbox${path}`, { params, proxy: false }))
		.data;

const reset = async (body: object) =>
	await axios.post(`${playground.sandboxUrl}/sandbox/reset`, body, { proxy: false });

const conversations = async () =>
	(await read<{ conversations: object[] }>('/state')).conversations.length;

/** What was said in a conversation, oldest first. */
const readConversation = async ({ conversation_handle }: Row): Promise<Row[]> =>
	(await read<{ messages: Row[] }>('/messages', { conversation_handle })).messages.reverse();

const executions = async () => await playground.n8n.executions(WORKFLOW);

/** Waits until no execution is under way any more, and returns all of them. */
const ended = async () => await endedExecutions(playground.n8n, WORKFLOW);

/** Publishes the workflow again, which makes it check for texts that it has missed, and waits until it has looked. */
const check = async () => {
	const { n8n } = playground;
	const looks = async () => {
		const { calls } = await read<{ calls: Array<{ path: string }> }>('/calls', { limit: 1_000 });
		return calls.filter(({ path }) => path.startsWith('/v2/messages')).length;
	};
	const before = await looks();
	await n8n.activate(WORKFLOW, (await n8n.findWorkflow(WORKFLOW))?.versionId ?? '');
	await waitUntil('a check', async () => ((await looks()) > before ? true : undefined));
};

/** Lets a customer text, and expects an answer and exactly one more execution. */
const expectAnswerTo = async (content: string) => {
	const executionsBefore = (await executions()).length;
	const customer = new Customer(playground.sandboxUrl, ANNA);
	const text = await customer.text(content);
	expect(await customer.waitForAnswer()).toMatchObject({
		to: ANNA,
		from: text.to,
		conversation_handle: text.conversation_handle,
		line_handle: text.line_handle,
		content: `Thanks, we got “${content}” and will answer shortly.`,
	});
	const { state, attempts } = await customer.waitForDelivery(text);
	expect([state, attempts.length]).toEqual(['delivered', 1]);
	const all = await ended();
	expect(all.map(({ status }) => status)).toEqual(
		Array.from({ length: executionsBefore + 1 }, () => 'success'),
	);
	return text;
};

describe('the first start', () => {
	test('leads to the workflow that answers; the phone and the notes on the canvas link to each other', async () => {
		const { firstPage, n8n, n8nUrl, sandboxUrl } = playground;
		const workflow = await n8n.findWorkflow(firstPage.split('/').at(-1) ?? '');
		expect(workflow?.name).toBe('Auto-reply');
		expect(JSON.stringify(workflow?.nodes)).toContain(`[the phone](${sandboxUrl}/)`);
		const { workflows_url: shown } = await read<{ workflows_url: string }>('/state');
		expect(shown).toBe(`${n8nUrl}/home/workflows`);
	});

	test('installs the package, lists the examples by the names of their files, and publishes one', async () => {
		expect(playground.did.installedPackage).toBe(true);
		const path = '/workflows?sortBy=updatedAt:desc';
		const listed = await playground.n8n.call<Array<{ name: string }>>('get', path);
		expect(listed.map(({ name }) => name)).toEqual(examples().map(({ workflow }) => workflow.name));
		const active = (await playground.n8n.workflows()).filter((one) => one.activeVersionId !== null);
		expect(active.map(({ id }) => id)).toEqual([WORKFLOW]);
	});

	test('shows the conversations of a shop on the phone, which start no workflow', async () => {
		expect(await conversations()).toBeGreaterThan(3);
		await check();
		expect(await executions()).toEqual([]);
	});

	test('a text from a customer starts one execution, and is answered in their conversation', async () =>
		await temporary.showingLog(async () => {
			const before = await new Customer(playground.sandboxUrl, ANNA).lastMessage();
			const text = await expectAnswerTo('hello');
			expect(text.conversation_handle).toBe(before?.conversation_handle);
			const said = (await readConversation(text)).slice(-2);
			expect(said.map(({ is_outbound }) => is_outbound)).toEqual([false, true]);
		}));
});

describe('the second start', () => {
	let before: SavedWorkflow | undefined;

	beforeAll(async () => {
		await reset({ keep_webhooks: true });
		await check();
		before = await playground.n8n.findWorkflow(WORKFLOW);
		await ended();
		await startAgain();
	});

	test('installs and imports nothing again, and does not change the workflow', async () => {
		expect(playground.did).toEqual({
			installedN8n: false,
			installedPackage: false,
			importedWorkflows: [],
		});
		expect(await playground.n8n.findWorkflow(WORKFLOW)).toMatchObject({
			versionId: before?.versionId,
			activeVersionId: before?.versionId,
			nodes: before?.nodes,
		});
	});

	test('shows the conversations of the shop again, which start no workflow', async () => {
		const executionsBefore = await ended();
		expect(await conversations()).toBeGreaterThan(3);
		await check();
		expect(await ended()).toEqual(executionsBefore);
	});

	test('answers a text as before, also after the sandbox was reset from its phone', async () =>
		await temporary.showingLog(async () => {
			await expectAnswerTo('hello again');
			await reset({ keep_webhooks: true });
			await expectAnswerTo('hello after a reset');
		}));
});

test('a start on other ports answers a text there, and a stop leaves no process that listens', async () =>
	await temporary.showingLog(async () => {
		await startAgain(await freePorts());
		await expectAnswerTo('hello elsewhere');

		await temporary.stop();
		const { ports } = temporary;
		await expect(checkPort(ports.sandboxPort, 'the sandbox', '--port')).resolves.toBeUndefined();
		await expect(checkPort(ports.n8nPort, 'n8n', '--n8n-port')).resolves.toBeUndefined();
	}));
