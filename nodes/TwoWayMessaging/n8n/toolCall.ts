import type { IExecuteFunctions } from 'n8n-workflow';
import { isTool } from './toolVariant';

/**
 * The object that stands for one call of a tool by an AI agent: it is the same object in every try of Retry On Fail, and
 * another one for the agent's next call, whatever both say. n8n counts every try as a run of its own, so nothing else tells
 * the tries of one call from two calls.
 *
 * n8n has two ways to call a tool. Newer agents ask n8n's engine to run the node, which then runs as every node does and
 * keeps its run index from try to try. Should n8n make a new object for each try, a call whose answer was lost is known
 * only by what it sends.
 *
 * @returns undefined where the node runs as every node does
 */
export function toolCallOf(context: IExecuteFunctions): object | undefined {
	// Before n8n had the question, its engine ran no tools.
	const { isToolExecution } = context as { isToolExecution?: () => boolean };
	const isByAgent = isToolExecution?.call(context) ?? isTool(context.getNode());
	return isByAgent ? context.getInputData()[0]?.json : undefined;
}
