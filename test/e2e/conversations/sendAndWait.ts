import axios from 'axios';
import { Customer } from '../../support/playground/customer';
import { outputsOf } from '../../support/playground/executionData';
import type { TemporaryPlayground } from '../../support/playground/temporaryPlayground';
import { PACKAGE, requestNode, to, workflowOf } from '../../support/playground/workflowOf';
import { waitUntil } from '../../support/waitUntil';

/** A visitor's browser, which accepts every status and follows no redirect. */
const web = axios.create({ proxy: false, validateStatus: () => true, maxRedirects: 0 });

/** The workflows that ask, by their id, with the fields of their question. */
const QUESTIONS = {
	buttons: { responseType: 'approval', approveLabel: 'Yes' },
	text: { responseType: 'reply' },
	// A tenth of a minute.
	hurried: { limitWaitTime: true, resumeAmount: 0.1, resumeUnit: 'minutes' },
	unclear: { expected: 'yesOrNo', limitWaitTime: true, resumeUnit: 'minutes' },
};
type Id = keyof typeof QUESTIONS;

/** Makes a workflow that asks the number in a webhook request. The nodes behind it keep the item and the number. */
const questionWorkflow = (id: string, parameters: object, credentialId: string) => {
	const jsonOutput = "={{ { ...$json, asked: $('Start').item.json.body.number } }}";
	const outcome = (name: string) => ({
		...{ name, type: 'set', typeVersion: 3.4, parameters: { mode: 'raw', jsonOutput } },
	});
	const ask = {
		...{ name: 'Ask', type: `${PACKAGE}.twoWayMessaging` },
		credentials: { twoWayMessagingApi: { id: credentialId, name: 'Sandbox' } },
		parameters: {
			...{ resource: 'message', operation: 'sendAndWait', content: 'Can we come at 10?' },
			number: '={{ $json.body.number }}',
			...parameters,
		},
	};
	// A yes and a no have an output each.
	const isEither = id === 'buttons' || id === 'unclear';
	const outputs = [...(isEither ? ['Unanswered'] : []), 'Answered', 'Unanswered'];
	return workflowOf(id, [requestNode(id), ask, outcome('Answered'), outcome('Unanswered')], {
		Start: { main: [[to('Ask')]] },
		Ask: { main: outputs.map((name) => [to(name)]) },
	});
};

/** Send and Wait for Response; the example that answers every text is active. */
export const testSendAndWait = (temporary: () => TemporaryPlayground) => {
	const n8n = () => temporary().running.n8n;

	const latestExecution = async (id: Id) =>
		(await n8n().executions(id))[0] ?? { id: '', status: 'new' };

	/** Starts a workflow that asks; returns the question that the customer got. */
	const ask = async (id: Id, number: string) => {
		const { n8nUrl, sandboxUrl } = temporary().running;
		const customer = new Customer(sandboxUrl, number);
		const { status } = await web.post(`${n8nUrl}/webhook/${id}`, { number });
		expect(status).toBe(200);
		const question = await customer.waitForAnswer();
		await waitUntil('an execution that waits', async () =>
			(await latestExecution(id)).status === 'waiting' ? true : undefined,
		);
		return { customer, question, link: /http\S+$/.exec(question.content)?.[0] ?? '' };
	};

	/** Waits until the execution has ended, and returns the items of the nodes behind the question. */
	const waitForOutcome = async (id: Id) =>
		await waitUntil(
			`the end of ${id}`,
			async () => {
				const execution = await latestExecution(id);
				if (['new', 'running', 'waiting'].includes(execution.status)) return undefined;
				expect(execution.status).toBe('success');
				return outputsOf(await n8n().executionData(execution.id));
			},
			// n8n looks once a minute which waits are over.
			90_000,
		);

	let hurried: Awaited<ReturnType<typeof ask>>;

	beforeAll(async () => {
		const name = 'Two-Way Messaging Sandbox';
		const credential = await n8n().findCredential('twoWayMessagingApi', name);
		for (const [id, parameters] of Object.entries(QUESTIONS)) {
			const workflow = questionWorkflow(id, parameters, credential ?? '');
			const { versionId } = await n8n().createWorkflow(workflow);
			await n8n().activate(id, versionId);
		}
		// Its time passes while the other tests run.
		hurried = await ask('hurried', '+15551230107');
		await (await ask('unclear', '+15551230108')).customer.text('Monday is better');
	});

	test('a button counts when the customer presses it, not when something fetches the link or changes it', async () =>
		await temporary().showingLog(async () => {
			const { link, question } = await ask('buttons', '+15551230101');
			expect((await web.get<string>(link)).data).toContain('Can we come at 10?');
			expect((await web.head(link)).status).toBe(200);
			const tampered = link.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
			expect((await web.get(tampered)).status).toBe(401);
			expect((await web.post(tampered, 'decision=approve')).status).toBe(401);
			expect((await latestExecution('buttons')).status).toBe('waiting');

			expect((await web.post<string>(link, 'decision=decline')).data).toContain('Thank you');
			expect(await waitForOutcome('buttons')).toMatchObject({
				Answered: [
					{
						...{ answered: true, approved: false, asked: '+15551230101' },
						question: { message_handle: question.message_handle, content: 'Can we come at 10?' },
					},
				],
			});
			expect((await web.get<string>(link)).data).toContain('No action required');
		}));

	test('a text starts the workflow as usual when somebody has stopped the execution that asked', async () =>
		await temporary().showingLog(async () => {
			const { customer } = await ask('text', '+15551230106');
			await n8n().stopExecution((await latestExecution('text')).id);
			await customer.text('too late');
			expect((await customer.waitForAnswer()).content).toContain('too late');
		}));

	test('an execution without an answer in time goes on at the output for none, with the linked item', async () =>
		await temporary().showingLog(async () => {
			const { Answered: answered, Unanswered: unanswered } = await waitForOutcome('hurried');
			expect(answered).toBeUndefined();
			expect(unanswered).toMatchObject([{ answered: false, asked: '+15551230107' }]);
			await hurried.customer.text('sorry, late');
			expect((await hurried.customer.waitForAnswer()).content).toContain('sorry, late');
		}));

	test('an execution whose customer was not understood in time goes on with what they wrote', async () =>
		await temporary().showingLog(async () => {
			const { Unanswered: unanswered } = await waitForOutcome('unclear');
			const item = { answered: false, reason: 'notUnderstood', content: 'Monday is better' };
			expect(unanswered).toMatchObject([{ ...item, asked: '+15551230108' }]);
		}));

	test('n8n offers the node for the human review of an AI agent’s tools', async () => {
		const names = (await n8n().nodeTypes()).map(({ name }) => name);
		expect(names).toContain(`${PACKAGE}.twoWayMessagingHitlTool`);
	});
};
