import type { INode } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { isHumanReview, isTool } from '../../nodes/TwoWayMessaging/n8n/agentTools';

const nodeOf = (type: string) => ({ type }) as INode;

/** The types that n8n makes of the node, and whether each is a tool and a human review. */
const TYPES: Array<[string, boolean, boolean]> = [
	['n8n-nodes-two-way-messaging.twoWayMessaging', false, false],
	['n8n-nodes-two-way-messaging.twoWayMessagingTool', true, false],
	['n8n-nodes-two-way-messaging.twoWayMessagingHitlTool', true, true],
];

describe('the ending of a node type', () => {
	test.each(TYPES)('tells of %s what n8n tells', (type, expectedTool, expectedReview) => {
		expect([isTool(nodeOf(type)), isHumanReview(nodeOf(type))]).toEqual([
			expectedTool,
			expectedReview,
		]);
		expect([NodeHelpers.isToolType(type), NodeHelpers.isHitlToolType(type)]).toEqual([
			expectedTool,
			expectedReview,
		]);
	});
});
