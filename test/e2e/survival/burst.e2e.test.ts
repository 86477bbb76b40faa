import { EXACTLY_ONCE } from '../../support/playground/reckoning';
import { BETWEEN_CHECKS_MS } from '../../support/playground/reportingWorkflow';
import { waitUntil } from '../../support/waitUntil';
import { reckonAt } from './stationReckoning';
import { Station } from './station';

const MESSAGES = 250;

/** How long n8n may take to process what it was sent before it reports anything. */
const BUSY_MS = 150_000;

let station: Station;

beforeAll(async () => {
	// n8n's default expression engine, which takes 50 ms of processor time for each event.
	station = await Station.open({});
});
afterAll(async () => await station?.close());

/** The endpoint that was registered last. */
const endpoint = async () => (await station.endpoints()).at(-1);

test(`§6.4 ${MESSAGES} events at the same time, more than n8n can answer in time, start one execution each`, async () =>
	await station.showingLog(async () => {
		const workflowId = await station.publishReporting({
			id: 'survivalBurst000',
		});

		const texts = Array.from({ length: MESSAGES }, async (_, at) => {
			const from = `+1555123${String(at).padStart(4, '0')}`;
			const { message_handle: handle } = await station.text(`message ${at}`, from);
			return `receive ${handle}`;
		});
		const events = await Promise.all(texts);
		await waitUntil('the tenth failure', async () =>
			(await endpoint())?.status === 'disabled' ? true : undefined,
		);
		const reckoning = await reckonAt(station, workflowId, events, BUSY_MS);

		const attempts = (await station.deliveries()).flatMap((delivery) => delivery.attempts);
		const inTime = attempts.filter(({ status }) => status === 200).length;
		const byCheck = station.effects.all.filter(({ recovered }) => recovered).length;
		process.stderr.write(
			`burst: ${inTime} of ${attempts.length} attempts answered in time; ` +
				`${reckoning.once} once, ${byCheck} of them by a check\n`,
		);
		expect(attempts.length - inTime).toBeGreaterThanOrEqual(10);
		expect(reckoning).toEqual({ once: MESSAGES, ...EXACTLY_ONCE });
	}));

test('after the burst, an event comes by webhook again', async () =>
	await station.showingLog(async () => {
		// A check registers again only when it finds a message that no webhook has brought, so this may take several texts.
		let at = 0;
		await waitUntil(
			'a message by webhook',
			async () => {
				const { message_handle: handle } = await station.text(`after the burst ${(at += 1)}`);
				const effect = await waitUntil(
					'its execution',
					async () =>
						await Promise.resolve(station.effects.all.find((one) => one.handle === handle)),
					BETWEEN_CHECKS_MS,
				);
				return effect.recovered ? undefined : true;
			},
			180_000,
		);
		expect(await endpoint()).toMatchObject({ status: 'enabled', failures: 0 });
		const counts = [...station.effects.counts().values()];
		expect(counts).toHaveLength(MESSAGES + at);
		expect(new Set(counts)).toEqual(new Set([1]));
	}));
