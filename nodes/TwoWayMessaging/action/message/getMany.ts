import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { PREFIXES } from '../../contract';
import { bareHandle, isOutbound, numbersOf, type Fields } from '../../message';
import { shownValue, timeValueMs } from '../../parameterValues';
import { isSameNumber } from '../../phoneNumber';
import type { HistoryRow } from '../../service/history';
import { serviceTimeMs } from '../../serviceTime';
import {
	numberCountryOption,
	phoneNumberField,
	readPhoneNumber,
} from '../../fields/phoneNumberField';
import {
	choiceField,
	filtersField,
	limitField,
	readAmount,
	readChoice,
	readCollection,
	readId,
	readSwitch,
	refusal,
	simplifyField,
} from '../../fields/readField';
import { inItsTurn, messageItem, type Operation } from '../operation';
import type { Item } from '../../service/request';
import { readConversation } from './conversation';

const returnAllField: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

const beforeFilter: INodeProperties = {
	displayName: 'Before Message',
	name: 'before',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.message_handle }}',
	description:
		'Only messages older than this one, named by its message_handle: to continue where an earlier execution stopped',
};

const conversationFilter: INodeProperties = {
	displayName: 'Conversation ID',
	name: 'conversationHandle',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.conversation_handle }}',
	description:
		'Only one conversation, named by the conversation_handle that each of its messages carries',
};

const directionFilter = choiceField({
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	default: 'any',
	description: 'Who wrote the messages',
	options: [
		{ name: 'Any', value: 'any', description: 'You and your customers' },
		{ name: 'Inbound', value: 'inbound', description: 'Only your customers' },
		{ name: 'Outbound', value: 'outbound', description: 'Only you' },
	],
});

/** Reads the history, newest first (§4.5). */
export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many messages',
	description: 'Read the history, newest first: what was sent, what came in, what was delivered',
	fields: [
		returnAllField,
		{ ...limitField, displayOptions: { show: { returnAll: [false] } } },
		simplifyField,
		filtersField([
			beforeFilter,
			conversationFilter,
			directionFilter,
			{
				...phoneNumberField,
				required: undefined,
				description:
					'Only the conversation with this customer, named by the number; with several lines, the newest one',
			},
			numberCountryOption,
			{
				displayName: 'Since',
				name: 'since',
				type: 'dateTime',
				default: '',
				description:
					'Only messages from this time on, and those that are still queued, as they have no time',
			},
		]),
	],

	read: inItsTurn(async (item) => {
		const filters = readCollection(item, 'filters');
		const sinceMs = readSince(item, filters);
		const direction = readChoice(item, directionFilter, filters);
		const returnAll = readSwitch(item, returnAllField);
		const limit = returnAll ? Number.POSITIVE_INFINITY : readAmount(item, limitField);
		const simplify = readSwitch(item, simplifyField);
		if (limit < 1) return [];
		// One that is empty is refused: the texts of all customers must not come out by accident, in place of one customer's.
		const handleIn = (field: INodeProperties, advice: string) =>
			field.name in filters
				? bareHandle(readId(item, field, advice, filters), PREFIXES.message)
				: undefined;
		const before = handleIn(
			beforeFilter,
			'Enter the message_handle of a message. To begin with the newest message, remove the filter.',
		);
		const customer = 'number' in filters ? readPhoneNumber(item, filters) : undefined;
		const handle = handleIn(
			conversationFilter,
			'Enter the conversation_handle of a message. To read every conversation, remove the filter.',
		);
		const isWanted = ({ message }: HistoryRow) =>
			!(sinceMs !== undefined && serviceTimeMs(message.date_sent) < sinceMs) &&
			(direction === 'any' || isOutbound(message) === (direction === 'outbound')) &&
			(!customer || !handle || isSameNumber(numbersOf(message).customer, customer));
		const since = sinceMs === undefined ? undefined : () => sinceMs;
		const wanted = { limit, before, since, isWanted, notes: item.notes };
		const only = handle ? { conversation_handle: handle } : customer ? { customer } : undefined;
		const rows = await readConversation(item, only, wanted);
		return rows.map(({ message, body }) => ({
			json: simplify ? messageItem(message) : (body as IDataObject),
		}));
	}),
};

/** The time of the filter Since, in milliseconds; undefined where the filter was not added. */
function readSince(item: Item, filters: Fields): number | undefined {
	if (!('since' in filters)) return undefined;
	const sinceMs = timeValueMs(filters.since, item.context.getTimezone());
	if (sinceMs !== undefined && !Number.isNaN(sinceMs)) return sinceMs;
	const is = sinceMs === undefined ? 'empty' : `not a time: “${shownValue(filters.since)}”`;
	throw refusal(item, {
		message: `Since is ${is}`,
		description:
			'Pick a date in the calendar, or use an expression such as {{ $now.minus({ days: 7 }) }}. To read every message, remove the filter.',
	});
}
