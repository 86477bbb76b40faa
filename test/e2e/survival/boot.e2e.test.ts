import { setTimeout as pause } from 'node:timers/promises';
import { NO_REQUEST_LIMITS } from '../../../sandbox/src';
import { reckon } from './reckoning';
import { Station, type Delivery } from './station';
import { CHECKS_AT_START_ONLY, reportingWorkflow } from './workflow';

/** Of n8n's own migrations, so many are taken back, so that the next start has them before it as an upgrade has. */
const MIGRATIONS = 5;

/** A customer texts so often while n8n boots, so that each of its stages is met. */
const TEXT_EVERY_MS = 10;

/** Texts during one start. */
const MOST_MESSAGES = 3_000;

const MOST_STARTS = 5;

const EXACT = { twice: [], lost: [], cutOff: [], unknown: [] };

let station: Station;

beforeAll(async () => {
	station = await Station.open(
		{ N8N_EXPRESSION_ENGINE: 'legacy' },
		{ requestLimits: NO_REQUEST_LIMITS },
	);
});
afterAll(async () => await station?.close());

/** What the first attempt of an event met. */
const meeting = ({ attempts: [first] }: Delivery): string => {
	if (first === undefined) return 'was not sent, as the endpoint was disabled';
	if (first.answer.includes('n8n is starting up')) return `${first.status} by the waiting page`;
	return first.status === null ? String(first.reason) : `${first.status}`;
};

test('events that come while n8n boots, and those its waiting page accepts, start one run each', async () =>
	await station.withLog(async () => {
		const workflow = reportingWorkflow(
			'Boots000',
			station.effects.url,
			['receive'],
			CHECKS_AT_START_ONLY,
		);
		await station.publish(workflow);

		const events: string[] = [];
		const textDuringUpgrade = async () => {
			await station.stop();
			for (let at = 0; at < MIGRATIONS; at += 1) await station.revertMigration();
			let isUp = false;
			await station.boot();
			const texting = (async () => {
				for (let text = 0; !isUp && text < MOST_MESSAGES; text += 1) {
					const { message_handle: handle } = await station.text(`message ${events.length}`);
					events.push(`receive ${handle}`);
					// The operator keeps the address enabled: else ten refusals would end this at once (§3.3).
					await station.enableEndpoints();
					await pause(TEXT_EVERY_MS);
				}
			})();
			await station.listens();
			isUp = true;
			await texting;
		};
		const acceptedByPage = async () =>
			(await station.deliveries())
				.filter((delivery) => meeting(delivery) === '200 by the waiting page')
				.map(({ body }) => body);
		// The page is there for some hundredths of a second only: a start at which no text met it proves nothing.
		for (let start = 0; start < MOST_STARTS && (await acceptedByPage()).length === 0; start += 1) {
			await textDuringUpgrade();
		}
		const reckoning = await reckon(station, workflow.id, events);

		const met = new Map<string, number>();
		for (const delivery of await station.deliveries()) {
			const what = meeting(delivery);
			met.set(what, (met.get(what) ?? 0) + 1);
		}
		process.stderr.write(`boot: ${JSON.stringify(Object.fromEntries(met))}\n`);
		expect(reckoning).toEqual({ once: events.length, ...EXACT });
		const accepted = await acceptedByPage();
		expect(accepted.length).toBeGreaterThan(0);
		const ways = station.effects.all.filter(({ handle }) =>
			accepted.some((body) => body.includes(handle)),
		);
		expect(ways.map(({ recovered }) => recovered)).toEqual(accepted.map(() => true));
	}));
