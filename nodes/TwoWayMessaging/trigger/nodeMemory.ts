import type {
	IExecuteFunctions,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import type { Clock } from '../clock';
import { Memory, type ProcessMemory } from '../processMemory';

/** The contexts in which n8n calls a trigger. */
export type TriggerContext =
	IExecuteFunctions | IHookFunctions | ITriggerFunctions | IWebhookFunctions;

/** Why an execution ends at the trigger, without an item. */
export type WhyEmpty = 'answered' | 'ended' | 'unwanted' | 'saved' | 'begunBefore';

/** One of n8n's calls to a trigger node: its context, and what this process remembers. */
export type TriggerCall<Context extends TriggerContext = TriggerContext> = {
	context: Context;
	clock: Clock;
	/** What this process remembers of the node, across its requests, checks and executions. */
	memory: Memory;
	/** What this process remembers of all nodes. */
	processMemory: ProcessMemory;
	/** Tells the node from every other node of this n8n. */
	nodeKey: string;
	/** What became of that which came, as far as it starts nothing. */
	whyEmpty: Set<WhyEmpty>;
};

/** The memories of all trigger nodes in a process, by node. */
class NodeMemories {
	private readonly memories = new Map<string, Memory>();

	constructor(private readonly clock: Clock) {}

	of(nodeKey: string): Memory {
		let memory = this.memories.get(nodeKey);
		if (!memory) {
			memory = new Memory(this.clock);
			this.memories.set(nodeKey, memory);
		}
		return memory;
	}
}

/** A call of n8n with the memory of the node that is called. A node is known by its workflow's ID and its own. */
export function triggerCall<Context extends TriggerContext>(
	context: Context,
	processMemory: ProcessMemory,
): TriggerCall<Context> {
	const nodeKey = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
	return {
		context,
		clock: processMemory.clock,
		memory: processMemory.part(NodeMemories).of(nodeKey),
		processMemory,
		nodeKey,
		whyEmpty: new Set(),
	};
}

/** Lets a function that takes a call be called with n8n's context and the process's memory. */
export function inCall<Context extends TriggerContext, Result>(
	run: (call: TriggerCall<Context>) => Result,
): (context: Context, processMemory: ProcessMemory) => Result {
	return (context, processMemory) => run(triggerCall(context, processMemory));
}
