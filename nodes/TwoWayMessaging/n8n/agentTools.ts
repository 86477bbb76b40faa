import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeProperties,
	ISourceData,
} from 'n8n-workflow';
import { outputItems, type LinkedItem } from './linkedItems';

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

/**
 * The object that stands for one call of a tool by an AI agent: the same in every try of Retry On Fail, and another one for
 * the agent's next call. n8n counts every try as a run of its own, so nothing else tells the tries of one call from two calls.
 * Should n8n make a new object for each try, a call whose answer was lost is known only by what it sends.
 *
 * @returns undefined where the node runs as every node does, as it also does where a newer agent lets n8n's engine run it
 */
export function toolCallOf(context: IExecuteFunctions): object | undefined {
	// Before n8n had the question, its engine ran no tools.
	const { isToolExecution } = context as { isToolExecution?: () => boolean };
	const isByAgent = isToolExecution?.call(context) ?? isTool(context.getNode());
	return isByAgent ? context.getInputData()[0]?.json : undefined;
}

/**
 * The items that an AI agent may be working on while it calls the node as its tool: n8n does not always say which item a
 * call is for. What the model says in its call is in none of them.
 *
 * An agent that calls its tool by itself lends the tool its own input. Where n8n's engine runs the tool, it mixes the fields
 * of the agent's item with those of the call, and names the output that the agent's input came from; but in a loop it names
 * the agent's own first run, which may have been for somebody else. So an item counts only where the tool's item has its
 * fields. Should n8n do this in another way, a tool finds no items, and says so.
 *
 * @param names the fields that must not come from the model
 * @returns undefined where the node runs as every node does
 */
export function agentItems(
	context: IExecuteFunctions,
	names: readonly string[],
): LinkedItem[] | undefined {
	if (!isTool(context.getNode())) return undefined;
	const { data, source } = context.getExecuteData();
	if (toolCallOf(context)) {
		return (data.main?.[0] ?? []).map(({ json, pairedItem }) => {
			return { json, pairedItem, source: source?.main?.[0] };
		});
	}
	const [call] = context.getInputData();
	const link = call?.pairedItem as { sourceOverwrite?: ISourceData } | undefined;
	const agentSource = link?.sourceOverwrite;
	if (!call || !agentSource) return [];
	const isAgentItself = agentSource.previousNode === source?.main?.[0]?.previousNode;
	const items = isAgentItself ? [] : outputItems(context, agentSource);
	const possible = items
		.map((json, item) => ({ json, pairedItem: { item }, source: agentSource }))
		.filter(({ json }) => isMixedIn(context, json, call.json));
	if (possible.length > 0) return possible;
	return names.some((name) => isSaidByModel(context, name)) ? [] : [{ json: call.json }];
}

/** Whether n8n may have made the item of a call out of an item: by adding to it, or by replacing what the model says. */
function isMixedIn(context: IExecuteFunctions, json: IDataObject, call: IDataObject): boolean {
	return Object.entries(json).every(([name, value]) => {
		const isKept = JSON.stringify(call[name]) === JSON.stringify(value);
		return name in call && (isKept || isSaidByModel(context, name));
	});
}

/** Whether the model has given a value for a field. Where n8n does not tell, it counts as given. */
function isSaidByModel(context: IExecuteFunctions, name: string): boolean {
	try {
		const { $fromAI: fromAi } = context.getWorkflowDataProxy(0) as unknown as {
			$fromAI: (name: string) => unknown;
		};
		return fromAi(name) !== undefined;
	} catch {
		return true;
	}
}

/*
 * The names by which n8n recognizes that it can make a human review of an AI agent's tools out of a node. Should n8n look
 * for other names, it no longer offers the node for that; every other use of the node stays as it is.
 */

export const ASK_AND_WAIT = 'sendAndWait';

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
