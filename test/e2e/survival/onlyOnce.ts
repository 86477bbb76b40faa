import { PATHS } from '../../../nodes/TwoWayMessaging/contract';
import type { FaultKind } from '../../../sandbox/src';
import { orderWorkflow } from '../../support/playground/requestedWorkflow';
import { waitUntil } from '../../support/waitUntil';
import type { Station } from './station';

const ORDERS = 'survivalOnce0000';

/** Longer than the minute and a half in which another process may still be at a message that is open. */
const LOOKED_UP_WITHIN_MS = 180_000;

/** Send Only Once Per, over executions and kills. */
export const testOnlyOnce = (given: () => Station) => {
	let station: Station;

	beforeAll(async () => {
		station = await given().cleared();
		await station.publish(orderWorkflow({ id: ORDERS, reportTo: station.effects.url }));
	});

	/** Starts an execution that sends the message for an order. */
	const send = async (order: string): Promise<void> => await station.request(ORDERS, { order });

	/** How often each thing has become of the message for each order: `QUEUED <order>`, `SKIPPED <order>`. */
	const outcomes = () => Object.fromEntries(station.effects.counts());

	/** Waits for the next outcomes, and returns all. */
	const waitForOutcomes = async (count: number, withinMs?: number) =>
		await waitUntil(
			`${count} outcomes`,
			async () =>
				await Promise.resolve(station.effects.all.length >= count ? outcomes() : undefined),
			withinMs,
		);

	/** How many messages the service has accepted for an order. */
	const accepted = async (order: string): Promise<number> =>
		(await station.accepted()).filter(({ content }) => content === order).length;

	/** Lets the next requests to a path go wrong. */
	const fault = async (path: string, kind: FaultKind, times = 1, more: object = {}) =>
		await station.control('/sandbox/faults', { path, kind, times, ...more });

	/** Waits until a request has met each of the faults. */
	const faultsAreMet = async () =>
		await waitUntil('the faults', async () => {
			const { faults } = await station.get<{ faults: object[] }>('/sandbox/faults');
			return faults.length === 0 ? true : undefined;
		});

	beforeEach(() => station.effects.clear());

	test('two executions at the same moment send one message for the same words', async () =>
		await station.showingLog(async () => {
			await fault(PATHS.sendMessage, 'slow', 1, { delay_ms: 1_000 });

			await Promise.all([send('together'), send('together')]);

			expect(await waitForOutcomes(2)).toEqual({ 'QUEUED together': 1, 'SKIPPED together': 1 });
			expect(await accepted('together')).toBe(1);
		}));

	test('after a kill between a message and its answer, the next execution and a Retry find out what was sent', async () =>
		await station.showingLog(async () => {
			await send('confirmed');
			await waitForOutcomes(1);
			await fault(PATHS.sendMessage, 'reset-after');
			await fault(PATHS.messages, 'status-500', 3);
			await send('unconfirmed');
			const failed = await waitUntil(
				'the execution that knows no answer',
				async () => (await station.n8n.brokenExecutions(ORDERS))[0],
			);
			await fault(PATHS.sendMessage, 'hang-after');
			await send('accepted');
			await waitUntil('the message', async () => (await accepted('accepted')) || undefined);
			await fault(PATHS.sendMessage, 'hang-before');
			await send('never arrived');
			await faultsAreMet();
			await station.kill();
			await station.start();
			station.effects.clear();

			for (const order of ['confirmed', 'accepted', 'never arrived']) await send(order);
			// n8n answers when the execution has ended, which is later than its client waits.
			void station.n8n.call('post', `/executions/${failed.id}/retry`, {}).catch(() => undefined);

			const once = {
				'SKIPPED confirmed': 1,
				'SKIPPED unconfirmed': 1,
				'SKIPPED accepted': 1,
				'QUEUED never arrived': 1,
			};
			expect(await waitForOutcomes(4, LOOKED_UP_WITHIN_MS)).toEqual(once);

			station.effects.clear();
			const orders = ['confirmed', 'unconfirmed', 'accepted', 'never arrived'];
			for (const order of orders) await send(order);
			expect(await waitForOutcomes(4)).toEqual(
				Object.fromEntries(orders.map((order) => [`SKIPPED ${order}`, 1])),
			);
			for (const order of orders) expect([order, await accepted(order)]).toEqual([order, 1]);
		}));
};
