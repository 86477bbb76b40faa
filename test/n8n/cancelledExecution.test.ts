import { NodeOperationError } from 'n8n-workflow';
import {
	cancelledError,
	isCancelled,
} from '../../nodes/TwoWayMessaging/service/cancelledExecution';
import { runProbe } from './probe';

describe('an execution that a person stops', () => {
	test('tells the node so, through the signal of its context', async () => {
		const stop = new AbortController();
		const seen: boolean[] = [];

		await runProbe(
			async (context) => {
				seen.push(isCancelled(context));
				stop.abort();
				seen.push(isCancelled(context));
				throw cancelledError(context.getNode());
			},
			{ signal: stop.signal },
		);

		expect(seen).toEqual([false, true]);
	});

	test('shows as canceled by the words of the error alone', async () => {
		const run = await runProbe(async (context) => {
			throw cancelledError(context.getNode());
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
