import type * as OutputAfterWait from '../../nodes/TwoWayMessaging/n8n/outputAfterWait';
import {
	canContinueAtSecondOutput,
	waitAndContinueAt,
} from '../../nodes/TwoWayMessaging/n8n/outputAfterWait';
import { runWorkflow } from '../support/executions';
import { endWait } from '../support/waits';
import { instanceWith, Probe, PROBE_REQUEST } from './probe';

const UNTIL = new Date(Date.now() + 60 * 60_000);

describe('an execution whose wait is over', () => {
	test('continues at the second output, with the item, linked to the item that came in', async () => {
		const probe = new Probe(async (context) => {
			const item = { json: { answered: false }, pairedItem: { item: 0 } };
			await waitAndContinueAt(context, UNTIL, 1, item);
			return [[]];
		});
		const instance = instanceWith(probe);

		const waiting = await runWorkflow(instance, PROBE_REQUEST);
		const run = await endWait(instance, PROBE_REQUEST, waiting);

		expect([waiting.status, waiting.waitTill]).toEqual(['waiting', UNTIL]);
		expect(run.status).toBe('success');
		expect(run.json('Probe', 0)).toEqual([]);
		expect(run.json('Probe', 1)).toEqual([{ answered: false }]);
		const { input = 0 } = run.items('Probe', 1)[0]?.pairedItem as { input?: number };
		expect(run.data.Probe?.[0]?.source[input]).toMatchObject({ previousNode: 'Start' });
	});

	test('can do so in this n8n, which is told by an export that came with 2.39', () => {
		expect(canContinueAtSecondOutput()).toBe(true);
	});

	test('cannot in the oldest n8n that the package works with', () => {
		jest.resetModules();
		jest.doMock('n8n-workflow', () => jest.requireActual<object>('n8n-workflow-1-86'));
		const old = jest.requireActual<typeof OutputAfterWait>(
			'../../nodes/TwoWayMessaging/n8n/outputAfterWait',
		);

		expect(old.canContinueAtSecondOutput()).toBe(false);
	});
});
