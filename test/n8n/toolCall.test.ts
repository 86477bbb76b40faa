import type { IExecuteFunctions } from 'n8n-workflow';
import { readRunIndex } from '../../nodes/TwoWayMessaging/n8n/linkedItems';
import { toolCallOf } from '../../nodes/TwoWayMessaging/n8n/agentTools';
import { Agent, agentRequest, asTool, WAYS_TO_CALL, type WayToCall } from '../support/agent';
import { runWorkflow } from '../support/executions';
import { Instance } from '../support/instance';
import { Probe, runProbe } from './probe';

/** What a try of a tool call shows of the call: n8n's object of it, and the run index. */
type Try = { call: object | undefined; runIndex: number };

/** Lets an agent call a tool twice with the same words; each call fails once, and is tried again. */
async function triesOfTwoCalls(way: WayToCall): Promise<Try[]> {
	const tries: Try[] = [];
	const probe = new Probe(async (context) => {
		tries.push({ call: toolCallOf(context), runIndex: readRunIndex(context, 0) });
		if (tries.length % 2 === 1) throw new Error('the first try ends here');
		return [[{ json: { done: true } }]];
	});
	const instance = new Instance({
		nodeTypes: [new Agent(way, [{ text: 'hi' }, { text: 'hi' }]), asTool(probe)],
		credentialTypes: [],
		credentials: {},
	});
	await runWorkflow(
		instance,
		agentRequest({ type: 'probeTool', retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }),
	);
	expect(tries).toHaveLength(4);
	return tries;
}

describe('a call of a tool by an agent', () => {
	test.each(WAYS_TO_CALL)(
		'%s is known by the same in every try, and by another than the next call',
		async (way) => {
			const [first, firstAgain, second, secondAgain] = await triesOfTwoCalls(way);
			const known = (one?: Try) => one?.call ?? one?.runIndex;

			expect(known(firstAgain)).toBe(known(first));
			expect(known(secondAgain)).toBe(known(second));
			expect(known(second)).not.toBe(known(first));
		},
	);

	test('is an object where the agent calls by itself, as n8n counts every try as a run', async () => {
		const tries = await triesOfTwoCalls('by itself');

		expect(tries.map(({ call }) => typeof call)).toEqual(['object', 'object', 'object', 'object']);
		expect(new Set(tries.map(({ runIndex }) => runIndex)).size).toBe(4);
	});

	test('is none where the engine runs the node, as a tool or not', async () => {
		const tries = await triesOfTwoCalls('by the engine');
		const calls: unknown[] = [];
		await runProbe(async (context) => {
			calls.push(toolCallOf(context));
			return [[]];
		});

		expect([...tries.map(({ call }) => call), ...calls]).toEqual(Array(5).fill(undefined));
	});

	test('is told by the node’s type in an n8n that does not say who calls', () => {
		const json = { text: 'hi' };
		const old = (type: string) =>
			({
				getNode: () => ({ type }),
				getInputData: () => [{ json }],
			}) as unknown as IExecuteFunctions;

		expect(toolCallOf(old('twoWayMessagingTool'))).toBe(json);
		expect(toolCallOf(old('twoWayMessaging'))).toBeUndefined();
	});
});
