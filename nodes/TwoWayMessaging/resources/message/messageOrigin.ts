import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { toMessage, type Message } from '../../message';
import {
	earlierNodes,
	fieldsOfNode,
	linkedItem,
	outputItems,
	type EarlierNode,
	type LinkedItem,
} from '../../n8n/linkedItems';
import { ASK_AND_WAIT } from '../../n8n/humanReview';

/** Where a message of ours in an item comes from: this execution has sent it, or has read it from the history. */
export type Origin = 'sent' | 'history' | 'unknown';

/** This node, wherever in the workflow. */
const NODE_OF_OURS = /(^|\.)twoWayMessaging$/;

const SENDING = ['send', 'reply', ASK_AND_WAIT];

const READING = ['getMany'];

/**
 * Finds which of our nodes before this one has put out the message of an item. A message that was sent by this execution
 * and is then read from the history, or asked for its status, is one that was sent.
 *
 * @returns unknown where none of them has put it out, as far as n8n's links tell
 */
export function findOrigin(caller: IExecuteFunctions, item: LinkedItem, message: Message): Origin {
	const hasPutOut = ({ name }: EarlierNode) => {
		const linked = linkedItem(caller, item, name);
		const outputs = linked ? [linked] : outputItems(caller, { previousNode: name });
		return outputs.some((output) => isSameMessage(output, message));
	};
	if (nodesWith(caller, SENDING).some(hasPutOut)) return 'sent';
	return nodesWith(caller, READING).some(hasPutOut) ? 'history' : 'unknown';
}

/** The nodes of ours before this one that have one of some operations on messages. */
function nodesWith(caller: IExecuteFunctions, operations: string[]): EarlierNode[] {
	return earlierNodes(caller).filter(({ name, type }) => {
		if (!NODE_OF_OURS.test(type)) return false;
		const { resource, operation } = fieldsOfNode(caller, name);
		return resource === 'message' && operations.includes(String(operation));
	});
}

/** One that was skipped has no handle (§2.2). */
function isSameMessage(output: IDataObject, { message_handle: handle, to }: Message): boolean {
	const { message_handle: otherHandle, to: otherTo } = toMessage(output);
	return handle === otherHandle && (handle !== undefined || to === otherTo);
}
