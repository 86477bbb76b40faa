import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { refusal } from '../../fields/readField';
import { isFields, isOutbound, numbersOf, toMessage, type Message } from '../../message';
import { agentItems, ASK_AND_WAIT } from '../../n8n/agentTools';
import {
	earlierNodes,
	fieldsOfNode,
	inputItem,
	linkedItem,
	outputItems,
	type LinkedItem,
} from '../../n8n/linkedItems';
import { comparableNumber, isSameNumber } from '../../phoneNumber';
import { findMessage } from '../../service/answers';
import type { Item } from '../../service/request';

/** The nodes that start a workflow with messages: our trigger, and n8n's own in a workflow that another one calls. */
const STARTS = /(^|\.)(twoWayMessagingTrigger|executeWorkflowTrigger)$/;

const NODE_OF_OURS = /(^|\.)twoWayMessaging$/;

const SENDING = ['send', 'reply', ASK_AND_WAIT];

/** The fields that say whose message an item carries; a model must not set them. */
const FIELDS_THAT_NAME = [
	...['from', 'to', 'is_outbound', 'message_handle', 'conversation_handle', 'line_handle'],
	...['event', 'status', 'direction', 'customer', 'messages', 'message', 'data', 'date_sent'],
];

/** Why it cannot be told which message is meant, and what a person can do. */
const WHY_NONE = {
	none: {
		message:
			'There is no message of a customer here: not in the item, and not at the start of the workflow',
		description: 'Let the workflow begin with a Two-Way Messaging Trigger.',
	},
	unasked: {
		message: 'Nobody was asked before this node, as far as n8n’s links between items tell',
		description:
			"Put the operation 'Send and Wait for Answer' before this node, or set Reply To to 'The Customer'.",
	},
	several: {
		message: 'Several messages may be meant, and n8n does not say which',
		description:
			"In a Code node before this one, set pairedItem on every item. Give an AI agent one customer's message at a time.",
	},
	unclear: {
		message:
			'Two customers may be meant: whom the item’s message went to, and who started the workflow',
		description:
			"To reply to who started the workflow, put an 'Edit Fields' node before this one that keeps no field of the message.",
	},
} as const;

type NoMessage = keyof typeof WHY_NONE;

/**
 * The message that an item stands for: the customer's that it carries, else the one that started the workflow, else the one
 * of ours that it carries. What somebody answered in between counts only where nobody has started the workflow. For a tool of
 * an AI agent, it is the message of the item that the agent works on; what the model says does not count.
 *
 * @param otherwise what a person can do where there is no message
 * @param to whose message is meant: the customer's, or that of who was asked last by *Send and Wait*
 * @throws NodeOperationError where it cannot be told
 */
export function readRepliedMessage(
	item: Item,
	otherwise: string,
	to: 'customer' | 'answerer' = 'customer',
): Message {
	const { context, itemIndex } = item;
	const items = agentItems(context, FIELDS_THAT_NAME) ?? [inputItem(context, itemIndex)];
	const [first = 'several', ...others] = items.map((item) =>
		to === 'customer' ? messageOf(context, item) : (lastAnswer(context, item) ?? 'unasked'),
	);
	const areSame = others.every(
		(other) => typeof first !== 'string' && typeof other !== 'string' && isOfSamePair(first, other),
	);
	if (typeof first !== 'string' && areSame) return first;
	const { message, description } = WHY_NONE[typeof first === 'string' ? first : 'several'];
	throw refusal(item, { message, description: `${description} ${otherwise}` });
}

/**
 * A message of ours in an item does not tell whom a reply is for, nor does an answer to a question of ours: behind a text to
 * a colleague, it is for the customer whose message started the workflow. A row that a node has read from the history is
 * there to be answered, though.
 */
function messageOf(context: IExecuteFunctions, item: LinkedItem): Message | NoMessage {
	const own = answerIn(item.json) ? undefined : ownMessage(item.json);
	const putOutBy = own ? operationsThatPutOut(context, item, own) : [];
	const isAnswer = own?.message_handle !== undefined && putOutBy.includes(ASK_AND_WAIT);
	if (own?.is_outbound === false && !isAnswer) return own;
	const started = startingMessage(context, item);
	if (started === 'none') return own ?? lastAnswer(context, item) ?? started;
	// What this execution has sent, and a node then reads from the history, is one that was sent.
	if (!own || putOutBy.some((operation) => SENDING.includes(operation))) return started;
	if (putOutBy.includes('getMany')) return own;
	return typeof started !== 'string' && isOfSameCustomer(own, started) ? started : 'unclear';
}

/** The message of who was asked last, also where nodes in between drop its fields; undefined where nobody was. */
function lastAnswer(context: IExecuteFunctions, item: LinkedItem): Message | undefined {
	const asking = nodesOfOurs(context).filter(({ operation }) => operation === ASK_AND_WAIT);
	const linked = asking.reverse().map(({ name }) => linkedItem(context, item, name));
	return [item.json, ...linked].flatMap((json) => (json && answerIn(json)) ?? []).at(0);
}

/** The message of who was asked, in an item of *Send and Wait*: the answer, or, without one, what the question tells of it. */
function answerIn(json: IDataObject): Message | undefined {
	if (typeof json.answered !== 'boolean' || !isFields(json.question)) return undefined;
	const said = toMessage(json);
	if (said.message_handle !== undefined) return { ...said, is_outbound: false };
	const { from, to, ...asked } = toMessage(json.question);
	return { ...asked, from: to, to: from, is_outbound: false };
}

/** The message that an item carries: one in our own fields, in the service's, or the newest of a conversation. */
function ownMessage(json: IDataObject): Message | undefined {
	const { customer, messages } = json;
	if (typeof customer === 'string' && Array.isArray(messages)) {
		return toMessage({ ...json, from: customer, is_outbound: false });
	}
	const message = toMessage(findMessage(json) ?? json);
	const hasHandle = message.message_handle !== undefined;
	if (hasHandle || typeof json.is_outbound === 'boolean') {
		// One that does not say which way it went goes as its event does.
		const kind = json.event ?? json.type;
		const directionOfEvent = kind === 'outbound' ? true : kind === 'receive' ? false : undefined;
		return { ...message, is_outbound: isOutbound(message) ?? directionOfEvent };
	}
	const newest = Array.isArray(messages) ? messages.at(-1) : undefined;
	return isFields(newest) ? ownMessage(newest as IDataObject) : undefined;
}

/** The message that started the workflow: of the item that n8n's links lead back to, or of the only one that there was. */
function startingMessage(context: IExecuteFunctions, item: LinkedItem): Message | NoMessage {
	const starts = earlierNodes(context).filter(({ type }) => STARTS.test(type));
	for (const name of new Set(starts.map((start) => start.name))) {
		const linked = linkedItem(context, item, name);
		const started = linked ? [linked] : outputItems(context, { previousNode: name });
		if (started.length > 1) return 'several';
		if (started[0]) return ownMessage(started[0]) ?? 'none';
	}
	return 'none';
}

/** Whether two messages are the same one, or with the same customer. */
function isOfSameCustomer(one: Message, other: Message): boolean {
	if (one.message_handle !== undefined && one.message_handle === other.message_handle) return true;
	return isSameNumber(numbersOf(one).customer, numbersOf(other).customer);
}

/** Whether two messages are between the same customer and the same line, as far as both say it. */
function isOfSamePair(one: Message, other: Message): boolean {
	const key = (message: Message) => {
		const { customer, line } = numbersOf(message);
		return JSON.stringify([customer && comparableNumber(customer), message.line_handle ?? line]);
	};
	return key(one) === key(other);
}

/** The operations of our nodes before this one that have put out the message of an item, as far as n8n's links tell. */
function operationsThatPutOut(
	context: IExecuteFunctions,
	item: LinkedItem,
	{ message_handle: handle, to }: Message,
): string[] {
	return nodesOfOurs(context).flatMap(({ name, operation }) => {
		const linked = linkedItem(context, item, name);
		const outputs = linked ? [linked] : outputItems(context, { previousNode: name });
		// One that was skipped has no handle (§2.2).
		const hasPutOut = outputs
			.map(toMessage)
			.some((one) => one.message_handle === handle && (handle !== undefined || one.to === to));
		return hasPutOut ? [operation] : [];
	});
}

/** The nodes of ours before this one that do something about messages. */
function nodesOfOurs(context: IExecuteFunctions): Array<{ name: string; operation: string }> {
	return earlierNodes(context).flatMap(({ name, type }) => {
		const { resource, operation } = NODE_OF_OURS.test(type) ? fieldsOfNode(context, name) : {};
		return resource === 'message' ? [{ name, operation: String(operation) }] : [];
	});
}
