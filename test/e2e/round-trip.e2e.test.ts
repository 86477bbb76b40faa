import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { loadAccount } from '../../playground/account';
import { dataFiles } from '../../playground/folders';
import { checkPort, freePort } from '../../playground/machine';
import { startPlayground, type Playground } from '../../playground/playground';
import type { SavedWorkflow } from '../../playground/rest';
import { Customer, type Row } from './customer';
import { until } from './until';

const WORKFLOW = 'twmAutoReply0001';

let dataFolder: string;
let ports: { sandboxPort: number; n8nPort: number };
let playground: Playground;

const start = async (): Promise<Playground> => {
	const said: string[] = [];
	try {
		return await startPlayground({
			...ports,
			dataFolder,
			log: (line, kind) => kind !== 'passing' && said.push(line),
		});
	} catch (error) {
		process.stderr.write(`${said.join('\n')}\n`);
		await showN8nLog();
		throw error;
	}
};

const showN8nLog = async (): Promise<void> => {
	const log = await readFile(dataFiles(dataFolder).n8nLog, 'utf8').catch(() => 'n8n has no log.');
	const lines = log.split('\n').filter((line) => !/^(Starting|Finished) migration/.test(line));
	process.stderr.write(`--- n8n's log ---\n${lines.join('\n')}\n`);
};

/** Runs a test's body; when it fails, n8n's log is shown before the failure. */
const withLog = (body: () => Promise<void>) => async () => {
	try {
		await body();
	} catch (error) {
		await showN8nLog();
		throw error;
	}
};

const runs = async () => await playground.n8n.executions(WORKFLOW);

/** The runs once none of them is under way any more. */
const endedRuns = async () =>
	await until('the end of all runs', async () => {
		const all = await runs();
		return all.every(({ status }) => !['new', 'running', 'waiting'].includes(status))
			? all
			: undefined;
	});

const threadOf = async ({ conversation_handle }: Row): Promise<Row[]> => {
	const { apiKey, apiSecret } = await loadAccount(dataFiles(dataFolder).account);
	const { data } = await axios.get<{ messages: Row[] }>(`${playground.sandboxUrl}/v2/messages`, {
		params: { conversation_handle },
		headers: { 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
		proxy: false,
	});
	return data.messages.reverse();
};

/** One more text goes round, and starts one more run. */
const goesRound = async (content: string) => {
	const runsBefore = (await runs()).length;
	const customer = new Customer(playground.sandboxUrl, '+15551230001');
	const text = await customer.text(content);
	expect(await customer.answer()).toMatchObject({
		conversation_handle: text.conversation_handle,
		content: expect.stringContaining(content) as string,
	});
	expect((await customer.deliveryOf(text)).attempts).toHaveLength(1);
	expect(await endedRuns()).toHaveLength(runsBefore + 1);
};

beforeAll(async () => {
	dataFolder = await mkdtemp(join(tmpdir(), 'two-way-messaging-e2e-'));
	ports = { sandboxPort: await freePort(), n8nPort: await freePort() };
	playground = await start();
});

afterAll(async () => {
	await playground?.stop();
	await rm(dataFolder, { recursive: true, force: true });
});

describe('the first start', () => {
	test('installs the package and imports the example workflows', () => {
		expect(playground.did).toMatchObject({
			installedPackage: true,
			importedWorkflows: expect.arrayContaining(['Auto-reply']) as string[],
		});
	});

	test(
		'a text from a customer starts one run, and its answer comes in the same conversation',
		withLog(async () => {
			const customer = new Customer(playground.sandboxUrl, '+15551230001');
			const text = await customer.text('hello');
			const answer = await customer.answer();
			expect(answer).toMatchObject({
				to: '+15551230001',
				from: text.to,
				conversation_handle: text.conversation_handle,
				line_handle: text.line_handle,
				content: expect.stringContaining('hello') as string,
			});

			const { state, attempts } = await customer.deliveryOf(text);
			expect(state).toBe('delivered');
			expect(attempts).toHaveLength(1);
			expect((await endedRuns()).map(({ status }) => status)).toEqual(['success']);
			expect((await threadOf(text)).map(({ is_outbound }) => is_outbound)).toEqual([false, true]);
		}),
	);

	test(
		'§6.4 an event that is unsigned or was tampered with is refused with 401 and starts no run',
		withLog(async () => {
			const customer = new Customer(playground.sandboxUrl, '+15551230002');
			const { url, body, attempts } = await customer.deliveryOf(await customer.text('genuine'));
			await customer.answer();
			const before = await endedRuns();
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
			expect(await runs()).toEqual(before);
		}),
	);
});

describe('the second start', () => {
	let before: SavedWorkflow | undefined;

	beforeAll(async () => {
		before = await playground.n8n.findWorkflow(WORKFLOW);
		await playground.stop();
		playground = await start();
	});

	test('installs and imports nothing again, and leaves the workflow as it was', async () => {
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
		'lets a text go round as before',
		withLog(async () => await goesRound('hello again')),
	);

	test(
		'lets a text go round after the sandbox was reset from its phone',
		withLog(async () => {
			await axios.post(`${playground.sandboxUrl}/sandbox/reset`, {}, { proxy: false });
			await goesRound('hello after a reset');
		}),
	);
});

describe('a start on other ports', () => {
	beforeAll(async () => {
		await playground.stop();
		ports = { sandboxPort: await freePort(), n8nPort: await freePort() };
		playground = await start();
	});

	test(
		'lets a text go round there',
		withLog(async () => await goesRound('hello elsewhere')),
	);
});

describe('stopping', () => {
	test('leaves nothing that listens', async () => {
		await playground.stop();
		await expect(checkPort(ports.sandboxPort, 'the sandbox', '--port')).resolves.toBeUndefined();
		await expect(checkPort(ports.n8nPort, 'n8n', '--n8n-port')).resolves.toBeUndefined();
	});
});
