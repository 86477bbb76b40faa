import * as n8nWorkflow from 'n8n-workflow';
import type {
	ExpressionString,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	ITaskMetadata,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError, WAIT_INDEFINITELY } from 'n8n-workflow';

const MINUTE_MS = 60_000;

const UNIT_MS: Record<string, number> = {
	minutes: MINUTE_MS,
	hours: 60 * MINUTE_MS,
	days: 24 * 60 * MINUTE_MS,
};

/** The fields that limit how long an answer is waited for. */
export const timeLimitFields: INodeProperties[] = [
	{
		displayName: 'Limit Wait Time',
		name: 'limitWaitTime',
		type: 'boolean',
		default: false,
		description:
			'Whether to stop waiting after some time. The node then gets a second output, No Answer, for what should happen then.',
	},
	{
		displayName: 'Wait at Most',
		name: 'resumeAmount',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		displayOptions: { show: { limitWaitTime: [true] } },
		description: 'How many minutes, hours or days to wait for the answer',
	},
	{
		displayName: 'Unit',
		name: 'resumeUnit',
		type: 'options',
		default: 'days',
		displayOptions: { show: { limitWaitTime: [true] } },
		description: 'What the number above counts',
		options: [
			{ name: 'Days', value: 'days' },
			{ name: 'Hours', value: 'hours' },
			{ name: 'Minutes', value: 'minutes' },
		],
	},
];

/** The node's outputs: one, and a second for no answer where a time limit is set. */
export const OUTPUTS: ExpressionString = `={{ $parameter["operation"] === "sendAndWait" && $parameter["limitWaitTime"] ? [{ type: "${NodeConnectionTypes.Main}", displayName: "Answered" }, { type: "${NodeConnectionTypes.Main}", displayName: "No Answer" }] : ["${NodeConnectionTypes.Main}"] }}`;

/**
 * When to stop waiting.
 *
 * @returns a date that never comes where no limit is set
 * @throws NodeOperationError when the limit is not one, or this n8n cannot give it an output of its own
 */
export function readTimeLimit(caller: IExecuteFunctions, itemIndex: number, nowMs: number): Date {
	if (caller.getNodeParameter('limitWaitTime', itemIndex, false) !== true) return WAIT_INDEFINITELY;
	const node = caller.getNode();
	if (!hasOwnOutput()) {
		throw new NodeOperationError(
			node,
			`Limit Wait Time needs n8n 2.39 or later [item ${itemIndex}]`,
			{
				description:
					'An older n8n would hand on a question without an answer as if it were answered. Update n8n, or switch Limit Wait Time off.',
				itemIndex,
			},
		);
	}
	const amount = Number(caller.getNodeParameter('resumeAmount', itemIndex, 1));
	const unit = String(caller.getNodeParameter('resumeUnit', itemIndex, 'days'));
	const until = new Date(nowMs + amount * (UNIT_MS[unit] ?? Number.NaN));
	if (amount > 0 && until.getTime() < WAIT_INDEFINITELY.getTime()) return until;
	throw new NodeOperationError(node, `Wait at Most is not a time to wait [item ${itemIndex}]`, {
		description: 'Enter a number above zero, and choose Minutes, Hours or Days as its Unit.',
		itemIndex,
	});
}

/** Pauses the execution; when the time is over, the item goes on by the output for no answer. */
export async function waitForAnswer(
	caller: IExecuteFunctions,
	until: Date,
	noAnswer: INodeExecutionData,
): Promise<void> {
	// After the time, n8n does not run the node again but hands on its input as it stands here, and takes it
	// for that of a second connection, which is said to come from the same item.
	const executeData = caller.getExecuteData();
	executeData.data.main = [[], [noAnswer]];
	const from = executeData.source?.main?.[0] ?? null;
	if (executeData.source) executeData.source = { ...executeData.source, main: [from, from] };
	const everyOutput: ITaskMetadata & { forwardAllOutputs: boolean } = { forwardAllOutputs: true };
	caller.setMetadata(everyOutput);
	await caller.putExecutionToWait(until);
}

/**
 * Whether n8n hands on more than the first output of a node that waited. It does so since 2.39, which is told
 * by what its n8n-workflow has had since then: nothing else in a node's reach says the version.
 */
function hasOwnOutput(): boolean {
	return 'WAIT_FOR_SUB_EXECUTION' in n8nWorkflow;
}
