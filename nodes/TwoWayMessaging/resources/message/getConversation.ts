import type { IDataObject } from 'n8n-workflow';
import { toMessage, type Message } from '../../message';
import { withBuilderHint } from '../../n8n/laterDescription';
import { historyPages, PAGE_SIZE } from '../../transport/historyPages';
import { toE164 } from '../../phoneNumber';
import { serviceTimeMs } from '../../serviceTime';
import { readChoice } from '../choiceField';
import { limitField, readLimit } from '../limitField';
import { lineField, readChosenLine } from '../lineField';
import { phoneNumberField, readPhoneNumber } from '../phoneNumberField';
import type { Operation, Run } from '../run';
import { ConversationRows } from './conversationRows';
import { clueOf, findConversation, type ConversationClue } from './findConversation';
import { readRepliedMessage, sidesOf } from './repliedMessage';
import { writeTranscript } from './transcript';

/** How many messages are read unless the field says otherwise. */
const USUAL_LIMIT = 20;

/** Rows in one page, where no more are wanted. */
const ROWS = 100;

const OTHERWISE =
	"To read the conversation with a number that you choose yourself, set With to 'Phone Number'.";

const WITH = ['message', 'number'] as const;

const ONLY_BY_NUMBER = { show: { with: ['number'] } };

/** Reads what a customer and a line have said to each other (§4.5), as one item. */
export const getConversation: Operation = {
	value: 'getConversation',
	name: 'Get Conversation',
	action: 'Get a conversation',
	description: 'Read what was said so far, as one item with a text that an AI agent can read',
	fields: [
		withBuilderHint(
			{
				displayName: 'With',
				name: 'with',
				type: 'options',
				default: 'message',
				description: 'Whose conversation to read',
				options: [
					{
						name: 'Customer of the Message',
						value: 'message',
						description:
							'The customer whose message the item is, or whose message started the workflow: the one whom Reply answers',
					},
					{
						name: 'Phone Number',
						value: 'number',
						description: 'A customer whom you choose by number',
					},
				],
			},
			"Keep 'message' behind a Two-Way Messaging Trigger, and for a tool of an AI agent: then a model cannot be made to read another customer's texts.",
		),
		{ ...phoneNumberField, displayOptions: ONLY_BY_NUMBER },
		{
			...lineField,
			displayOptions: ONLY_BY_NUMBER,
			description:
				'The line that the conversation is with. Leave it empty for the newest conversation with the customer, on whichever line.',
			modes: lineField.modes?.map((mode) =>
				mode.name === 'list' ? { ...mode, placeholder: 'Any line' } : mode,
			),
		},
		{ ...limitField, default: USUAL_LIMIT },
	],

	async run(run, itemIndex) {
		const limit = Math.max(1, readLimit(run, itemIndex, USUAL_LIMIT));
		const clue = await readClue(run, itemIndex);
		const messages = await readMessages(run, clue, { limit, itemIndex });
		const customer = clue.customer ?? firstSaid(messages, (one) => sidesOf(one).customer);
		const lineHandle = clue.lineHandle ?? firstSaid(messages, (one) => one.line_handle);
		const handle = firstSaid(messages, (one) => one.conversation_handle) ?? clue.conversationHandle;
		const conversation: IDataObject = {
			...(customer !== undefined && { customer: toE164(customer) ?? customer }),
			transcript: writeTranscript(messages, run.caller.getTimezone()),
			messages,
			...(lineHandle !== undefined && { line_handle: lineHandle }),
			...(handle !== undefined && { conversation_handle: handle }),
		};
		return [conversation];
	},
};

/** Which conversation an item is about, as its fields say it. */
async function readClue(run: Run, itemIndex: number): Promise<ConversationClue> {
	const chosen = run.caller.getNodeParameter('with', itemIndex, 'message');
	const field = { label: 'With', choices: WITH, fallback: 'message', itemIndex } as const;
	switch (readChoice(run, chosen, field)) {
		case 'message':
			return clueOf(readRepliedMessage(run, itemIndex, OTHERWISE));
		case 'number': {
			const customer = readPhoneNumber(run, itemIndex);
			return { customer, lineHandle: await readChosenLine(run, itemIndex) };
		}
	}
}

/** The newest messages of a conversation, oldest first; none where the history does not show it. */
async function readMessages(
	run: Run,
	clue: ConversationClue,
	{ limit, itemIndex }: { limit: number; itemIndex: number },
): Promise<Message[]> {
	const connection = await run.connection();
	const conversation =
		clue.conversationHandle === undefined
			? await findConversation(connection, clue, itemIndex)
			: clue;
	const { conversationHandle } = conversation ?? {};
	if (conversationHandle === undefined) return [];
	const pageSize = limit > ROWS ? PAGE_SIZE : ROWS;
	const newest = new ConversationRows(conversation);
	for await (const rows of historyPages(connection, { conversationHandle, pageSize }, itemIndex)) {
		newest.add(rows);
		if (newest.count >= limit) break;
	}
	return oldestFirst(newest.rows().slice(0, limit).map(toMessage));
}

/** Rows may stand a little out of order. One without a time stays behind the one that it came after. */
function oldestFirst(newestFirst: Message[]): Message[] {
	let placedMs = Number.NEGATIVE_INFINITY;
	return newestFirst
		.reverse()
		.map((message) => {
			const sentMs = serviceTimeMs(message.date_sent);
			if (!Number.isNaN(sentMs)) placedMs = sentMs;
			return { message, placedMs };
		})
		.sort((one, other) => (one.placedMs === other.placedMs ? 0 : one.placedMs - other.placedMs))
		.map(({ message }) => message);
}

function firstSaid(
	messages: Message[],
	read: (message: Message) => string | undefined,
): string | undefined {
	return messages.map(read).find((value) => value !== undefined);
}
