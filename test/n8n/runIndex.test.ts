import { readRunIndex } from '../../nodes/TwoWayMessaging/n8n/linkedItems';
import { runProbe } from './probe';

describe("n8n's index of a run", () => {
	test('counts how often a node has run in its execution', async () => {
		const indexes: number[] = [];
		const to = (node: string) => ({ node, type: 'main' as const, index: 0 });

		await runProbe(
			async (context) => {
				indexes.push(readRunIndex(context, 0));
				return [[{ json: {} }]];
			},
			// Two nodes lead to the probe, so n8n runs it twice.
			{
				nodes: [
					{ type: 'start', name: 'Start' },
					{ type: 'start', name: 'Left' },
					{ type: 'start', name: 'Right' },
					{ type: 'probe', name: 'Probe' },
				],
				connections: {
					Start: { main: [[to('Left'), to('Right')]] },
					Left: { main: [[to('Probe')]] },
					Right: { main: [[to('Probe')]] },
				},
			},
		);

		expect(indexes).toEqual([0, 1]);
	});

	test('stays the same when Retry On Fail runs the node again', async () => {
		const indexes: number[] = [];

		await runProbe(
			async (context) => {
				indexes.push(readRunIndex(context, 0));
				throw new Error('the first try ends here');
			},
			{
				nodes: [
					{ type: 'start', name: 'Start' },
					{ type: 'probe', name: 'Probe', retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
				],
			},
		);

		expect(indexes).toEqual([0, 0]);
	});
});
