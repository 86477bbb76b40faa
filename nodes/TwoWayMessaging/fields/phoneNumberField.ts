import type { INodeProperties } from 'n8n-workflow';
import type { Fields } from '../message';
import { NUMBERING_PLANS } from '../numberingPlans';
import { textValue } from '../parameterValues';
import { phoneNumber } from '../phoneNumber';
import type { Item } from '../service/request';
import { choiceField, readChoice, readCollection, refusal, valueOf } from './readField';

export const phoneNumberField: INodeProperties = {
	displayName: 'Phone Number',
	name: 'number',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +15551230001',
	description: 'The number of the customer, with a plus and the country code',
};

export const numberCountryOption = choiceField({
	displayName: 'Country If + Is Missing',
	name: 'numberCountry',
	type: 'options',
	default: '',
	description:
		'Reads numbers that are written as inside one country. A number with a plus or 00 stays as it is, and one that does not fit the country is refused.',
	options: [
		{ name: 'None: A Plus Is Needed', value: '' },
		...NUMBERING_PLANS.map(({ country, name, code }) => ({
			name: `${name} (+${code})`,
			value: country,
		})),
	],
});

/** The phone number of an item, in the format that the service accepts: a field of its own, or one of the filters. */
export function readPhoneNumber(item: Item, filters?: Fields): string {
	const options = filters ?? readCollection(item, 'options');
	const typed = filters ? filters.number : valueOf(item, phoneNumberField);
	const chosen = readChoice(item, numberCountryOption, options);
	const plan = chosen ? NUMBERING_PLANS.find(({ country }) => country === chosen) : undefined;
	const number = phoneNumber(textValue(typed), plan);
	if (typeof number === 'string') return number;
	throw refusal(item, number);
}
