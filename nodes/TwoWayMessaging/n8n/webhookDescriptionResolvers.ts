import type { INodeParameters } from 'n8n-workflow';

/** A field of a webhook's description: an expression, and a function that gives the same. */
export type ResolvedField = {
	template: string;
	resolve: (parameters: INodeParameters) => string | boolean;
};

/** Under this name n8n, since 2.39, looks for functions in place of the expressions of a webhook's description. */
const RESOLVERS = Symbol.for('n8n.webhookDescriptionResolvers');

/**
 * The part of a webhook's description that lets n8n call functions in place of expressions. An expression takes
 * n8n's default engine several milliseconds, for every event. Where n8n does not look for the functions, as before
 * 2.39, it evaluates the expressions, and events cost more.
 */
export function descriptionResolvers(fields: Record<string, ResolvedField>): object {
	return { [RESOLVERS]: fields };
}
