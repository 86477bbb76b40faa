import type { INode } from 'n8n-workflow';

/**
 * Whether the node is a tool of an AI agent. n8n makes a second node type for that, and ends its name with `Tool`. Should
 * n8n change the ending, a tool call that the agent tries again after an open answer is sent a second time.
 */
export function isTool(node: INode): boolean {
	return node.type.endsWith('Tool');
}

/**
 * Whether the node is the human review of an AI agent's tools. n8n makes a third node type for that, and ends its name
 * with `HitlTool` (human in the loop). Should n8n change the ending, a human review is refused as a tool that cannot wait.
 */
export function isHumanReview(node: INode): boolean {
	return node.type.endsWith('HitlTool');
}
