import { WAIT_INDEFINITELY, type INodeProperties } from 'n8n-workflow';
import { canContinueAtSecondOutput } from '../../n8n/outputAfterWait';
import { choiceField, readAmount, readChoice, readSwitch, refusal } from '../../fields/readField';
import type { Item } from '../../service/request';

const MINUTE_MS = 60_000;

const UNIT_MS = { minutes: MINUTE_MS, hours: 60 * MINUTE_MS, days: 24 * 60 * MINUTE_MS };

const limitWaitField: INodeProperties = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'boolean',
	default: false,
	description:
		'Whether to stop waiting after some time. The workflow then continues at the output No Answer. If off, it waits for an answer for ever.',
	builderHint: {
		propertyHint:
			'When true, connect both outputs: the first for an answer, the second for none. Needs n8n 2.39.',
	},
};

const amountField: INodeProperties = {
	displayName: 'Wait at Most',
	name: 'resumeAmount',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1,
	displayOptions: { show: { limitWaitTime: [true] } },
	description: 'How many minutes, hours or days to wait for the answer',
};

const unitField = choiceField({
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
});

export const timeLimitFields: INodeProperties[] = [limitWaitField, amountField, unitField];

/** How long to wait, in milliseconds; undefined where no limit is set. */
export function readTimeLimit(item: Item): number | undefined {
	if (!readSwitch(item, limitWaitField)) return undefined;
	if (!canContinueAtSecondOutput()) {
		throw refusal(item, {
			message: 'Limit Wait Time needs n8n 2.39 or later',
			description:
				'In an older n8n, the workflow would continue as if the customer had answered. Update n8n, or switch Limit Wait Time off.',
		});
	}
	const limitMs = readAmount(item, amountField) * UNIT_MS[readChoice(item, unitField)];
	const lastMs = WAIT_INDEFINITELY.getTime() - item.clock.nowMs() - UNIT_MS.days;
	if (limitMs > 0 && limitMs < lastMs) return limitMs;
	throw refusal(item, {
		message: 'Wait at Most is not a time to wait',
		description: 'Enter a number above zero, and choose Minutes, Hours or Days as its Unit.',
	});
}
