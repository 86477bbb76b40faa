import type { INodeProperties } from 'n8n-workflow';
import type { Fields } from '../message';
import { amountValue } from '../parameterValues';

/** The option that limits how long an operation waits. */
export function waitAtMostOption(
	more: { default: number; minValue: number } & Required<Pick<INodeProperties, 'description'>>,
): INodeProperties {
	const { minValue, ...shown } = more;
	return {
		displayName: 'Wait at Most (Seconds)',
		name: 'waitSeconds',
		type: 'number',
		typeOptions: { minValue },
		...shown,
	};
}

/** How long to wait at most, in milliseconds. */
export function readWaitAtMostMs({ waitSeconds }: Fields, defaultSeconds: number): number {
	return amountValue(waitSeconds, defaultSeconds) * 1_000;
}
