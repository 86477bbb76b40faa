import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { loadAccount, type Account } from '../../playground/account';
import type { FolderLock } from '../../playground/folderLock';
import { dataFiles, INSTALL_FOLDER, ROOT } from '../../playground/folders';
import { freePort, LOOPBACK } from '../../playground/machine';
import { N8nProcess } from '../../playground/n8n';
import { providePackage } from '../../playground/ownPackage';
import { N8N } from '../../playground/install';
import { provideN8n } from '../../playground/provideN8n';
import { N8nRest, type WorkflowFile } from '../../playground/rest';
import { startSandbox } from '../../playground/sandbox';
import { importWorkflows, logIn, provideCredential } from '../../playground/setUp';
import type { Served } from '../../sandbox/src';
import { checkAgain } from '../support/playground/checks';
import { Customer, type Row } from '../support/playground/customer';
import { waitUntil } from '../support/waitUntil';

const COMBINE_SECONDS = 6;

const ANNA = '+15551230001';
const BEN = '+15551230002';

let folder: string;
let account: Account;
let sandbox: Served;
let n8n: N8nProcess;
let installLock: FolderLock;
let rest: N8nRest;
let workflow: WorkflowFile;
let startN8n: () => Promise<void>;

/** Reads the example that answers every text, and makes it wait for more texts. */
async function readPatientAutoReply(): Promise<WorkflowFile> {
	const file = await readFile(join(ROOT, 'workflows', 'auto-reply.json'), 'utf8');
	const autoReply = JSON.parse(file) as WorkflowFile;
	for (const { type, parameters } of autoReply.nodes) {
		if (!type.endsWith('Trigger')) continue;
		Object.assign(parameters, {
			checkEvery: 1,
			options: { combineSeconds: COMBINE_SECONDS },
		});
	}
	return autoReply;
}

beforeAll(async () => {
	const { node, installation, inUse } = await provideN8n(N8N, INSTALL_FOLDER, () => undefined);
	installLock = inUse;
	folder = await mkdtemp(join(tmpdir(), 'two-way-messaging-bursts-'));
	const files = dataFiles(folder);
	await providePackage(files, () => undefined);
	account = await loadAccount(files.account);
	sandbox = await startSandbox(await freePort(), account, files.registrations);
	const port = await freePort();
	rest = new N8nRest(`http://${LOOPBACK}:${port}`);
	startN8n = async () => {
		n8n = await N8nProcess.spawn({
			nodePath: node.path,
			script: installation.script,
			userFolder: files.userFolder,
			logFile: files.n8nLog,
			port,
			environment: { N8N_EXPRESSION_ENGINE: 'legacy' },
		});
		await n8n.ready();
		await logIn(rest, account);
	};
	await startN8n();
	workflow = await readPatientAutoReply();
	await mkdir(join(folder, 'workflows'));
	await writeFile(join(folder, 'workflows', 'auto-reply.json'), JSON.stringify(workflow));
	const credentialId = await provideCredential(rest, account, sandbox.url);
	await importWorkflows(rest, join(folder, 'workflows'), credentialId);
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.close();
	installLock?.release();
	await rm(folder, { recursive: true, force: true });
});

/** The answers to a customer, oldest first. */
const answersTo = async (number: string): Promise<string[]> => {
	const { data } = await axios.get<{ messages: Row[] }>(`${sandbox.url}/v2/messages`, {
		headers: { 'X-API-Key': account.apiKey, 'X-API-Secret': account.apiSecret },
		proxy: false,
	});
	const toThem = data.messages.filter((row) => row.is_outbound && row.to === number);
	return toThem.map(({ content }) => content).reverse();
};

const waitForAnswers = async (number: string) =>
	await waitUntil(`an answer to ${number}`, async () => {
		const answers = await answersTo(number);
		return answers.length > 0 ? answers : undefined;
	});

/** Sends texts one after the other, each after n8n has taken the event of the previous one. */
const textAll = async (number: string, contents: string[]) => {
	const customer = new Customer(sandbox.url, number);
	for (const content of contents) {
		const { attempts } = await customer.waitForDelivery(await customer.text(content));
		expect(attempts.map(({ status }) => status)).toEqual([200]);
	}
};

test('three short texts get one answer, and n8n takes each event at once', async () => {
	const startedAtMs = performance.now();
	await textAll(ANNA, ['Hi', 'are you open', 'tomorrow?']);
	expect(performance.now() - startedAtMs).toBeLessThan(COMBINE_SECONDS * 1_000);
	expect(await answersTo(ANNA)).toEqual([]);
	expect(await waitForAnswers(ANNA)).toEqual([
		expect.stringContaining('“Hi\nare you open\ntomorrow?”'),
	]);
	expect(await rest.executions(workflow.id)).toHaveLength(1);
});

test('texts that wait for more when n8n is killed are answered together and once after its next start', async () => {
	await textAll(BEN, ['My order', 'has not come', 'where is it?']);
	await n8n.kill();
	expect(await answersTo(BEN)).toEqual([]);
	await startN8n();
	expect(await waitForAnswers(BEN)).toEqual([
		expect.stringContaining('“My order\nhas not come\nwhere is it?”'),
	]);
	await checkAgain(sandbox.url, { kill: async () => await n8n.kill(), start: startN8n });
	expect(await answersTo(BEN)).toHaveLength(1);
	expect(await answersTo(ANNA)).toHaveLength(1);
});
