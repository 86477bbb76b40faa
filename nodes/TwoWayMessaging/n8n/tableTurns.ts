import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../clock';
import { withRowLock } from './rowLock';

/**
 * Lets the calls that use n8n's table of processed data in a workflow take turns, in this process and in all processes of
 * n8n. n8n reads a list, changes it and writes it back: of two writers at once, one would be undone.
 *
 * ```ts
 * const added = await memory.part(TableTurns).take(execution, async () => await addProcessedNames(execution, names, 100));
 * ```
 */
export class TableTurns {
	/** The last call of each workflow. */
	private readonly last = new Map<string, Promise<unknown>>();

	/** The workflows whose row another node uses, so that it cannot be a lock. */
	private readonly withoutLock = new Set<string>();

	constructor(private readonly clock: Clock) {}

	/**
	 * Does the work when all calls of the workflow have ended that came before.
	 *
	 * @throws what `work` throws
	 */
	async take<Result>(execution: IExecuteFunctions, work: () => Promise<Result>): Promise<Result> {
		const workflowId = execution.getWorkflow().id ?? '';
		const before = this.last.get(workflowId);
		const mine = this.after(before, async () => await this.locked(execution, workflowId, work));
		this.last.set(workflowId, mine);
		return await mine;
	}

	private async after<Result>(
		before: Promise<unknown> | undefined,
		work: () => Promise<Result>,
	): Promise<Result> {
		// What became of the call before is for its own caller to know.
		await before?.catch(() => undefined);
		return await work();
	}

	private async locked<Result>(
		execution: IExecuteFunctions,
		workflowId: string,
		work: () => Promise<Result>,
	): Promise<Result> {
		if (this.withoutLock.has(workflowId)) return await work();
		const done = await withRowLock(execution, this.clock, work);
		if (done) return done.result;
		this.withoutLock.add(workflowId);
		return await work();
	}
}
