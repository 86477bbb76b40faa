import axios from 'axios';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import type { WorkflowFile } from '../../playground/rest';
import type { FaultKind } from '../../sandbox/src';
import type { Effects } from '../support/playground/effects';
import { orderWorkflow, requestedWorkflow } from '../support/playground/requestedWorkflow';
import { waitUntil } from '../support/waitUntil';
import type { TemporaryQueue } from './temporaryQueue';

const ORDERS = 'scaleOnce0000001';
const BY_TEXT = 'scaleAsksText001';
const BY_BUTTONS = 'scaleAsksButtons';

/** Longer than the minute and a half in which another process may still be at a message that is open. */
const LOOKED_UP_WITHIN_MS = 240_000;

/** How many messages two executions each want to send at the same moment. */
const PAIRS = 10;

/** A message of the organization; only the fields that are used here. */
type Accepted = { to: string; content: string; is_outbound: boolean };

/** A client that does not mind the status. */
const web = axios.create({ proxy: false, validateStatus: () => true });

/** The workflows of these tests, whose executions report to this URL. */
export const messageWorkflows = (reportTo: string): WorkflowFile[] => {
	const question = {
		resource: 'message',
		operation: 'sendAndWait',
		number: '={{ $json.body.number }}',
		content: 'Can we come at 10?',
	};
	const reports = { event: "$json.approved ? 'approved' : 'ended'", handle: '$json.question.to' };
	return [
		orderWorkflow({ id: ORDERS, reportTo }),
		requestedWorkflow({
			id: BY_TEXT,
			reportTo,
			parameters: { ...question, responseType: 'reply', expected: 'yesOrNo' },
			outputs: 2,
			reports,
		}),
		requestedWorkflow({
			id: BY_BUTTONS,
			reportTo,
			parameters: { ...question, responseType: 'approval' },
			outputs: 2,
			reports,
		}),
	];
};

/** What workers send, once and with an answer. */
export const testMessages = (given: () => { effects: Effects; playground: TemporaryQueue }) => {
	let effects: Effects;
	let playground: TemporaryQueue;

	beforeAll(() => ({ effects, playground } = given()));

	beforeEach(() => effects.clear());

	/** Starts a workflow by a request to its webhook. */
	const request = async (path: string, body: object): Promise<void> => {
		const { status } = await web.post(`${playground.n8nUrl}/webhook/${path}`, body);
		expect(status).toBe(200);
	};

	/** Starts two executions for the same order at the same moment. */
	const sendTwice = async (order: string): Promise<void> =>
		void (await Promise.all([request(ORDERS, { order }), request(ORDERS, { order })]));

	/** Every message that the service has accepted. */
	const accepted = async (): Promise<Accepted[]> => {
		const { data } = await web.get<{ messages: Accepted[] }>(
			`${playground.sandboxUrl}/sandbox/messages?limit=500`,
		);
		return data.messages.filter(({ is_outbound: isOutbound }) => isOutbound);
	};

	const acceptedFor = async (order: string): Promise<number> =>
		(await accepted()).filter(({ content }) => content === order).length;

	/** Waits until so many executions have gone on behind the node; returns what they reported. */
	const waitForEffects = async (count: number, withinMs?: number) => {
		await waitUntil(
			`${count} effects`,
			async () => await Promise.resolve(effects.all.length >= count || undefined),
			withinMs,
		);
		return Object.fromEntries(effects.counts());
	};

	const fault = async (kind: FaultKind, more: object = {}): Promise<void> => {
		const { status } = await web.post(`${playground.sandboxUrl}/sandbox/faults`, {
			path: PATHS.sendMessage,
			kind,
			...more,
		});
		expect(status).toBe(201);
	};

	/** Waits until a request has met every fault. */
	const faultsAreMet = async () =>
		await waitUntil('the faults', async () => {
			const { data } = await web.get<{ faults: object[] }>(
				`${playground.sandboxUrl}/sandbox/faults`,
			);
			return data.faults.length === 0 ? true : undefined;
		});

	describe('Send Only Once Per', () => {
		test('two workers that have the same words at the same moment send one message', async () => {
			const before = await playground.executionsStarted();
			await fault('slow', { times: PAIRS, delay_ms: 500 });
			const orders = Array.from({ length: PAIRS }, (_, at) => `order ${at}`);

			await Promise.all(orders.map(sendTwice));

			expect(await waitForEffects(2 * PAIRS)).toEqual(
				Object.fromEntries(
					orders.flatMap((order) => [
						[`QUEUED ${order}`, 1],
						[`SKIPPED ${order}`, 1],
					]),
				),
			);
			for (const order of orders) expect([order, await acceptedFor(order)]).toEqual([order, 1]);
			const started = (await playground.executionsStarted()).map((now, at) => now - before[at]!);
			expect(Math.min(...started)).toBeGreaterThan(0);
		});

		test('when workers were killed between a message and its answer, one of two executions finds out', async () => {
			await request(ORDERS, { order: 'confirmed' });
			await waitForEffects(1);
			await fault('hang-after');
			await request(ORDERS, { order: 'accepted' });
			await waitUntil('the message', async () => (await acceptedFor('accepted')) || undefined);
			await fault('hang-before');
			await request(ORDERS, { order: 'never arrived' });
			await faultsAreMet();
			await Promise.all(playground.workers.map(async (worker) => await worker.kill()));
			await Promise.all(playground.workers.map(async (worker) => await worker.start()));
			effects.clear();

			const orders = ['confirmed', 'accepted', 'never arrived'];
			await Promise.all(orders.map(sendTwice));

			expect(await waitForEffects(2 * orders.length, LOOKED_UP_WITHIN_MS)).toEqual({
				'SKIPPED confirmed': 2,
				'SKIPPED accepted': 2,
				'QUEUED never arrived': 1,
				'SKIPPED never arrived': 1,
			});
			for (const order of orders) expect([order, await acceptedFor(order)]).toEqual([order, 1]);
		});
	});

	describe('a question', () => {
		const textsTo = async (number: string) =>
			(await accepted()).filter(({ to }) => to === number).map(({ content }) => content);

		test('that is answered by text is refused before it is sent, with the reason', async () => {
			const number = '+15551230002';
			await request(BY_TEXT, { number });

			const failed = await waitUntil(
				'the refusal',
				async () => (await playground.n8n.brokenExecutions(BY_TEXT))[0],
			);
			const data = await playground.n8n.executionData(failed.id);
			expect(data).toContain('No trigger listens for the answer');
			expect(data).toContain("In n8n's queue mode only buttons work.");
			expect(await textsTo(number)).toEqual([]);
		});

		test('that is answered by buttons is asked, and lets the execution go on once', async () => {
			const number = '+15551230003';
			await request(BY_BUTTONS, { number });
			const [text = ''] = await waitUntil('the question', async () => {
				const texts = await textsTo(number);
				return texts.length > 0 ? texts : undefined;
			});
			const link = /http\S+$/.exec(text)?.[0] ?? '';
			await waitUntil('the execution that waits', async () => {
				const [execution] = await playground.n8n.executions(BY_BUTTONS);
				return execution?.status === 'waiting' ? true : undefined;
			});

			expect((await web.get<string>(link)).data).toContain('Can we come at 10?');
			const press = async () => await web.post<string>(link, 'decision=approve');
			const pressed = await Promise.all([press(), press()]);

			expect(pressed.map(({ data }) => data).join()).toContain('Thank you');
			expect(await waitForEffects(1)).toEqual({ [`approved ${number}`]: 1 });
			await new Promise((resolve) => setTimeout(resolve, 3_000));
			expect(effects.all).toHaveLength(1);
			expect(await textsTo(number)).toHaveLength(1);
		});
	});
};
