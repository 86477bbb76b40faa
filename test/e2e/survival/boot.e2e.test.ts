import { setTimeout as pause } from 'node:timers/promises';
import { NO_REQUEST_LIMITS } from '../../../sandbox/src';
import { EXACTLY_ONCE } from '../../support/playground/reckoning';
import { Station, type Delivery } from './station';
import { CHECK_AT_START_ONLY } from '../../support/playground/reportingWorkflow';

/** How many of n8n's own migrations are reverted, so that the next start runs them as an upgrade does. */
const MIGRATIONS = 3;

/** How often a customer texts while n8n boots: often enough to reach n8n in each stage of its start. */
const TEXT_EVERY_MS = 10;

/** The most texts during one start. */
const MOST_MESSAGES = 3_000;

const MOST_STARTS = 5;

let station: Station;

beforeAll(async () => {
	station = await Station.open(
		{ N8N_EXPRESSION_ENGINE: 'legacy' },
		{ requestLimits: NO_REQUEST_LIMITS },
	);
});
afterAll(async () => await station?.close());

/** What happened to the first attempt to deliver an event. */
const firstOutcome = ({ attempts: [first] }: Delivery): string => {
	if (first === undefined) return 'was not sent, because the endpoint was disabled';
	if (first.answer.includes('n8n is starting up')) return `${first.status} by the waiting page`;
	return first.status === null ? String(first.reason) : `${first.status}`;
};

test('an event that arrives while n8n boots, or that n8n’s waiting page accepts, starts one execution', async () =>
	await station.showingLog(async () => {
		const workflowId = await station.publishReporting({
			id: 'survivalBoots000',
			checkEvery: CHECK_AT_START_ONLY,
		});

		const events: string[] = [];
		const textDuringUpgrade = async () => {
			await station.stop();
			for (let at = 0; at < MIGRATIONS; at += 1) await station.revertMigration();
			let isUp = false;
			await station.boot();
			const texting = (async () => {
				for (let text = 0; !isUp && text < MOST_MESSAGES; text += 1) {
					events.push(await station.text(`message ${events.length}`));
					// Without this, ten refusals would soon disable the endpoint (§3.3).
					await station.enableEndpoints();
					await pause(TEXT_EVERY_MS);
				}
			})();
			await station.waitUntilListening();
			isUp = true;
			await texting;
		};
		const acceptedByPage = async () =>
			(await station.deliveries())
				.filter((delivery) => firstOutcome(delivery) === '200 by the waiting page')
				.map(({ body }) => body);
		// The page exists for some hundredths of a second only. A start during which it got no text proves nothing.
		for (let start = 0; start < MOST_STARTS && (await acceptedByPage()).length === 0; start += 1) {
			await textDuringUpgrade();
		}
		const reckoning = await station.reckon(workflowId, events);

		const met = new Map<string, number>();
		for (const delivery of await station.deliveries()) {
			const what = firstOutcome(delivery);
			met.set(what, (met.get(what) ?? 0) + 1);
		}
		process.stderr.write(`boot: ${JSON.stringify(Object.fromEntries(met))}\n`);
		expect(reckoning).toEqual({ once: events.length, ...EXACTLY_ONCE });
		const accepted = await acceptedByPage();
		expect(accepted.length).toBeGreaterThan(0);
		const ways = station.effects.all.filter(({ handle }) =>
			accepted.some((body) => body.includes(handle)),
		);
		expect(ways.map(({ recovered }) => recovered)).toEqual(accepted.map(() => true));
	}));
