import { withRowLock } from '../../nodes/TwoWayMessaging/n8n/rowLock';
import { runWorkflow } from '../support/executions';
import { TestClock } from '../support/testClock';
import { instanceWith, Probe, PROBE_REQUEST } from './probe';

describe("the workflow's row in n8n's table of processed data", () => {
	test('lets one execution work at a time, as only one of them can insert it', async () => {
		let working = 0;
		let most = 0;
		const probe = new Probe(async (caller) => {
			const locked = await withRowLock(caller, new TestClock(), async () => {
				most = Math.max(most, (working += 1));
				await new Promise((resolve) => setTimeout(resolve, 5));
				working -= 1;
				return 'done';
			});
			return [[{ json: { locked } }]];
		});
		const instance = instanceWith(probe);
		const runs = await Promise.all(
			Array.from({ length: 5 }, async () => await runWorkflow(instance, PROBE_REQUEST)),
		);
		expect(most).toBe(1);
		expect(runs.flatMap((run) => run.json('Probe'))).toEqual(
			Array.from({ length: 5 }, () => ({ locked: { result: 'done' } })),
		);
	});
});
