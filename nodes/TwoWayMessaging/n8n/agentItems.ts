import type { IDataObject, IExecuteFunctions, ISourceData } from 'n8n-workflow';
import { outputItems, type LinkedItem } from './linkedItems';
import { toolCallOf } from './toolCall';
import { isTool } from './toolVariant';

/**
 * The items that an AI agent may be working on while it calls the node as its tool: n8n does not always say which item a
 * call is for. What the model says in its call is in none of them.
 *
 * An agent that calls its tool by itself lends the tool its own input. Where n8n's engine runs the tool, n8n gives the tool
 * an item in which it mixes the fields of the agent's item with those of the call, and names the output that the agent's
 * input came from; but in a loop it names the agent's own first run, which may have been for somebody else. So an item
 * counts only where the tool's item has its fields.
 *
 * Should n8n mix or name them in another way, a tool finds no items, and says so.
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
	const agentSource = sourceNamedIn(call?.pairedItem);
	if (!call || !agentSource) return [];
	const isAgentItself = agentSource.previousNode === source?.main?.[0]?.previousNode;
	const items = isAgentItself ? [] : outputItems(context, agentSource);
	const possible = items.flatMap((json, item) =>
		isMixedIn(context, json, call.json)
			? [{ json, pairedItem: { item }, source: agentSource }]
			: [],
	);
	if (possible.length > 0) return possible;
	return names.some((name) => isSaidByModel(context, name)) ? [] : [{ json: call.json }];
}

/** Whether n8n may have made the item of a call out of an item: by adding to it, or by replacing what the model says. */
function isMixedIn(context: IExecuteFunctions, json: IDataObject, call: IDataObject): boolean {
	return Object.entries(json).every(
		([name, value]) =>
			name in call &&
			(JSON.stringify(call[name]) === JSON.stringify(value) || isSaidByModel(context, name)),
	);
}

function sourceNamedIn(link: unknown): ISourceData | undefined {
	return (link as { sourceOverwrite?: ISourceData } | undefined)?.sourceOverwrite;
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
