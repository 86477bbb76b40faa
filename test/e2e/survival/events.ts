import { setTimeout as pause } from 'node:timers/promises';
import { checkAgain } from '../../support/playground/checks';
import { EXACTLY_ONCE } from '../../support/playground/reckoning';
import { SeededChance } from './seededChance';
import type { Station } from './station';

/** How many events come at the same moment. */
const BURST = 400;

const MESSAGES = 1_000;
const KILLS = Number(process.env.SURVIVAL_KILLS ?? 4);

/** How long one kill and the start after it take; the messages are spread over that time. */
const KILL_TAKES_MS = 14_000;

/** A burst that n8n can answer in time. */
export const testBurst = (given: () => Station) => {
	let station: Station;

	beforeAll(async () => {
		station = await given().cleared();
	});

	test(`§6.4 of ${BURST} events at the same moment each is answered in time, and starts one execution`, async () =>
		await station.showingLog(async () => {
			const workflowId = await station.publishReporting({ id: 'survivalAnswers0' });
			await station.waitUntilListening();
			const startedAt = performance.now();
			const texts = Array.from({ length: BURST }, async (_, at) => {
				const from = `+1555123${String(at).padStart(4, '0')}`;
				return await station.text(`message ${at}`, from);
			});
			const events = await Promise.all(texts);
			await station.sandbox.settled();
			const answeredMs = performance.now() - startedAt;
			const reckoning = await station.reckon(workflowId, events);
			const tookMs = performance.now() - startedAt;
			const attempts = (await station.deliveries()).map((delivery) =>
				delivery.attempts.map(({ status }) => status),
			);
			const inTime = attempts.filter((statuses) => statuses.join() === '200').length;
			const byCheck = station.effects.all.filter(({ recovered }) => recovered).length;
			process.stderr.write(
				`answers first: ${inTime} of ${BURST} answered in time, the last after ${(answeredMs / 1_000).toFixed(1)} s; ` +
					`the last execution after ${(tookMs / 1_000).toFixed(1)} s; ${byCheck} by a check\n`,
			);
			expect(attempts).toEqual(events.map(() => [200]));
			expect(reckoning).toEqual({ once: BURST, ...EXACTLY_ONCE });
			expect(byCheck).toBe(0);
		}));
};

export const testKills = (given: () => Station) => {
	let station: Station;

	beforeAll(async () => {
		station = await given().cleared();
	});

	test(`§6.4 each of ${MESSAGES} messages starts one execution, although n8n is killed ${KILLS} times`, async () =>
		await station.showingLog(async () => {
			const chance = SeededChance.ofTest('kills');
			const workflowId = await station.publishReporting({ id: 'survivalKills000' });
			const events: string[] = [];
			const text = async () => {
				const from = `+1555123${String(chance.between(0, 40)).padStart(4, '0')}`;
				events.push(await station.text(`message ${events.length}`, from));
			};
			const burst = async (most: number) => {
				const size = Math.min(chance.between(1, most), MESSAGES - events.length);
				await Promise.all(Array.from({ length: size }, text));
			};
			const sendInBursts = async () => {
				const meanGapMs = (KILLS * KILL_TAKES_MS) / (MESSAGES / 20);
				while (events.length < MESSAGES) {
					await burst(20);
					await pause(chance.between(0, 2 * meanGapMs));
				}
			};
			const killed = { booting: 0, bursting: 0, whenever: 0 };
			const kill = async () => {
				const draw = chance.fraction();
				const moment = draw < 0.2 ? 'booting' : draw < 0.7 ? 'bursting' : 'whenever';
				killed[moment] += 1;
				if (moment !== 'booting') await station.waitUntilListening();
				if (moment === 'bursting') await burst(60);
				await pause(chance.between(0, moment === 'bursting' ? 500 : 6_000));
				await station.kill();
				await pause(chance.between(0, 2_000));
				await station.boot();
			};
			const killOften = async () => {
				for (let at = 0; at < KILLS; at += 1) await kill();
				await station.ready();
			};
			await Promise.all([sendInBursts(), killOften()]);
			const reckoning = await station.reckon(workflowId, events);

			// The check of one more start finds every message again, and starts nothing for those that have begun.
			await checkAgain(station.sandboxUrl, station);
			const later = await station.reckon(workflowId, events);

			const byCheck = station.effects.all.filter(({ recovered }) => recovered).length;
			process.stderr.write(
				`kills: ${JSON.stringify(killed)}; ${reckoning.once} once, ` +
					`${byCheck} of them by a check; ${reckoning.cutOff.length} cut off by n8n in ` +
					`${(await station.n8n.crashedExecutions(workflowId)).length} crashed executions\n`,
			);
			expect(later).toEqual({ ...reckoning, lost: [], moreThanOnce: [], unknown: [] });
			expect(later.once + later.cutOff.length).toBe(MESSAGES);
			// Both webhooks and checks brought messages; otherwise the test would prove nothing.
			expect(byCheck).toBeGreaterThan(0);
			expect(byCheck).toBeLessThan(MESSAGES);
		}));
};
