import { waitUntil } from '../../support/waitUntil';
import type { Station } from './station';

const MISSED = 300;
const WORKFLOWS = [
	{ id: 'survivalOneRun00', fields: { receiveBy: 'webhook' } },
	// The same workflow a second time, as a copy has it, and one that polls.
	{ id: 'survivalOneRunCo', fields: { receiveBy: 'webhook' } },
	{ id: 'survivalOneRunPo', fields: { receiveBy: 'polling' } },
];

/** Executions that fail beside others that do not. */
export const testOneRun = (given: () => Station) => {
	let station: Station;

	beforeAll(async () => {
		station = await given().cleared();
	});

	test(`of ${MISSED} missed texts whose every tenth fails, each other one is answered once, also by polling`, async () =>
		await station.showingLog(async () => {
			for (const { id, fields } of WORKFLOWS) {
				await station.publishReporting({ id, fields, failsOn: 'ends with a zero: 0' });
			}
			await station.stop();
			const answered: string[] = [];
			for (let at = 0; at < MISSED; at += 1) {
				const said = at % 10 === 0 ? 'ends with a zero: 0' : `message ${at}`;
				const { message_handle: handle } = await station.text(said);
				if (at % 10 !== 0) answered.push(`receive ${handle}`);
			}
			await station.start();
			await waitUntil(
				'every execution',
				async () => {
					const isAnswered = station.effects.all.length >= WORKFLOWS.length * answered.length;
					if (!isAnswered) return undefined;
					for (const { id } of WORKFLOWS) {
						if ((await station.n8n.brokenExecutions(id)).length < MISSED / 10) return undefined;
					}
					return true;
				},
				240_000,
			);
			for (const { id } of WORKFLOWS) {
				expect(await station.n8n.brokenExecutions(id)).toHaveLength(MISSED / 10);
			}
			expect(station.effects.counts()).toEqual(
				new Map(answered.map((event) => [event, WORKFLOWS.length])),
			);
			expect(station.effects.requests).toBe(WORKFLOWS.length * answered.length);
		}));
};
