import { NodeOperationError } from 'n8n-workflow';
import { stopIfCancelled } from '../../nodes/TwoWayMessaging/service/pause';
import { runProbe } from './probe';

describe('an execution that a person stops', () => {
	test('tells the node so, through the signal of its context', async () => {
		const stop = new AbortController();
		const seen: unknown[] = [];

		await runProbe(
			async (context) => {
				seen.push(context.getExecutionCancelSignal()?.aborted);
				stop.abort();
				seen.push(context.getExecutionCancelSignal()?.aborted);
				stopIfCancelled(context);
				return [];
			},
			{ signal: stop.signal },
		);

		expect(seen).toEqual([false, true]);
	});

	test('shows as canceled by the words of the error alone', async () => {
		const run = await runProbe(async (context) => {
			stopIfCancelled({
				getNode: () => context.getNode(),
				...{ logger: context.logger, getExecutionCancelSignal: () => AbortSignal.abort() },
			});
			return [];
		});

		expect(run.status).toBe('canceled');
	});

	test('would show as failed with other words', async () => {
		const run = await runProbe(async (context) => {
			throw new NodeOperationError(context.getNode(), 'The execution was stopped');
		});

		expect(run.status).toBe('error');
	});
});
