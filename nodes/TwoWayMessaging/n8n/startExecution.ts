import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

/**
 * Starts an execution of the workflow with these items.
 *
 * @returns resolves when the execution has ended or begins to wait, with whether it did so without going wrong, as far as
 * n8n says; rejects when n8n could not start it
 * @throws where n8n has given the check no such function
 */
export type StartExecution = (items: INodeExecutionData[]) => Promise<boolean>;

/** What n8n tells of an execution's end; its versions differ in the type. */
type End =
	NonNullable<Parameters<IPollFunctions['__emit']>[2]> extends { promise: Promise<infer Result> }
		? Result
		: never;

/**
 * Lets a check start executions one by one. n8n itself passes on what `poll()` returns with `__emit`, which also works
 * after the check has ended. Each call saves static data. Should n8n drop it, a check starts one execution with
 * everything that it finds.
 *
 * ```ts
 * const start = executionStarter(caller);
 * await start?.([toItem(handover)]);
 * ```
 *
 * @returns undefined where n8n has no such function
 */
export function executionStarter(poll: IPollFunctions): StartExecution | undefined {
	if (typeof poll.__emit !== 'function') return undefined;
	// Nothing else of the check's context is kept for as long as its executions start.
	const emit = poll.__emit.bind(poll);
	const { createDeferredPromise } = poll.helpers;
	return (items) => {
		const done = createDeferredPromise<End>();
		emit([items], undefined, done);
		// Of all that n8n tells of the execution, nothing else is kept.
		return done.promise.then((end) => end?.status === 'success' || end?.status === 'waiting');
	};
}
