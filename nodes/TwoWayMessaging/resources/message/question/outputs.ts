import type { ExpressionString, INode, INodeProperties } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { ASK_AND_WAIT } from '../../../n8n/humanReview';
import type { EndReason } from '../../../waiting/passedText';

/** The version of the node from which on every question has a second output. */
const SINCE_VERSION = 1.1;

/** Shows a field in nodes whose questions have a second output, whatever their time limit is. */
export const SHOWN_SINCE: NonNullable<INodeProperties['displayOptions']>['show'] = {
	'@version': [{ _cnd: { gte: SINCE_VERSION } }],
};

/** Shows a field in the nodes before. */
export const SHOWN_BEFORE: typeof SHOWN_SINCE = { '@version': [{ _cnd: { lt: SINCE_VERSION } }] };

/** Why a question has ended without an answer. */
export type NoAnswerReason = EndReason | 'timeLimit' | 'notUnderstood';

/**
 * The node's outputs: one, and a second output where a question may end without an answer. A node of version 1 keeps what
 * it had, as a second output moves the output for errors, to which a saved workflow may be connected.
 */
export const OUTPUTS: ExpressionString = `={{ $parameter["operation"] === "${ASK_AND_WAIT}" && ($nodeVersion >= ${SINCE_VERSION} || $parameter["limitWaitTime"]) ? [{ type: "${NodeConnectionTypes.Main}", displayName: "Answered" }, { type: "${NodeConnectionTypes.Main}", displayName: "No Answer" }] : ["${NodeConnectionTypes.Main}"] }}`;

/**
 * Whether every question of the node has a second output. Such a question may end without an answer before its time is
 * over, and its words are those of a conversation unless somebody changes them.
 */
export function isSinceSecondOutput({ typeVersion }: INode): boolean {
	return typeVersion >= SINCE_VERSION;
}
