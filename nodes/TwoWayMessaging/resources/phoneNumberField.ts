import type { INodeProperties } from 'n8n-workflow';
import { phoneNumber } from '../phoneNumber';
import type { Run } from './run';

/** @param whose what the number is for, as the beginning of a sentence */
export function phoneNumberField(whose: string): INodeProperties {
	return {
		displayName: 'Phone Number',
		name: 'number',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. +15551230001',
		description: `${whose}, with a plus and the country code`,
	};
}

/**
 * The phone number of an item, in the format that the service accepts.
 *
 * @throws NodeOperationError with the item's number
 */
export function readPhoneNumber({ caller }: Run, itemIndex: number): string {
	return phoneNumber(caller.getNode(), caller.getNodeParameter('number', itemIndex, ''), itemIndex);
}
