import type { INodeProperties } from 'n8n-workflow';
import { phoneNumber } from '../phoneNumber';
import type { Run } from './run';

/** The field for the phone number of a customer. */
export const phoneNumberField: INodeProperties = {
	displayName: 'Phone Number',
	name: 'number',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +15551230001',
	description: 'The number of the customer, with a plus and the country code',
};

/**
 * The phone number of an item, in the format that the service accepts.
 *
 * @throws NodeOperationError with the item's number
 */
export function readPhoneNumber({ caller }: Run, itemIndex: number): string {
	const node = caller.getNode();
	const typed = caller.getNodeParameter('number', itemIndex, '');
	return phoneNumber(node, typed, itemIndex, node.parameters.number);
}
