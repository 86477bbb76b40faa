import { setTimeout as pause } from 'node:timers/promises';
import axios from 'axios';
import { Clock } from '../../../sandbox/src';
import { EXACTLY_ONCE } from '../../support/playground/reckoning';
import { Station } from './station';
import { CHECK_AT_START_ONLY } from '../../support/playground/reportingWorkflow';
import { HOUR_MS } from '../../support/times';

/** docs/scale.md tells of 10,000. */
const MISSED = Number(process.env.SURVIVAL_MISSED ?? 2_000);

/** The longest time that n8n may take for an answer while it recovers; after that a person would click again. */
const PATIENCE_MS = 3_000;

let station: Station;

/** The time at which the test started. The service's clock starts an hour earlier. */
const beganAt = Date.now();

/** Moves the service's clock to the machine's time. */
const catchUp = async () => {
	const { clock } = station.sandbox;
	await station.sandbox.advance(Math.max(0, Date.now() - clock.now()));
};

beforeAll(async () => {
	station = await Station.open(
		{ N8N_EXPRESSION_ENGINE: 'legacy' },
		{ clock: Clock.stopped(beganAt - HOUR_MS), deliveryLogSize: 20_000 },
	);
});
afterAll(async () => await station?.close());

describe('when n8n has been down for an hour', () => {
	const workflowId = 'survivalHour0000';
	const missed: string[] = [];
	/** How many milliseconds n8n took for each answer to a person while it recovered. */
	const answerMs: number[] = [];

	test(`each of ${MISSED} missed messages starts an execution of its own, oldest first`, async () =>
		await station.showingLog(async () => {
			await station.publishReporting({ id: workflowId, checkEvery: CHECK_AT_START_ONLY });
			await station.stop();
			for (let at = 0; at < MISSED; at += 1) {
				const from = `+1555123${String(at % 500).padStart(4, '0')}`;
				missed.push(await station.text(`message ${at}`, from));
				await station.sandbox.advance(HOUR_MS / MISSED);
			}
			await catchUp();
			const { webhooks } = await station.get<{ webhooks: unknown[] }>('/sandbox/state');
			expect(webhooks).toMatchObject([{ status: 'disabled' }]);

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
			const reckoning = await station.reckon(workflowId, missed);
			const tookMs = Date.now() - startedAt;
			await pause(5_000);
			isOver = true;
			await watching;

			process.stderr.write(
				`downtime: ${reckoning.once} of ${MISSED} once, ${(tookMs / 1000).toFixed(1)} s after n8n was started; ` +
					`${answerMs.length} answers meanwhile, the slowest ${Math.max(...answerMs).toFixed(0)} ms\n`,
			);
			expect(reckoning).toEqual({ once: MISSED, ...EXACTLY_ONCE });
			// Executions start oldest first, and end a little out of order.
			const order = new Map(missed.map((event, at) => [event, at]));
			const displaced = station.effects.all.map(({ event, handle }, at) =>
				Math.abs((order.get(`${event} ${handle}`) ?? Infinity) - at),
			);
			expect(Math.max(...displaced)).toBeLessThan(100);
			expect(station.effects.requests).toBe(MISSED);
			expect(new Set(station.effects.all.map(({ recovered }) => recovered))).toEqual(
				new Set([true]),
			);
		}));

	test('n8n still answers people while it recovers', () => {
		expect(answerMs.length).toBeGreaterThan(5);
		expect(Math.max(...answerMs)).toBeLessThan(PATIENCE_MS);
	});
});
