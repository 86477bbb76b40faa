import axios from 'axios';
import type { WorkflowFile } from '../../playground/rest';
import {
	LOOKED_UP_WITHIN_MS,
	orderWorkflow,
	requestedWorkflow,
} from '../support/playground/requestedWorkflow';
import type { Site } from '../support/playground/site';
import { waitUntil } from '../support/waitUntil';
import type { TemporaryQueue } from './temporaryQueue';

const ORDERS = 'scaleOnce0000001';
const BY_TEXT = 'scaleAsksText001';
const BY_BUTTONS = 'scaleAsksButtons';

/** How many messages two executions each want to send at the same moment. */
const PAIRS = 10;

/** A client that does not mind the status. */
const web = axios.create({ proxy: false, validateStatus: () => true });

/** The workflows of these tests, whose executions report to this URL. */
export const messageWorkflows = (reportTo: string): WorkflowFile[] => {
	const question = (id: string, parameters: object) =>
		requestedWorkflow({
			...{ id, reportTo, outputs: 2 },
			parameters: {
				...{ resource: 'message', operation: 'sendAndWait', content: 'Can we come at 10?' },
				number: '={{ $json.body.number }}',
				...parameters,
			},
			reports: { event: "$json.approved ? 'approved' : 'ended'", handle: '$json.question.to' },
		});
	return [
		orderWorkflow({ id: ORDERS, reportTo }),
		question(BY_TEXT, { responseType: 'reply', expected: 'yesOrNo' }),
		question(BY_BUTTONS, { responseType: 'approval' }),
	];
};

export const testMessages = (given: () => { site: Site; playground: TemporaryQueue }) => {
	let site: Site;
	let playground: TemporaryQueue;

	beforeAll(() => ({ site, playground } = given()));

	beforeEach(() => site.effects.clear());

	describe('Send Only Once Per', () => {
		/** Starts two executions for each of the orders at the same moment, and expects one message for each. */
		const sendTwice = async (orders: string[], withinMs?: number) => {
			const twice = [...orders, ...orders];
			await Promise.all(twice.map(async (order) => await site.request(ORDERS, { order })));
			const effects = await site.waitForEffects(twice.length, withinMs);
			for (const order of orders) {
				expect([order, await site.acceptedTimes(order)]).toEqual([order, 1]);
			}
			return effects;
		};

		test('two workers that have the same words at the same moment send one message', async () => {
			const before = await playground.executionsStarted();
			await site.fault('slow', { times: PAIRS, delay_ms: 500 });
			const orders = Array.from({ length: PAIRS }, (_, at) => `order ${at}`);

			expect(await sendTwice(orders)).toEqual(
				Object.fromEntries(
					orders.flatMap((order) => [
						[`QUEUED ${order}`, 1],
						[`SKIPPED ${order}`, 1],
					]),
				),
			);
			const started = (await playground.executionsStarted()).map((now, at) => now - before[at]!);
			expect(Math.min(...started)).toBeGreaterThan(0);
		});

		test('when workers were killed between a message and its answer, one of two executions finds out', async () => {
			await site.request(ORDERS, { order: 'confirmed' });
			await site.waitForEffects(1);
			await site.fault('hang-after');
			await site.request(ORDERS, { order: 'accepted' });
			await waitUntil(
				'the message',
				async () => (await site.acceptedTimes('accepted')) || undefined,
			);
			await site.fault('hang-before');
			await site.request(ORDERS, { order: 'never arrived' });
			await site.faultsAreMet();
			await Promise.all(playground.workers.map(async (worker) => await worker.kill()));
			await Promise.all(playground.workers.map(async (worker) => await worker.start()));
			site.effects.clear();

			const orders = ['confirmed', 'accepted', 'never arrived'];
			expect(await sendTwice(orders, LOOKED_UP_WITHIN_MS)).toEqual({
				'SKIPPED confirmed': 2,
				'SKIPPED accepted': 2,
				'QUEUED never arrived': 1,
				'SKIPPED never arrived': 1,
			});
		});
	});

	describe('a question', () => {
		test('that is answered by text is refused before it is sent, with the reason', async () => {
			const number = '+15551230002';
			await site.request(BY_TEXT, { number });

			const failed = await waitUntil(
				'the refusal',
				async () => (await playground.n8n.brokenExecutions(BY_TEXT))[0],
			);
			const data = await playground.n8n.executionData(failed.id);
			expect(data).toContain('No trigger listens for the answer');
			expect(data).toContain("in n8n's queue mode only buttons work.");
			expect(await site.textsTo(number)).toEqual([]);
		});

		test('that is answered by buttons is asked, and lets the execution go on once', async () => {
			const number = '+15551230003';
			await site.request(BY_BUTTONS, { number });
			const text = await waitUntil('the question', async () => (await site.textsTo(number))[0]);
			const link = /http\S+$/.exec(text)?.[0] ?? '';
			await waitUntil('the execution that waits', async () => {
				const [execution] = await playground.n8n.executions(BY_BUTTONS);
				return execution?.status === 'waiting' ? true : undefined;
			});

			expect((await web.get<string>(link)).data).toContain('Can we come at 10?');
			const press = async () => await web.post<string>(link, 'decision=approve');
			const pressed = await Promise.all([press(), press()]);

			expect(pressed.map(({ data }) => data).join()).toContain('Thank you');
			expect(await site.waitForEffects(1)).toEqual({ [`approved ${number}`]: 1 });
			await new Promise((resolve) => setTimeout(resolve, 3_000));
			expect(site.effects.all).toHaveLength(1);
			expect(await site.textsTo(number)).toHaveLength(1);
		});
	});
};
