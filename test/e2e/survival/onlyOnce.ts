import { PATHS } from '../../../nodes/TwoWayMessaging/contract';
import { LOOKED_UP_WITHIN_MS, orderWorkflow } from '../../support/playground/requestedWorkflow';
import { waitUntil } from '../../support/waitUntil';
import type { Station } from './station';

const ORDERS = 'survivalOnce0000';

/** Send Only Once Per, over executions and kills. */
export const testOnlyOnce = (given: () => Station) => {
	let station: Station;

	beforeAll(async () => {
		station = await given().cleared();
		await station.publish(orderWorkflow({ id: ORDERS, reportTo: station.effects.url }));
	});

	const send = async (...orders: string[]): Promise<void> => {
		for (const order of orders) await station.request(ORDERS, { order });
	};

	test('after a kill between a message and its answer, the next execution and a Retry find out what was sent', async () =>
		await station.showingLog(async () => {
			await send('confirmed');
			await station.waitForEffects(1);
			await station.fault('reset-after');
			await station.fault('status-500', { path: PATHS.messages, times: 3 });
			await send('unconfirmed');
			const failed = await waitUntil(
				'the execution that knows no answer',
				async () => (await station.n8n.brokenExecutions(ORDERS))[0],
			);
			await station.fault('hang-after');
			await send('accepted');
			const isAccepted = async () => (await station.acceptedTimes('accepted')) || undefined;
			await waitUntil('the message', isAccepted);
			await station.fault('hang-before');
			await send('never arrived');
			await station.faultsAreMet();
			await station.kill();
			await station.start();
			station.effects.clear();

			await send('confirmed', 'accepted', 'never arrived');
			// n8n answers when the execution has ended, which is later than its client waits.
			void station.n8n.call('post', `/executions/${failed.id}/retry`, {}).catch(() => undefined);

			expect(await station.waitForEffects(4, LOOKED_UP_WITHIN_MS)).toEqual({
				'SKIPPED confirmed': 1,
				'SKIPPED unconfirmed': 1,
				'SKIPPED accepted': 1,
				'QUEUED never arrived': 1,
			});

			station.effects.clear();
			const orders = ['confirmed', 'unconfirmed', 'accepted', 'never arrived'];
			await send(...orders);
			expect(await station.waitForEffects(4)).toEqual(
				Object.fromEntries(orders.map((order) => [`SKIPPED ${order}`, 1])),
			);
			for (const order of orders) {
				expect([order, await station.acceptedTimes(order)]).toEqual([order, 1]);
			}
		}));
};
