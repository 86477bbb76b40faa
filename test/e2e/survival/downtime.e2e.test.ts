import { setTimeout as pause } from 'node:timers/promises';
import axios from 'axios';
import { Clock } from '../../../sandbox/src';
import { until } from '../until';
import { reckon } from './reckoning';
import { Station, type Message } from './station';
import { CHECKS_AT_START_ONLY, reportingWorkflow } from './workflow';

const HOUR_MS = 60 * 60_000;
const MISSED = 10_000;

/** No answer of n8n may take longer while it recovers: a person clicks again after about so long. */
const PATIENCE_MS = 3_000;

const EXACT = { twice: [], lost: [], cutOff: [], unknown: [] };

let station: Station;

/** When the test began, which is an hour after the service's clock stands. */
const beganAt = Date.now();

/** Lets the service's clock catch up with the machine's. */
const catchUp = async () => {
	const { clock } = station.sandbox;
	await station.sandbox.advance(Math.max(0, Date.now() - clock.now()));
};

const named = ({ message_handle: handle }: Message) => `receive ${handle}`;

beforeAll(async () => {
	station = await Station.open(
		{ N8N_EXPRESSION_ENGINE: 'legacy' },
		{ clock: Clock.stopped(beganAt - HOUR_MS), deliveryLogSize: 20_000 },
	);
});
afterAll(async () => await station?.close());

describe('n8n is away for an hour', () => {
	const workflow = () =>
		reportingWorkflow('Hour0000', station.effects.url, ['receive'], CHECKS_AT_START_ONLY);
	const missed: string[] = [];
	/** How long n8n took to answer a person, once it answered at all, in milliseconds. */
	const answerMs: number[] = [];

	test(`all of ${MISSED} missed messages come once, oldest first`, async () =>
		await station.withLog(async () => {
			await station.publish(workflow());
			await station.stop();
			for (let at = 0; at < MISSED; at += 1) {
				const from = `+1555123${String(at % 500).padStart(4, '0')}`;
				missed.push(named(await station.text(`message ${at}`, from)));
				await station.sandbox.advance(HOUR_MS / MISSED);
			}
			await catchUp();
			expect((await station.endpoints()).map(({ status }) => status)).toEqual(['disabled']);

			const startedAt = Date.now();
			await station.start();
			let isOver = false;
			const watch = async () => {
				while (!isOver) {
					const askedAt = performance.now();
					await axios.get(`${station.n8nUrl}/rest/settings`, { proxy: false });
					answerMs.push(performance.now() - askedAt);
					await pause(50);
				}
			};
			const watching = watch();
			const reckoning = await reckon(station, workflow().id, missed);
			const tookMs = Date.now() - startedAt;
			await pause(5_000);
			isOver = true;
			await watching;

			process.stderr.write(
				`downtime: ${reckoning.once} of ${MISSED} once, ${(tookMs / 1000).toFixed(1)} s after n8n was started; ` +
					`${answerMs.length} answers meanwhile, the slowest ${Math.max(...answerMs).toFixed(0)} ms\n`,
			);
			expect(reckoning).toEqual({ once: MISSED, ...EXACT });
			expect(station.effects.all.map(({ event, handle }) => `${event} ${handle}`)).toEqual(missed);
			expect(new Set(station.effects.all.map(({ recovered }) => recovered))).toEqual(
				new Set([true]),
			);
		}));

	test('n8n answers people while it recovers', () => {
		expect(answerMs.length).toBeGreaterThan(5);
		expect(Math.max(...answerMs)).toBeLessThan(PATIENCE_MS);
	});

	test('what it recovered does not come again at the next start', async () =>
		await station.withLog(async () => {
			await station.kill();
			await station.boot();
			await station.listens();
			await pause(5_000);
			expect(await reckon(station, workflow().id, missed)).toEqual({ once: MISSED, ...EXACT });
			await station.n8n.deactivate(workflow().id);
		}));
});

describe('§3.3 the endpoint is disabled by ten failures while n8n is away', () => {
	const MESSAGES = 12;
	const workflow = () =>
		reportingWorkflow('Disabled', station.effects.url, ['receive'], CHECKS_AT_START_ONLY);

	const endpoint = async () =>
		(await station.endpoints()).find(({ url }) => url.includes('Disabled'));

	test('the messages come by the check, the registration is renewed, the next one comes by webhook', async () =>
		await station.withLog(async () => {
			station.effects.clear();
			await catchUp();
			await station.publish(workflow());
			await catchUp();
			const before = named(await station.text('while n8n runs'));
			expect(await reckon(station, workflow().id, [before])).toEqual({ once: 1, ...EXACT });
			await station.kill();

			const missed: string[] = [];
			for (let at = 0; at < MESSAGES; at += 1) {
				missed.push(named(await station.text(`message ${at}`)));
			}
			await station.sandbox.settled();
			expect(await endpoint()).toMatchObject({ status: 'disabled', failures: MESSAGES });

			await station.start();
			const events = [before, ...missed];
			expect(await reckon(station, workflow().id, events)).toEqual({
				once: events.length,
				...EXACT,
			});
			expect(station.effects.all.map(({ recovered }) => recovered)).toEqual([
				false,
				...missed.map(() => true),
			]);
			await until('the renewal', async () =>
				(await endpoint())?.status === 'enabled' ? true : undefined,
			);

			await catchUp();
			const next = named(await station.text('after all'));
			expect(await reckon(station, workflow().id, [...events, next])).toEqual({
				once: events.length + 1,
				...EXACT,
			});
			expect(station.effects.all.at(-1)).toMatchObject({ recovered: false });
			const delivery = (await station.deliveries()).at(-1);
			expect(delivery?.attempts.map(({ status }) => status)).toEqual([200]);
			expect((await endpoint())?.failures).toBe(0);
		}));
});
