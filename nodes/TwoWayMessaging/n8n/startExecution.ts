import type { INodeExecutionData, ITriggerFunctions } from 'n8n-workflow';

/**
 * Starts an execution of the workflow with these items.
 *
 * @returns resolves when the execution has ended or begins to wait, with whether it did so without going wrong, as far as
 * n8n says; rejects when n8n could not start it, or a person has stopped it
 */
export type StartExecution = (items: INodeExecutionData[]) => Promise<boolean>;

/** What n8n tells of an execution's end; its versions differ in the type. */
type End =
	NonNullable<Parameters<ITriggerFunctions['emit']>[2]> extends { promise: Promise<infer Result> }
		? Result
		: never;

/**
 * Lets a trigger start executions, as long as its workflow listens and afterwards. Each start saves static data.
 *
 * n8n may never say how an execution ended: when a person cancels one that waits for n8n's limit, when a worker is killed, and
 * in n8n 1 when the database refuses it. So nothing may wait for that alone.
 *
 * ```ts
 * const start = executionStarter(context);
 * await start([toItem(arrival)]);
 * ```
 */
export function executionStarter(trigger: ITriggerFunctions): StartExecution {
	// Nothing else of the trigger's context is kept for as long as its executions start.
	const emit = trigger.emit.bind(trigger);
	const { createDeferredPromise } = trigger.helpers;
	return async (items) => {
		const done = createDeferredPromise<End>();
		emit([items], undefined, done);
		// Of all that n8n tells of the execution, nothing else is kept.
		return hasEndedWell(await done.promise);
	};
}

/** Before n8n 1.100, the status says `running` at every end. */
function hasEndedWell(end: End | undefined): boolean {
	if (end?.waitTill || end?.status === 'waiting') return true;
	return end?.finished === true && !end.data.resultData.error;
}
