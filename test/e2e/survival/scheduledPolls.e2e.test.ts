import { setTimeout as pause } from 'node:timers/promises';
import { NO_REQUEST_LIMITS } from '../../../sandbox/src';
import { CHECKS_EVERY_5_SECONDS } from '../../support/playground/reportingWorkflow';
import { waitUntil } from '../../support/waitUntil';
import { Station } from './station';

/** n8n has a second way to poll, which is off by default: it makes a workflow of its own for each check. */
const SCHEDULED_POLLS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

const MISSED = 30;
const WORKFLOWS = [
	{ id: 'survivalSchedWeb', fields: { receiveBy: 'webhook' } },
	{ id: 'survivalSchedPol', fields: { receiveBy: 'polling' } },
];

let station: Station;

beforeAll(async () => {
	station = await Station.open(
		{ N8N_EXPRESSION_ENGINE: 'legacy', ...SCHEDULED_POLLS },
		{ requestLimits: NO_REQUEST_LIMITS },
	);
});
afterAll(async () => await station?.close());

const textMany = async (count: number, said: string) => {
	const events: string[] = [];
	for (let at = 0; at < count; at += 1) {
		events.push(`receive ${(await station.text(`${said} ${at}`)).message_handle}`);
	}
	return events;
};

test('where n8n’s scheduler polls, each text starts one execution, also those that were missed', async () =>
	await station.showingLog(async () => {
		for (const workflow of WORKFLOWS) {
			await station.publishReporting({ ...workflow, checks: CHECKS_EVERY_5_SECONDS });
		}
		// In this mode n8n lets workflows listen some time after they are published, and their first check starts nothing.
		await station.waitUntilListening();
		await pause(20_000);
		const events = await textMany(5, 'live');
		const isReported = async (count: number) =>
			await waitUntil(
				'every execution',
				async () => (station.effects.all.length >= WORKFLOWS.length * count ? true : undefined),
				90_000,
			);
		await isReported(events.length);
		await station.stop();
		events.push(...(await textMany(MISSED, 'missed')));
		await station.start();
		await isReported(events.length);
		// Two more checks would bring what they took for missed.
		await pause(12_000);
		expect(station.effects.counts()).toEqual(
			new Map(events.map((event) => [event, WORKFLOWS.length])),
		);
		expect(station.effects.requests).toBe(WORKFLOWS.length * events.length);
	}));
