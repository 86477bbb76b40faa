import axios from 'axios';
import { checkPort } from '../../playground/machine';
import type { Playground } from '../../playground/playground';
import type { SavedWorkflow } from '../../playground/rest';
import { Customer, type Row } from '../support/playground/customer';
import { freePorts, TemporaryPlayground } from '../support/playground/temporaryPlayground';
import { waitUntil } from '../support/waitUntil';
import { examples } from '../support/workflowFiles';

const WORKFLOW = 'twmAutoReply0001';

let temporary: TemporaryPlayground;
let playground: Playground;

/** Runs the body of a test, and shows n8n's log when it fails. */
const withLog = (body: () => Promise<void>) => async () => await temporary.showingLog(body);

const executions = async () => await playground.n8n.executions(WORKFLOW);

/** Waits until no execution is under way any more, and returns all of them. */
const endedExecutions = async () =>
	await waitUntil('the end of all executions', async () => {
		const all = await executions();
		return all.every(({ status }) => !['new', 'running', 'waiting'].includes(status))
			? all
			: undefined;
	});

const readConversation = async ({ conversation_handle }: Row): Promise<Row[]> => {
	const { data } = await axios.get<{ messages: Row[] }>(
		`${playground.sandboxUrl}/sandbox/messages`,
		{ params: { conversation_handle }, proxy: false },
	);
	return data.messages.reverse();
};

/** Lets a customer text, and expects an answer and exactly one more execution. */
const expectAnswerTo = async (content: string) => {
	const executionsBefore = (await executions()).length;
	const customer = new Customer(playground.sandboxUrl, '+15551230001');
	const text = await customer.text(content);
	expect(await customer.waitForAnswer()).toMatchObject({
		conversation_handle: text.conversation_handle,
		content: expect.stringContaining(content) as string,
	});
	expect((await customer.waitForDelivery(text)).attempts).toHaveLength(1);
	expect(await endedExecutions()).toHaveLength(executionsBefore + 1);
};

// An operator's service is neither of these two, and something between them.
describe.each(['literal', 'awkward'] as const)('with a service that is %s,', (character) => {
	beforeAll(async () => {
		temporary = await TemporaryPlayground.start({ character });
		playground = temporary.running;
	});

	afterAll(async () => await temporary?.removeAll());

	describe('the first start', () => {
		test('leads to the workflow that answers, and lets the phone and the notes on the canvas link to each other', async () => {
			const { firstPage, n8n, n8nUrl, sandboxUrl } = playground;
			const workflow = await n8n.findWorkflow(firstPage.split('/').at(-1) ?? '');
			expect(workflow?.name).toBe('Auto-reply');
			expect(JSON.stringify(workflow?.nodes)).toContain(`[the phone](${sandboxUrl}/)`);
			const { data } = await axios.get<{ workflows_url: string }>(`${sandboxUrl}/sandbox/state`, {
				proxy: false,
			});
			expect(data.workflows_url).toBe(`${n8nUrl}/home/workflows`);
		});

		test('lists the workflows by the names of their files, the one that answers near the top', async () => {
			const listed = await playground.n8n.call<Array<{ name: string }>>(
				'get',
				'/workflows?sortBy=updatedAt:desc',
			);
			const files = examples().map(({ workflow }) => workflow.name);
			expect(listed.map(({ name }) => name)).toEqual(files);
		});

		test('installs the package and imports the example workflows', () => {
			expect(playground.did).toMatchObject({
				installedPackage: true,
				importedWorkflows: expect.arrayContaining(['Auto-reply']) as string[],
			});
		});

		test(
			'a text from a customer starts one execution, and is answered in the same conversation',
			withLog(async () => {
				const customer = new Customer(playground.sandboxUrl, '+15551230001');
				const text = await customer.text('hello');
				const answer = await customer.waitForAnswer();
				expect(answer).toMatchObject({
					to: '+15551230001',
					from: text.to,
					conversation_handle: text.conversation_handle,
					line_handle: text.line_handle,
					content: expect.stringContaining('hello') as string,
				});

				const { state, attempts } = await customer.waitForDelivery(text);
				expect(state).toBe('delivered');
				expect(attempts).toHaveLength(1);
				expect((await endedExecutions()).map(({ status }) => status)).toEqual(['success']);
				expect((await readConversation(text)).map(({ is_outbound }) => is_outbound)).toEqual([
					false,
					true,
				]);
			}),
		);

		test(
			'§6.4 an event that is unsigned or was changed is refused with 401 and starts no execution',
			withLog(async () => {
				const customer = new Customer(playground.sandboxUrl, '+15551230002');
				const { url, body, attempts } = await customer.waitForDelivery(
					await customer.text('genuine'),
				);
				await customer.waitForAnswer();
				const before = await endedExecutions();
				const [genuine] = attempts;
				const post = async (content: string, headers: Record<string, string>) =>
					(
						await axios.post(url, Buffer.from(content), {
							headers,
							proxy: false,
							validateStatus: () => true,
						})
					).status;

				const tampered = body.replace('genuine', 'Genuine');
				expect(tampered).not.toBe(body);
				expect(await post(tampered, genuine?.headers ?? {})).toBe(401);
				expect(await post(body, { 'content-type': 'application/json' })).toBe(401);
				expect(await executions()).toEqual(before);
			}),
		);
	});

	describe('the second start', () => {
		let before: SavedWorkflow | undefined;

		beforeAll(async () => {
			before = await playground.n8n.findWorkflow(WORKFLOW);
			await temporary.stop();
			await temporary.startAgain();
			playground = temporary.running;
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

		test(
			'answers a text as before',
			withLog(async () => await expectAnswerTo('hello again')),
		);

		test(
			'answers a text after the sandbox was reset from its phone',
			withLog(async () => {
				await axios.post(`${playground.sandboxUrl}/sandbox/reset`, {}, { proxy: false });
				await expectAnswerTo('hello after a reset');
			}),
		);
	});

	describe('a start on other ports', () => {
		beforeAll(async () => {
			await temporary.stop();
			await temporary.startAgain(await freePorts());
			playground = temporary.running;
		});

		test(
			'answers a text there',
			withLog(async () => await expectAnswerTo('hello elsewhere')),
		);
	});

	describe('a stop', () => {
		test('leaves no process that listens', async () => {
			await temporary.stop();
			const { ports } = temporary;
			await expect(checkPort(ports.sandboxPort, 'the sandbox', '--port')).resolves.toBeUndefined();
			await expect(checkPort(ports.n8nPort, 'n8n', '--n8n-port')).resolves.toBeUndefined();
		});
	});
});
