import { setTimeout as pause } from 'node:timers/promises';
import { checkAgain } from '../../support/playground/checks';
import { SeededChance } from './seededChance';
import { reckonAt } from './stationReckoning';
import type { Station } from './station';

const MESSAGES = 1_000;
const KILLS = Number(process.env.SURVIVAL_KILLS ?? 4);

/** How long one kill and the start after it take; the messages are spread over that time. */
const KILL_TAKES_MS = 14_000;

/** Events, while n8n is killed. */
export const testKills = (given: () => Station) => {
	let station: Station;

	beforeAll(async () => {
		station = await given().cleared();
	});

	test(`§6.4 each of ${MESSAGES} messages starts one execution, although n8n is killed ${KILLS} times`, async () =>
		await station.showingLog(async () => {
			const chance = SeededChance.ofTest('kills');
			const workflowId = await station.publishReporting({
				id: 'survivalKills000',
			});

			const events: string[] = [];
			const text = async () => {
				const { message_handle: handle } = await station.text(
					`message ${events.length}`,
					`+1555123${String(chance.between(0, 40)).padStart(4, '0')}`,
				);
				events.push(`receive ${handle}`);
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
			const reckoning = await reckonAt(station, workflowId, events);

			// The check of one more start finds every message again, and starts nothing for those that have begun.
			await checkAgain(station.sandboxUrl, station);
			const later = await reckonAt(station, workflowId, events);

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
