import type { INodeProperties } from 'n8n-workflow';

/*
 * The names by which n8n recognizes that it can make a human review of an AI agent's tools out of a node. Should n8n look
 * for other names, it no longer offers the node for that; every other use of the node stays as it is.
 */

/** The value of the operation that asks and waits. */
export const ASK_AND_WAIT = 'sendAndWait';

/** The field that says how the person answers. */
export const RESPONSE_TYPE_FIELD = 'responseType';

/** The value of that field for an answer by buttons, the only answer that a human review understands. */
export const ANSWER_BY_BUTTONS = 'approval';

/** The field that n8n adds to a human review: the text that the agent's reviewer reads. */
export const REVIEW_TEXT_FIELD = 'message';

/**
 * Hides a field of the node where n8n has added its own text field. Without the slash, an older n8n looks for that field
 * in the node itself, and cannot open the node as it is not there.
 */
export const HIDDEN_IN_REVIEW: INodeProperties['displayOptions'] = {
	hide: { [`/${REVIEW_TEXT_FIELD}`]: [{ _cnd: { exists: true } }] },
};
