import type { IHookFunctions, IPollFunctions } from 'n8n-workflow';

/**
 * Whether the workflow begins to listen because n8n started, and no person waits for it. A throw is then shown to
 * nobody, and n8n only gives the workflow up. Should n8n name its starts differently, a service that is away at a
 * start keeps the workflow from listening until n8n tries again.
 */
export function isStartOfN8n(caller: IHookFunctions | IPollFunctions): boolean {
	return ['init', 'leadershipChange'].includes(caller.getActivationMode());
}

/** Whether a person publishes a workflow that was not active. What came before that does not start it. */
export function isPublishedFirst(caller: IHookFunctions | IPollFunctions): boolean {
	return caller.getActivationMode() === 'activate';
}

/**
 * Whether a person publishes an active workflow again. A throw then makes n8n set the workflow inactive, and the next
 * publishing counts as the first: what came meanwhile is lost.
 */
export function isPublishedAgain(caller: IHookFunctions | IPollFunctions): boolean {
	return caller.getActivationMode() === 'update';
}

/**
 * The activations that have had a check. n8n does not say which call of `poll()` is the first of an activation, and
 * keeps one static data object for all of them. Should it make a new object for each call, every check counts as the
 * first: it then shows a person what went wrong, and saves at each check.
 */
export class CheckedActivations {
	private readonly checked = new WeakSet<object>();

	/** Whether no check of this activation has come to its end. */
	isFirstCheck(poll: IPollFunctions): boolean {
		return !this.checked.has(poll.getWorkflowStaticData('node'));
	}

	markChecked(poll: IPollFunctions): void {
		this.checked.add(poll.getWorkflowStaticData('node'));
	}
}
