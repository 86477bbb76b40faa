import { EXACTLY_ONCE } from '../../support/playground/reckoning';
import { reckonAt } from './stationReckoning';
import type { Station } from './station';

const MESSAGES = 400;

/** A burst that n8n can answer in time. */
export const testAnswersFirst = (given: () => Station) => {
	let station: Station;

	beforeAll(async () => {
		station = await given().cleared();
	});

	test(`§6.4 of ${MESSAGES} events at the same moment each is answered in time, and starts one execution`, async () =>
		await station.showingLog(async () => {
			const workflowId = await station.publishReporting({ id: 'survivalAnswers0' });
			await station.waitUntilListening();
			const startedAt = performance.now();
			const texts = Array.from({ length: MESSAGES }, async (_, at) => {
				const from = `+1555123${String(at).padStart(4, '0')}`;
				return `receive ${(await station.text(`message ${at}`, from)).message_handle}`;
			});
			const events = await Promise.all(texts);
			await station.sandbox.settled();
			const answeredMs = performance.now() - startedAt;
			const reckoning = await reckonAt(station, workflowId, events);
			const tookMs = performance.now() - startedAt;
			const attempts = (await station.deliveries()).map((delivery) =>
				delivery.attempts.map(({ status }) => status),
			);
			const inTime = attempts.filter((statuses) => statuses.join() === '200').length;
			const byCheck = station.effects.all.filter(({ recovered }) => recovered).length;
			process.stderr.write(
				`answers first: ${inTime} of ${MESSAGES} answered in time, the last after ${(answeredMs / 1_000).toFixed(1)} s; ` +
					`the last execution after ${(tookMs / 1_000).toFixed(1)} s; ${byCheck} by a check\n`,
			);
			expect(attempts).toEqual(events.map(() => [200]));
			expect(reckoning).toEqual({ once: MESSAGES, ...EXACTLY_ONCE });
			expect(byCheck).toBe(0);
		}));
};
