import type { INodeTypeDescription } from 'n8n-workflow';

/** What n8n's assistant is told of a node while it builds a workflow. */
type BuilderHint = {
	/** Shown with the node in the search for nodes. */
	searchHint: string;
	/** Nodes that are often used with it, by their full types. */
	relatedNodes?: Array<{ nodeType: string; relationHint: string }>;
};

/**
 * The description of a node type with what n8n knows only since later versions than the oldest one that we support. An
 * older n8n ignores it.
 */
export type LaterDescription = INodeTypeDescription & {
	/** An expression: what the canvas says of the node while its execution waits. */
	waitingNodeTooltip?: string;
	builderHint?: BuilderHint;
};

/**
 * A field, or a choice of one, with a hint for n8n's assistant, which writes the workflow for a person:
 *
 * ```ts
 * const field = withBuilderHint(phoneNumberField, 'To answer whoever texted, use the operation Reply.');
 * ```
 */
export function withBuilderHint<Field extends object>(field: Field, propertyHint: string): Field {
	return { ...field, builderHint: { propertyHint } };
}
