import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

type Activation = IHookFunctions | ITriggerFunctions;

/**
 * Whether the workflow begins to listen because n8n started, and no person waits for it. A throw is then shown to
 * nobody, and n8n only gives the workflow up. Should n8n name its starts differently, a service that is away at a
 * start keeps the workflow from listening until n8n tries again.
 */
export function isStartOfN8n(context: Activation): boolean {
	return ['init', 'leadershipChange'].includes(context.getActivationMode());
}

/** Whether a person publishes a workflow that was not active. What came before that does not start it. */
export function isPublishedFirst(context: Activation): boolean {
	return context.getActivationMode() === 'activate';
}

/**
 * Whether a person publishes an active workflow again. A throw then makes n8n set the workflow inactive, and the next
 * publishing counts as the first: what came meanwhile is lost.
 */
export function isPublishedAgain(context: Activation): boolean {
	return context.getActivationMode() === 'update';
}
