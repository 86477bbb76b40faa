import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError, tryToParseDateTime } from 'n8n-workflow';
import { isFields, toMessage, type Fields } from '../../message';
import { historyPages, PAGE_SIZE } from '../../transport/pages';
import type { Operation, Run } from '../run';

type Filters = {
	conversationHandle?: unknown;
	direction?: 'any' | 'inbound' | 'outbound';
	since?: unknown;
	before?: string;
};

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
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			displayOptions: { show: { returnAll: [false] } },
			description: 'Max number of results to return',
		},
		{
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: true,
			description: 'Whether to return a simplified version of the response instead of the raw data',
		},
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
				{
					displayName: 'Before Message',
					name: 'before',
					type: 'string',
					default: '',
					placeholder: 'e.g. {{ $json.message_handle }}',
					description:
						'Only messages older than this one, named by its message_handle: to go on where an earlier run stopped',
				},
				{
					displayName: 'Conversation Handle',
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
					displayName: 'Since',
					name: 'since',
					type: 'dateTime',
					default: '',
					description:
						'Only messages from this time on. Messages that are still queued have no time.',
				},
			],
		},
	],

	async run(run, itemIndex) {
		const { caller } = run;
		const filters = caller.getNodeParameter('filters', itemIndex, {}) as Filters;
		const isWanted = filterOf(filters, readSince(run, filters.since, itemIndex));
		const returnAll = caller.getNodeParameter('returnAll', itemIndex, false) as boolean;
		const limit = returnAll
			? Number.POSITIVE_INFINITY
			: (caller.getNodeParameter('limit', itemIndex, 50) as number);
		const simplify = caller.getNodeParameter('simplify', itemIndex, true) as boolean;
		const query = {
			conversationHandle: readConversation(run, filters, itemIndex),
			before: filters.before?.trim() || undefined,
			pageSize: Math.min(PAGE_SIZE, limit),
		};
		const found: IDataObject[] = [];
		for await (const rows of historyPages(await run.connection(), query, itemIndex)) {
			let isPageOver = true;
			for (const row of rows) {
				const verdict = isWanted(row);
				if (verdict !== 'older') isPageOver = false;
				if (verdict === 'wanted') found.push(simplify ? toMessage(row) : (row as IDataObject));
				if (found.length >= limit) return found;
			}
			// One held for a while is dated later than its neighbours, so a single older row ends nothing.
			if (isPageOver) break;
		}
		return found;
	},
};

/**
 * The conversation to read; undefined for all of them, where the filter was not added.
 *
 * @throws NodeOperationError with the item's number when the filter is there and empty: everybody's
 * texts, in place of one customer's, are nothing to hand on by accident
 */
function readConversation(
	{ caller }: Run,
	filters: Filters,
	itemIndex: number,
): string | undefined {
	if (!('conversationHandle' in filters)) return undefined;
	const handle = String(filters.conversationHandle ?? '').trim();
	if (handle !== '') return handle;
	throw new NodeOperationError(
		caller.getNode(),
		`Conversation Handle is empty [item ${itemIndex}]`,
		{
			description:
				'Enter the conversation_handle of a message. To read every conversation, remove the filter.',
			itemIndex,
		},
	);
}

/** Whether a row is wanted, or so old that a page full of such rows ends the search. */
function filterOf(
	{ direction = 'any' }: Filters,
	sinceMs: number | undefined,
): (row: Fields) => 'wanted' | 'unwanted' | 'older' {
	return (row) => {
		const { date_sent: dateSent } = row;
		if (sinceMs !== undefined && typeof dateSent === 'string' && Date.parse(dateSent) < sinceMs) {
			return 'older';
		}
		if (direction === 'any') return 'wanted';
		return toMessage(row).is_outbound === (direction === 'outbound') ? 'wanted' : 'unwanted';
	};
}

/** A time that says where it counts: with an offset, or a number of milliseconds. */
const NAMES_ZONE = /(Z|[+-]\d{2}:?\d{2}|^\d+)$/i;

/**
 * The time of Since, in ms; a time without a zone is one of the workflow's.
 *
 * @throws NodeOperationError with the item's number when it is no time
 */
function readSince({ caller }: Run, since: unknown, itemIndex: number): number | undefined {
	if (since === undefined || since === null || since === '') return undefined;
	try {
		const text = isFields(since) || typeof since === 'string' ? since : String(since);
		const time = tryToParseDateTime(text);
		if (typeof text !== 'string' || NAMES_ZONE.test(text)) return time.toMillis();
		return time.setZone(caller.getTimezone(), { keepLocalTime: true }).toMillis();
	} catch {
		throw new NodeOperationError(caller.getNode(), `Since is not a time [item ${itemIndex}]`, {
			description:
				'Pick one in the calendar, or use an expression such as {{ $now.minus({ days: 7 }) }}.',
			itemIndex,
		});
	}
}
