import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { PREFIXES } from '../../contract';
import { bareHandle, toMessage, type Fields } from '../../message';
import { readCollection, shownValue, timeValueMs } from '../../parameterValues';
import { historyPages, PAGE_SIZE } from '../../transport/historyPages';
import { phoneNumber } from '../../phoneNumber';
import { serviceTimeMs } from '../../serviceTime';
import { readChoice, readSwitch } from '../choiceField';
import { filtersField } from '../collectionFields';
import { readId } from '../idField';
import { limitField, readLimit } from '../limitField';
import { phoneNumberField } from '../phoneNumberField';
import type { Operation, Run } from '../run';
import { ConversationRows } from './conversationRows';
import { findConversation, isSameNumber, type ConversationClue } from './findConversation';
import { sidesOf } from './repliedMessage';

/** Rows in one page, where not all of them are wanted. It does not follow from the limit, as filters leave rows out. */
const ROWS = 100;

const DIRECTIONS = ['any', 'inbound', 'outbound'] as const;
type Direction = (typeof DIRECTIONS)[number];

/** Reads the history, newest first (§4.5). */
export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many messages',
	description: 'Read the history, newest first: what was sent, what came in, what was delivered',
	fields: [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		},
		{ ...limitField, displayOptions: { show: { returnAll: [false] } } },
		{
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: true,
			description: 'Whether to return a simplified version of the response instead of the raw data',
		},
		filtersField([
			{
				displayName: 'Before Message',
				name: 'before',
				type: 'string',
				default: '',
				placeholder: 'e.g. {{ $json.message_handle }}',
				description:
					'Only messages older than this one, named by its message_handle: to continue where an earlier execution stopped',
			},
			{
				displayName: 'Conversation ID',
				name: 'conversationHandle',
				type: 'string',
				default: '',
				placeholder: 'e.g. {{ $json.conversation_handle }}',
				description:
					'Only one conversation, named by the conversation_handle that each of its messages carries',
			},
			{
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
			},
			{
				...phoneNumberField,
				required: undefined,
				description:
					'Only the conversation with this customer, named by the number; with several lines, the newest one',
			},
			{
				displayName: 'Since',
				name: 'since',
				type: 'dateTime',
				default: '',
				description:
					'Only messages from this time on. Messages that are still queued have no time.',
			},
		]),
	],

	async run(run, itemIndex) {
		const { caller } = run;
		const filters = readCollection(caller, 'filters', itemIndex);
		const sinceMs = readSince(run, filters, itemIndex);
		const direction = readChoice(run, filters.direction, {
			label: 'Direction',
			choices: DIRECTIONS,
			fallback: 'any',
			itemIndex,
		});
		const returnAll = readSwitch(run, caller.getNodeParameter('returnAll', itemIndex, false), {
			label: 'Return All',
			fallback: false,
			itemIndex,
		});
		const limit = returnAll ? Number.POSITIVE_INFINITY : readLimit(run, itemIndex);
		const simplify = readSwitch(run, caller.getNodeParameter('simplify', itemIndex, true), {
			label: 'Simplify',
			fallback: true,
			itemIndex,
		});
		if (limit < 1) return [];
		const before = readBefore(run, filters, itemIndex);
		const wanted = await readWanted(run, filters, itemIndex);
		if (wanted === 'none') return [];
		const query = {
			conversationHandle: wanted.conversation?.conversationHandle,
			before,
			pageSize: returnAll ? PAGE_SIZE : ROWS,
		};
		const found = new ConversationRows(wanted.conversation);
		for await (const rows of historyPages(await run.connection(), query, itemIndex)) {
			const isWanted = (row: Fields) =>
				!isBefore(row, sinceMs) && isInDirection(row, direction) && isWith(row, wanted.customer);
			found.add(rows, isWanted);
			// A message that was queued for a while is dated later than its neighbours, so only a whole page of older
			// messages ends the search.
			if (found.count >= limit || rows.every((row) => isBefore(row, sinceMs))) break;
		}
		const messages = found.rows().slice(0, limit);
		return messages.map((row) => (simplify ? toMessage(row) : (row as IDataObject)));
	},
};

/** Whose messages are wanted: those of one conversation, of a customer in it, or all of them. */
type Wanted = { conversation?: ConversationClue; customer?: string };

/**
 * Reads whose messages are wanted.
 *
 * @returns none where the customer has no conversation
 * @throws NodeOperationError with the item's number when a filter has no value
 */
async function readWanted(run: Run, filters: Fields, itemIndex: number): Promise<Wanted | 'none'> {
	const customer = readCustomer(run, filters, itemIndex);
	const conversationHandle = readConversation(run, filters, itemIndex);
	if (conversationHandle !== undefined) return { conversation: { conversationHandle }, customer };
	if (customer === undefined) return {};
	const conversation = await findConversation(await run.connection(), { customer }, itemIndex);
	return conversation?.conversationHandle === undefined ? 'none' : { conversation };
}

/**
 * The conversation to read; undefined for all of them, where the filter was not added.
 *
 * @throws NodeOperationError with the item's number when the filter was added and is empty or no ID: the texts of all
 * customers, in place of one customer's texts, must not come out by accident
 */
function readConversation(run: Run, filters: Fields, itemIndex: number): string | undefined {
	if (!('conversationHandle' in filters)) return undefined;
	const field = {
		label: 'Conversation ID',
		advice:
			'Enter the conversation_handle of a message. To read every conversation, remove the filter.',
		itemIndex,
	};
	const handle = readId(run, filters.conversationHandle, field);
	if (handle !== '') return handle;
	throw new NodeOperationError(
		run.caller.getNode(),
		`Conversation ID is empty [item ${itemIndex}]`,
		{ description: field.advice, itemIndex },
	);
}

/**
 * The handle of the message before which the reading begins; undefined where the filter was not added.
 *
 * @throws NodeOperationError with the item's number when the filter was added and is empty or no ID
 */
function readBefore(run: Run, filters: Fields, itemIndex: number): string | undefined {
	if (!('before' in filters)) return undefined;
	const field = {
		label: 'Before Message',
		advice:
			'Enter the message_handle of a message. To begin with the newest message, remove the filter.',
		itemIndex,
	};
	const handle = bareHandle(readId(run, filters.before, field), PREFIXES.message);
	if (handle !== '') return handle;
	throw new NodeOperationError(
		run.caller.getNode(),
		`Before Message is empty [item ${itemIndex}]`,
		{ description: field.advice, itemIndex },
	);
}

/** The customer of the filter Phone Number; undefined where the filter was not added. */
function readCustomer({ caller }: Run, filters: Fields, itemIndex: number): string | undefined {
	if (!('number' in filters)) return undefined;
	return phoneNumber(caller.getNode(), filters.number, itemIndex);
}

/**
 * The time of the filter Since, in milliseconds; undefined where the filter was not added.
 *
 * @throws NodeOperationError with the item's number when the filter was added and is empty, or is not a time
 */
function readSince({ caller }: Run, filters: Fields, itemIndex: number): number | undefined {
	if (!('since' in filters)) return undefined;
	const sinceMs = timeValueMs(filters.since, caller.getTimezone());
	if (sinceMs !== undefined && !Number.isNaN(sinceMs)) return sinceMs;
	const message =
		sinceMs === undefined
			? 'Since is empty'
			: `Since is not a time: “${shownValue(filters.since)}”`;
	throw new NodeOperationError(caller.getNode(), `${message} [item ${itemIndex}]`, {
		description:
			'Pick a date in the calendar, or use an expression such as {{ $now.minus({ days: 7 }) }}. To read every message, remove the filter.',
		itemIndex,
	});
}

function isBefore({ date_sent: dateSent }: Fields, sinceMs: number | undefined): boolean {
	return sinceMs !== undefined && serviceTimeMs(dateSent) < sinceMs;
}

function isWith(row: Fields, customer: string | undefined): boolean {
	return customer === undefined || isSameNumber(sidesOf(toMessage(row)).customer, customer);
}

function isInDirection(row: Fields, direction: Direction): boolean {
	switch (direction) {
		case 'any':
			return true;
		case 'inbound':
			return toMessage(row).is_outbound === false;
		case 'outbound':
			return toMessage(row).is_outbound === true;
	}
}
