import type { INodeProperties } from 'n8n-workflow';
import { NodeOperationError, WAIT_INDEFINITELY } from 'n8n-workflow';
import { withBuilderHint } from '../../../n8n/laterDescription';
import { canContinueAtSecondOutput } from '../../../n8n/outputAfterWait';
import { amountValue } from '../../../parameterValues';
import { readChoice, readSwitch } from '../../choiceField';
import type { Run } from '../../run';

const MINUTE_MS = 60_000;

const UNITS = ['minutes', 'hours', 'days'] as const;

const UNIT_MS: Record<(typeof UNITS)[number], number> = {
	minutes: MINUTE_MS,
	hours: 60 * MINUTE_MS,
	days: 24 * 60 * MINUTE_MS,
};

/** The fields that limit how long the execution waits for an answer. */
export const timeLimitFields: INodeProperties[] = [
	withBuilderHint(
		{
			displayName: 'Limit Wait Time',
			name: 'limitWaitTime',
			type: 'boolean',
			default: false,
			description:
				'Whether to stop waiting after some time. The workflow then continues at the output No Answer.',
		},
		'When true, connect both outputs: the first for an answer, the second for none. Needs n8n 2.39.',
	),
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
			{ name: 'Minutes', value: 'minutes' },
			{ name: 'Hours', value: 'hours' },
			{ name: 'Days', value: 'days' },
		],
	},
];

/**
 * When to stop waiting.
 *
 * @returns a date that never comes where no limit is set
 * @throws NodeOperationError when the limit is not a time, or this n8n cannot continue at a second output
 */
export function readTimeLimit(run: Run, itemIndex: number, nowMs: number): Date {
	const { caller } = run;
	const isLimited = caller.getNodeParameter('limitWaitTime', itemIndex, false);
	const limitField = { label: 'Limit Wait Time', fallback: false, itemIndex };
	if (!readSwitch(run, isLimited, limitField)) return WAIT_INDEFINITELY;
	const node = caller.getNode();
	if (!canContinueAtSecondOutput()) {
		const message = `Limit Wait Time needs n8n 2.39 or later [item ${itemIndex}]`;
		throw new NodeOperationError(node, message, {
			description:
				'In an older n8n, the workflow would continue as if the customer had answered. Update n8n, or switch Limit Wait Time off.',
			itemIndex,
		});
	}
	const amount = amountValue(caller.getNodeParameter('resumeAmount', itemIndex, 1), Number.NaN);
	const chosen = caller.getNodeParameter('resumeUnit', itemIndex, 'days');
	const unit = readChoice(run, chosen, {
		label: 'Unit',
		choices: UNITS,
		fallback: 'days',
		itemIndex,
	});
	const until = new Date(nowMs + amount * UNIT_MS[unit]);
	if (amount > 0 && until.getTime() < WAIT_INDEFINITELY.getTime()) return until;
	throw new NodeOperationError(node, `Wait at Most is not a time to wait [item ${itemIndex}]`, {
		description: 'Enter a number above zero, and choose Minutes, Hours or Days as its Unit.',
		itemIndex,
	});
}
