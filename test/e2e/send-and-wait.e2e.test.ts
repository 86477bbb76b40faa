import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import axios from 'axios';
import { dataFiles } from '../../playground/folders';
import { freePort } from '../../playground/machine';
import { startPlayground, type Playground } from '../../playground/playground';
import { Customer } from './customer';
import { outputsOf } from './outputs';
import { until } from './until';

const PACKAGE = 'n8n-nodes-two-way-messaging';
const AUTO_REPLY = 'twmAutoReply0001';

/** Answers every status, follows nothing: what a visitor's browser gets. */
const web = axios.create({ proxy: false, validateStatus: () => true, maxRedirects: 0 });

let dataFolder: string;
let ports: { sandboxPort: number; n8nPort: number };
let playground: Playground;

const start = async (): Promise<void> => {
	playground = await startPlayground({ ...ports, dataFolder, log: () => {} });
};

beforeAll(async () => {
	dataFolder = await mkdtemp(join(tmpdir(), 'two-way-messaging-wait-'));
	ports = { sandboxPort: await freePort(), n8nPort: await freePort() };
	await start();
	const credential = await playground.n8n.findCredential(
		'twoWayMessagingApi',
		'Two-Way Messaging Sandbox',
	);
	for (const [id, parameters] of Object.entries(QUESTIONS)) {
		const workflow = questionWorkflow(id, parameters, credential ?? '');
		const { versionId } = await playground.n8n.createWorkflow(workflow);
		await playground.n8n.activate(id, versionId);
	}
});

afterAll(async () => {
	await playground?.stop();
	await rm(dataFolder, { recursive: true, force: true });
});

/** Workflows that ask, by their id. */
const QUESTIONS = {
	buttons: { responseType: 'approval', approveLabel: 'Yes' },
	text: { responseType: 'reply' },
	hurried: {
		responseType: 'reply',
		limitWaitTime: true,
		// A tenth of a minute.
		resumeAmount: 0.1,
		resumeUnit: 'minutes',
	},
	patient: { responseType: 'reply', limitWaitTime: true, resumeAmount: 1, resumeUnit: 'days' },
};
type Id = keyof typeof QUESTIONS;

/** A request with a number starts it; what follows notes the item, and whom it was about. */
const questionWorkflow = (id: string, parameters: object, credentialId: string) => {
	const outcome = (name: string, y: number) => ({
		id: name,
		name,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		position: [400, y],
		parameters: {
			mode: 'raw',
			jsonOutput: "={{ { ...$json, asked: $('Start').item.json.body.number } }}",
		},
	});
	return {
		id,
		name: id,
		active: false,
		settings: { executionOrder: 'v1' },
		nodes: [
			{
				id: 'start',
				name: 'Start',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				position: [0, 0],
				webhookId: id,
				parameters: { path: id, httpMethod: 'POST' },
			},
			{
				id: `00000000-0000-4000-8000-00000000000${Object.keys(QUESTIONS).indexOf(id)}`,
				name: 'Ask',
				type: `${PACKAGE}.twoWayMessaging`,
				typeVersion: 1,
				position: [200, 0],
				credentials: { twoWayMessagingApi: { id: credentialId, name: 'Sandbox' } },
				parameters: {
					resource: 'message',
					operation: 'sendAndWait',
					number: '={{ $json.body.number }}',
					content: 'Can we come at 10?',
					...parameters,
				},
			},
			outcome('Answered', 0),
			outcome('Unanswered', 200),
		],
		connections: {
			Start: { main: [[{ node: 'Ask', type: 'main', index: 0 }]] },
			Ask: {
				main: [
					[{ node: 'Answered', type: 'main', index: 0 }],
					[{ node: 'Unanswered', type: 'main', index: 0 }],
				],
			},
		},
	};
};

/** Starts a workflow that asks; gives what the customer got. */
const ask = async (id: Id, number: string) => {
	const customer = new Customer(playground.sandboxUrl, number);
	const { status } = await web.post(`${playground.n8nUrl}/webhook/${id}`, { number });
	expect(status).toBe(200);
	const question = await customer.answer();
	await until('an execution that waits', async () =>
		(await latest(id)).status === 'waiting' ? true : undefined,
	);
	return { customer, question, link: /http\S+$/.exec(question.content)?.[0] ?? '' };
};

const latest = async (id: string) => {
	const [execution] = await playground.n8n.executions(id);
	return execution ?? { id: '', status: 'none' };
};

/** What the nodes behind the question got, once the execution has ended. */
const outcome = async (id: Id) =>
	await until(`the end of ${id}`, async () => {
		const execution = await latest(id);
		if (['new', 'running', 'waiting'].includes(execution.status)) return undefined;
		expect(execution.status).toBe('success');
		return outputsOf(await playground.n8n.executionData(execution.id));
	});

const autoReplies = async () => await playground.n8n.executions(AUTO_REPLY);

/** Runs a test's body; when it fails, n8n's log is shown before the failure. */
const withLog = (body: () => Promise<void>) => async () => {
	try {
		await body();
	} catch (error) {
		const log = await readFile(dataFiles(dataFolder).n8nLog, 'utf8').catch(() => 'n8n has no log.');
		process.stderr.write(`--- n8n's log ---\n${log.slice(-8_000)}\n`);
		throw error;
	}
};

describe('an answer by the buttons of a page', () => {
	test(
		'counts when a button is pressed, and not when the link is fetched',
		withLog(async () => {
			const { link, question } = await ask('buttons', '+15551230101');

			const preview = await web.get<string>(link);
			expect(preview.status).toBe(200);
			expect(preview.data).toContain('Can we come at 10?');
			expect(preview.headers['content-security-policy']).toMatch(/^default-src 'none'/);
			expect((await web.head(link)).status).toBe(200);
			expect((await latest('buttons')).status).toBe('waiting');

			expect((await web.post<string>(link, 'decision=decline')).data).toContain('Thank you');
			expect(await outcome('buttons')).toMatchObject({
				Answered: [
					{
						answered: true,
						approved: false,
						asked: '+15551230101',
						question: { message_handle: question.message_handle, content: 'Can we come at 10?' },
					},
				],
			});

			const again = await web.get<string>(link);
			expect(again.status).toBe(200);
			expect(again.data).toContain('No action required');
		}),
	);

	test(
		'is refused with 401 when the link was tampered with',
		withLog(async () => {
			const { link } = await ask('buttons', '+15551230102');
			const tampered = link.replace(/.$/, (last) => (last === '0' ? '1' : '0'));

			expect((await web.get(tampered)).status).toBe(401);
			expect((await web.post(tampered, 'decision=approve')).status).toBe(401);
			expect((await latest('buttons')).status).toBe('waiting');
		}),
	);
});

describe('an answer by text', () => {
	test(
		'goes to the execution that asked, and the auto-reply keeps quiet',
		withLog(async () => {
			const { customer, question } = await ask('text', '+15551230103');

			const text = await customer.text('yes');

			expect(await outcome('text')).toMatchObject({
				Answered: [
					{
						answered: true,
						asked: '+15551230103',
						message_handle: text.message_handle,
						content: 'yes',
						status: 'RECEIVED',
						question: { message_handle: question.message_handle, content: 'Can we come at 10?' },
					},
				],
			});
			expect((await customer.deliveryOf(text)).attempts).toHaveLength(1);
			await pause(1_000);
			expect((await customer.last()).content).toBe('yes');

			await customer.text('and one more thing');
			expect((await customer.answer()).content).toContain('and one more thing');
		}),
	);

	test(
		'is taken by an execution that waited while n8n was started anew',
		withLog(async () => {
			await ask('text', '+15551230104');
			await ask('patient', '+15551230105');
			const before = (await autoReplies()).length;

			await playground.stop();
			await start();

			for (const [id, number] of [
				['patient', '+15551230105'],
				['text', '+15551230104'],
			] as const) {
				const customer = new Customer(playground.sandboxUrl, number);
				const text = await customer.text(`yes from ${number}`);
				expect(await outcome(id)).toMatchObject({
					Answered: [{ message_handle: text.message_handle, asked: number }],
				});
				expect((await customer.last()).content).toBe(`yes from ${number}`);
			}
			expect(await autoReplies()).toHaveLength(before + 2);

			const next = await ask('text', '+15551230108');
			await next.customer.text('and yes');
			expect(await outcome('text')).toMatchObject({ Answered: [{ content: 'and yes' }] });
		}),
	);

	test(
		'to an execution that somebody stopped starts the workflow as usual',
		withLog(async () => {
			const { customer } = await ask('text', '+15551230106');
			await playground.n8n.stopExecution((await latest('text')).id);

			await customer.text('too late');

			expect((await customer.answer()).content).toContain('too late');
		}),
	);

	test(
		'that does not come in time leaves by the output for no answer, linked to its item',
		withLog(async () => {
			const { customer } = await ask('hurried', '+15551230107');

			const { Answered: answered, Unanswered: unanswered } = await outcome('hurried');

			expect(answered).toBeUndefined();
			expect(unanswered).toMatchObject([
				{ answered: false, asked: '+15551230107', question: { content: 'Can we come at 10?' } },
			]);
			await customer.text('sorry, late');
			expect((await customer.answer()).content).toContain('sorry, late');
		}),
	);
});

test('n8n makes the human review of an AI agent’s tools out of the node', async () => {
	expect(await playground.n8n.nodeTypes()).toContain(`${PACKAGE}.twoWayMessagingHitlTool`);
});
