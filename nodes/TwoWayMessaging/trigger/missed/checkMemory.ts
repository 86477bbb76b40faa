import type { IPollFunctions } from 'n8n-workflow';
import { readSaved, type CheckState } from '../savedState';

/** What this process remembers of a node's checks. */
export class CheckMemory {
	isChecking = false;

	/** What the last check left. n8n has saved it only if that check handed over something. */
	last?: CheckState;

	/** Handles of the rows that the last check deferred. */
	deferred: ReadonlySet<string> = new Set();

	/** What the last check left, in this process or in the one that saved last. */
	lastOf(caller: IPollFunctions): CheckState | undefined {
		const saved = readSaved(caller, 'check');
		if (!this.last || !saved) return this.last ?? saved;
		return this.last.history.sinceMs >= saved.history.sinceMs ? this.last : saved;
	}
}
