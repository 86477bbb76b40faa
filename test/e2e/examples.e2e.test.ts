import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import axios from 'axios';
import type { INodeTypeDescription } from 'n8n-workflow';
import { loadAccount } from '../../playground/account';
import { dataFiles, INSTALL_FOLDER } from '../../playground/folders';
import type { Playground } from '../../playground/playground';
import type { WorkflowFile } from '../../playground/rest';
import { examples, nodeFindings } from '../support/workflowFiles';
import { Customer, type Row } from '../support/playground/customer';
import { itemsOf } from '../support/playground/executionData';
import { ModelStub } from './modelStub';
import { TemporaryPlayground } from '../support/playground/temporaryPlayground';
import { waitUntil } from '../support/waitUntil';

const AUTO_REPLY = 'twmAutoReply0001';
const KEYWORD_MENU = 'twmKeywordMenu01';
const OUTREACH = 'twmOutreach00001';
const LINE_BLOCKED = 'twmLineBlocked01';
const REMINDER = 'twmReminder00001';
const AI_AGENT = 'twmAiAgent000001';

/** The number of the person whom the examples tell about something. */
const STAFF = '+15550190001';

let temporary: TemporaryPlayground;
let playground: Playground;

beforeAll(async () => {
	temporary = await TemporaryPlayground.start();
	playground = temporary.running;
});

afterAll(async () => await temporary?.removeAll());

const control = async (path: string, body: object = {}) =>
	await axios.post<Row>(`${playground.sandboxUrl}/sandbox${path}`, body, { proxy: false });

type Line = { line_handle: string; number: string; label: string };

/** Reads the sandbox's state, which does not count as a request to the service. */
const readState = async () =>
	(
		await axios.get<{ lines: Line[]; counts: { messages: number } }>(
			`${playground.sandboxUrl}/sandbox/state`,
			{ proxy: false },
		)
	).data;

const changeLine = async (line: Line | undefined, change: object) =>
	await axios.patch(`${playground.sandboxUrl}/sandbox/lines/${line?.line_handle}`, change, {
		proxy: false,
	});

/** The whole history, oldest first. */
const readHistory = async (): Promise<Row[]> => {
	const { apiKey, apiSecret } = await loadAccount(dataFiles(temporary.dataFolder).account);
	const { data } = await axios.get<{ messages: Row[] }>(`${playground.sandboxUrl}/v2/messages`, {
		params: { limit: 500 },
		headers: { 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
		proxy: false,
	});
	return data.messages.reverse();
};

const textsTo = async (number: string): Promise<Row[]> =>
	(await readHistory()).filter(({ is_outbound, to }) => is_outbound && to === number);

/**
 * Waits for the next text to a number that has had so many, and returns it. It reads the history only when there is a
 * new message, because each reading counts against the limit that the workflows need (§8.1).
 */
const waitForTextTo = async (number: string, had: number): Promise<Row> => {
	let known = -1;
	return await waitUntil(`a text to ${number}`, async () => {
		const { counts } = await readState();
		if (counts.messages === known) return undefined;
		known = counts.messages;
		return (await textsTo(number))[had];
	});
};

const customer = (number: string) => new Customer(playground.sandboxUrl, number);

/** Publishes a workflow while the body runs. */
const whileActive = async (id: string, body: () => Promise<void>): Promise<void> => {
	const workflow = await playground.n8n.findWorkflow(id);
	await playground.n8n.activate(id, workflow?.versionId ?? '');
	try {
		await temporary.showingLog(body);
	} finally {
		await playground.n8n.deactivate(id);
	}
};

/** Saves a copy of an example under another id, with its credentials and the changes. */
const copyExample = async (
	id: string,
	copyId: string,
	change: (workflow: WorkflowFile) => WorkflowFile & { pinData?: object },
): Promise<void> => {
	const imported = await playground.n8n.findWorkflow(id);
	const example = examples().find(({ workflow }) => workflow.name === imported?.name);
	if (!imported || !example) throw new Error(`There is no example ${id}`);
	const { nodes } = imported;
	await playground.n8n.createWorkflow(
		change({ ...(JSON.parse(example.text) as WorkflowFile), id: copyId, nodes }),
	);
};

/**
 * Runs an example with several events in one execution, as a check can start it. The trigger takes them from the
 * copy's pinned data.
 */
const runWithEvents = async (id: string, trigger: string, events: object[]): Promise<void> => {
	const copyId = `${id.slice(0, -2)}99`;
	await copyExample(id, copyId, (workflow) => ({
		...workflow,
		pinData: { [trigger]: events.map((json) => ({ json })) },
	}));
	await playground.n8n.run(copyId, trigger);
	expect(await endedStatuses(copyId)).toEqual(['success']);
};

/** Waits until no execution of a workflow is under way any more, and returns their statuses. */
const endedStatuses = async (id: string): Promise<string[]> =>
	await waitUntil('the end of all executions', async () => {
		const statuses = (await playground.n8n.executions(id)).map(({ status }) => status);
		return statuses.some((status) => ['new', 'running', 'waiting'].includes(status))
			? undefined
			: statuses;
	});

describe('the playground', () => {
	test('imports every example, and activates only one of those that answer texts', async () => {
		const workflows = await playground.n8n.workflows();
		expect(workflows.map(({ id }) => id).sort()).toEqual(
			[AUTO_REPLY, KEYWORD_MENU, OUTREACH, LINE_BLOCKED, REMINDER, AI_AGENT].sort(),
		);
		const active = workflows.filter(({ activeVersionId }) => activeVersionId !== null);
		expect(active.map(({ id }) => id)).toEqual([AUTO_REPLY]);
	});
});

describe('every node of every example', () => {
	/** Reads the nodes of one of n8n's own packages. */
	const readNodeTypes = async (packageName: string): Promise<INodeTypeDescription[]> => {
		const folder = join(INSTALL_FOLDER, 'n8n', 'node_modules', packageName);
		const types = await readFile(join(folder, 'dist', 'types', 'nodes.json'), 'utf8');
		return JSON.parse(types) as INodeTypeDescription[];
	};

	test('exists in the installed n8n, with parameters that it knows', async () => {
		for (const packageName of ['n8n-nodes-base', '@n8n/n8n-nodes-langchain']) {
			const types = await readNodeTypes(packageName);
			const nodes = examples()
				.flatMap(({ workflow }) => workflow.nodes)
				.filter(({ type }) => type.startsWith(`${packageName}.`));
			expect(nodes.length).toBeGreaterThan(0);
			expect(nodes.flatMap((node) => nodeFindings(node, types))).toEqual([]);
		}
	});
});

describe('Auto-reply', () => {
	test('answers a text in the same conversation', async () => {
		const anna = customer('+15551230001');
		const text = await anna.text('Are you there?');
		expect(await anna.waitForAnswer()).toMatchObject({
			conversation_handle: text.conversation_handle,
			content: expect.stringContaining('Are you there?') as string,
		});
		await playground.n8n.deactivate(AUTO_REPLY);
	});
});

describe('Keyword menu', () => {
	const ben = '+15551230002';

	test('answers a keyword in upper or lower case, tells a person about any other text, and ignores texts from staff', async () => {
		await whileActive(KEYWORD_MENU, async () => {
			const line = (await readState()).lines.at(-1);
			const asked = await control('/inbound', { from: ben, to: line?.number, content: ' hours ' });
			expect(await waitForTextTo(ben, 0)).toMatchObject({
				content: expect.stringContaining('We are open') as string,
				from: asked.data.to,
				conversation_handle: asked.data.conversation_handle,
			});

			await customer(ben).text('Price');
			expect((await waitForTextTo(ben, 1)).content).toContain('A haircut is');
			expect(await textsTo(STAFF)).toEqual([]);

			await customer(ben).text('Can I come by at nine?');
			const told = await waitForTextTo(STAFF, 0);
			expect(told.content).toContain(ben);
			expect(told.content).toContain('Can I come by at nine?');
			expect((await waitForTextTo(ben, 2)).content).toContain('A person will answer you shortly');

			const staffText = await customer(STAFF).text('On it');
			expect((await customer(STAFF).waitForDelivery(staffText)).state).toBe('delivered');
			expect(await endedStatuses(KEYWORD_MENU)).toEqual(Array(4).fill('success'));
			expect(await textsTo(STAFF)).toHaveLength(1);
		});
	});
});

describe('Keyword menu, several texts at once', () => {
	test('answers each customer, and tells a person about each text', async () => {
		const [one, other] = ['+15551230011', '+15551230012'];
		const told = (await textsTo(STAFF)).length;
		const texts = [
			await customer(one).text('hours'),
			await customer(other).text('Hello?'),
			await customer(one).text('Anybody there?'),
		];
		await runWithEvents(KEYWORD_MENU, 'When a customer texts', texts);
		const to = async (number: string) => (await textsTo(number)).map(({ content }) => content);
		expect((await to(STAFF)).slice(told)).toEqual([
			expect.stringContaining(`${other} wrote: “Hello?”`),
			expect.stringContaining(`${one} wrote: “Anybody there?”`),
		]);
		expect(await to(one)).toEqual([
			expect.stringContaining('We are open'),
			expect.stringContaining('A person will answer'),
		]);
		expect(await to(other)).toEqual([expect.stringContaining('A person will answer')]);
	});
});

describe('Outreach to a list', () => {
	test('sends to everybody on the list but those who opted out or cannot be texted, and counts them', async () => {
		await customer('+15551230002').text('STOP');
		const before = await readHistory();

		const id = await playground.n8n.run(OUTREACH, 'Start it by hand');
		expect(await endedStatuses(OUTREACH)).toEqual(['success']);

		const sent = (await readHistory()).slice(before.length);
		expect(sent.map(({ to, content }) => [to, content.split(',')[0]])).toEqual([
			['+15551230001', 'Hi Anna'],
			['+447700900123', 'Hi Carla'],
		]);
		const data = await playground.n8n.executionData(id);
		expect(itemsOf(data, 'Summary')).toEqual([{ sent: 2, opted_out: 1, refused: 1 }]);
		expect(itemsOf(data, 'All results')).toEqual([
			{
				name: 'Ben',
				number: '+15551230002',
				result: 'opted_out',
				expected_channel: 'iMessage',
				reason: 'Contact has opted out of messages',
			},
			expect.objectContaining({ name: 'Anna', result: 'sent', reason: '' }),
			expect.objectContaining({ name: 'Carla', result: 'sent', reason: '' }),
			{
				name: 'Dora, whose country code is missing',
				number: '555 0104',
				result: 'refused',
				expected_channel: 'not known',
				reason: expect.stringContaining('[item 3]') as string,
			},
		]);
	});
});

describe('Line blocked', () => {
	test('tells a person from the line with the most messages left; the execution fails when every line is blocked', async () => {
		const [first, second] = (await readState()).lines;
		const told = (await textsTo(STAFF)).length;
		await whileActive(LINE_BLOCKED, async () => {
			await control(`/lines/${first?.line_handle}/block`, { reason: 'Too many complaints' });
			const text = await waitForTextTo(STAFF, told);
			expect(text.line_handle).toBe(second?.line_handle);
			expect(text.content).toBe(
				`${first?.label} (${first?.number}) is blocked: Too many complaints. ` +
					`${second?.label} (${second?.number}) has the most room left today. Choose it where a node sends from a blocked line.`,
			);
			expect(await endedStatuses(LINE_BLOCKED)).toEqual(['success']);

			await control(`/lines/${second?.line_handle}/block`);
			await waitUntil('the second execution', async () => (await endedStatuses(LINE_BLOCKED))[1]);
			expect(await endedStatuses(LINE_BLOCKED)).toEqual(['error', 'success']);
			expect(await textsTo(STAFF)).toHaveLength(told + 1);
		});
		for (const line of [first, second]) await control(`/lines/${line?.line_handle}/unblock`);
	});
});

describe('Line blocked, several lines at once', () => {
	test('tells a person about all of them in one text, from the line with the most messages left today', async () => {
		const told = (await textsTo(STAFF)).length;
		const [scarce, roomy] = (await readState()).lines;
		await changeLine(scarce, { limits: { daily: 20 } });
		await runWithEvents(LINE_BLOCKED, 'When a line is blocked', [
			{ event: 'line_blocked', label: 'Sales', number: '+15550100008', block_reason: 'Spam' },
			{ event: 'line_blocked', number: '+15550100009' },
		]);
		await changeLine(scarce, { limits: { daily: 200 } });
		expect((await textsTo(STAFF)).slice(told)).toEqual([
			expect.objectContaining({
				line_handle: roomy?.line_handle,
				content:
					'Sales (+15550100008) is blocked: Spam. The line (+15550100009) is blocked: no reason given. ' +
					`${roomy?.label} (${roomy?.number}) has the most room left today. Choose it where a node sends from a blocked line.`,
			}),
		]);
	});
});

describe('Appointment reminder', () => {
	const anna = '+15551230001';
	const ben = '+15551230006';

	/** Opens the link in a text, and answers on its page. */
	const choose = async ({ content }: Row, decision: 'approve' | 'decline') => {
		const link = /https?:\S+/.exec(content)?.[0] ?? '';
		const page = await axios.get<string>(link, { proxy: false });
		expect(page.data).toContain('Yes, I will come');
		await axios.post(link, new URLSearchParams({ decision }), { proxy: false });
	};

	test('asks each customer, waits for each of them separately, and thanks them or tells a person', async () => {
		const had = { anna: (await textsTo(anna)).length, staff: (await textsTo(STAFF)).length };
		await playground.n8n.run(REMINDER, 'Try it by hand');
		const toAnna = await waitForTextTo(anna, had.anna);
		const toBen = await waitForTextTo(ben, 0);
		expect(toAnna.content).toContain('Hi Anna, your appointment is tomorrow at 10:00.');
		expect(toBen.content).toContain('Hi Ben, your appointment is tomorrow at 11:30.');
		const waiting = await waitUntil('both to wait', async () => {
			const runs = await playground.n8n.executions(REMINDER);
			return runs.filter(({ status }) => status === 'waiting').length === 2 || undefined;
		});
		expect(waiting).toBe(true);

		await choose(toBen, 'decline');
		expect((await waitForTextTo(STAFF, had.staff)).content).toBe(
			`Ben (${ben}) cannot come tomorrow at 11:30.`,
		);
		await choose(toAnna, 'approve');
		expect(await waitForTextTo(anna, had.anna + 1)).toMatchObject({
			content: 'Thank you, Anna. See you tomorrow at 10:00.',
			line_handle: toAnna.line_handle,
		});
		expect(await endedStatuses(REMINDER)).toEqual(Array(3).fill('success'));
	});
});

describe('AI agent', () => {
	const COPY = `${AI_AGENT.slice(0, -1)}2`;
	const model = new ModelStub();

	beforeAll(async () => {
		await model.listen();
		const credentialId = await playground.n8n.createCredential('openAiApi', 'Stand-in model', {
			apiKey: 'key_of_the_stand_in',
			url: model.url,
		});
		// A person would do the same: add a key for the model to the example.
		await copyExample(AI_AGENT, COPY, (workflow) => ({
			...workflow,
			nodes: workflow.nodes.map((node) =>
				node.type.endsWith('.lmChatOpenAi')
					? { ...node, credentials: { openAiApi: { id: credentialId, name: 'Stand-in model' } } }
					: node,
			),
		}));
	});

	afterAll(async () => await model.close());

	test('answers with the text of the model, which gets the conversation in its order', async () => {
		const dora = customer('+15551230004');
		await customer('+15551230005').text('A secret of somebody else');
		await whileActive(COPY, async () => {
			model.answer = 'Hello Dora, how can I help?';
			const first = await dora.text('Hi, my name is "Dora"\nand I like tulips.');
			expect((await waitForTextTo('+15551230004', 0)).content).toBe(model.answer);

			model.answer = 'You are Dora.';
			await dora.text('What is my name?');
			expect(await waitForTextTo('+15551230004', 1)).toMatchObject({
				content: 'You are Dora.',
				line_handle: first.line_handle,
				conversation_handle: first.conversation_handle,
			});
			expect(await endedStatuses(COPY)).toEqual(['success', 'success']);
		});

		const [system, prompt] = model.requests[1]?.messages ?? [];
		expect(system).toMatchObject({
			// n8n uses the one or the other, depending on the model's name.
			role: expect.stringMatching(/^(system|developer)$/) as string,
			content: expect.stringContaining('flower shop') as string,
		});
		expect(prompt?.role).toBe('user');
		const told = (prompt?.content ?? '').split('\n').find((line) => line.startsWith('['));
		expect(JSON.parse(told ?? '')).toEqual([
			{ who: 'customer', said: 'Hi, my name is "Dora"\nand I like tulips.' },
			{ who: 'us', said: 'Hello Dora, how can I help?' },
			{ who: 'customer', said: 'What is my name?' },
		]);
		expect(JSON.stringify(model.requests)).not.toContain('A secret of somebody else');
		expect(model.requests).toHaveLength(2);
	});

	test('answers each of several texts from its own conversation only', async () => {
		const [one, other] = ['+15551230013', '+15551230014'];
		const texts = [
			await customer(one).text('I like roses.'),
			await customer(other).text('I like lilies.'),
		];
		model.requests.length = 0;
		await runWithEvents(COPY, 'When a customer texts', texts);
		const asked = model.requests.map(({ messages }) => JSON.stringify(messages));
		expect(asked).toHaveLength(2);
		expect(asked.map((all) => [all.includes('roses'), all.includes('lilies')])).toEqual([
			[true, false],
			[false, true],
		]);
		expect(await textsTo(one)).toHaveLength(1);
		expect(await textsTo(other)).toHaveLength(1);
	});
});
