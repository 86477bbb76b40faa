import { until } from '../until';
import { reckon } from './reckoning';
import { Station } from './station';
import { CHECKS_EVERY_5_SECONDS, reportingWorkflow } from './workflow';

const MESSAGES = 500;

/** So long n8n may do nothing but work off what it was sent. */
const BUSY_MS = 150_000;

const EXACT = { twice: [], lost: [], cutOff: [], unknown: [] };

let station: Station;

beforeAll(async () => {
	// With n8n's own engine, which takes 50 ms of the processor for each event.
	station = await Station.open({});
});
afterAll(async () => await station?.close());

const endpoint = async () => (await station.endpoints())[0];

test(`§6.4 ${MESSAGES} events at one moment, more than n8n answers in time, start one run each`, async () =>
	await station.withLog(async () => {
		const workflow = reportingWorkflow(
			'Burst000',
			station.effects.url,
			['receive'],
			CHECKS_EVERY_5_SECONDS,
		);
		await station.publish(workflow);

		const texts = Array.from({ length: MESSAGES }, async (_, at) => {
			const from = `+1555123${String(at).padStart(4, '0')}`;
			const { message_handle: handle } = await station.text(`message ${at}`, from);
			return `receive ${handle}`;
		});
		const events = await Promise.all(texts);
		await until('the end of the service’s patience', async () =>
			(await endpoint())?.status === 'disabled' ? true : undefined,
		);
		const reckoning = await reckon(station, workflow.id, events, BUSY_MS);

		const attempts = (await station.deliveries()).flatMap((delivery) => delivery.attempts);
		const inTime = attempts.filter(({ status }) => status === 200).length;
		const byCheck = station.effects.all.filter(({ recovered }) => recovered).length;
		process.stderr.write(
			`burst: ${inTime} of ${attempts.length} attempts answered in time; ` +
				`${reckoning.once} once, ${byCheck} of them by a check\n`,
		);
		expect(attempts.length - inTime).toBeGreaterThanOrEqual(10);
		expect(reckoning).toEqual({ once: MESSAGES, ...EXACT });
	}));

test('after the burst, events come by webhook again', async () =>
	await station.withLog(async () => {
		// Where everything came although the service thinks otherwise, only the next message shows that it does not call.
		let at = 0;
		await until(
			'a message by webhook',
			async () => {
				const { message_handle: handle } = await station.text(`after the burst ${(at += 1)}`);
				await until('its run', async () =>
					station.effects.all.some((effect) => effect.handle === handle) ? true : undefined,
				);
				const last = station.effects.all.find((effect) => effect.handle === handle);
				return last?.recovered === false ? true : undefined;
			},
			180_000,
		);
		expect(await endpoint()).toMatchObject({ status: 'enabled', failures: 0 });
		const counts = [...station.effects.counts().values()];
		expect(counts).toHaveLength(MESSAGES + at);
		expect(new Set(counts)).toEqual(new Set([1]));
	}));
