import type { IPollFunctions } from 'n8n-workflow';
import { CheckedActivations, isPublishedAgain } from '../../n8n/activation';
import type { TriggerCall } from '../nodeMemory';
import { readSaved, type CheckState } from '../savedState';

/** What this process remembers of a node's checks. */
export class CheckMemory {
	/** What the last check left. n8n has saved it only if that check handed over something. */
	last?: CheckState;

	/** When this process first tried to check. What happens from then on is not too old, however long the service is away. */
	triedFromMs?: number;

	/** Names of the rows that the last check deferred. */
	deferred: ReadonlySet<string> = new Set();

	/** Whether the log says that the history's rows lack their senders. */
	isSenderlessLogged = false;

	/** The node's fields at the last check, as JSON. */
	private fields?: string;

	private running?: { activation: object; ended: Promise<unknown> };

	/**
	 * What the last check of an account left, in this process or in the one that saved last; else what the last check
	 * of any account left.
	 */
	lastOf(caller: IPollFunctions, account: string): CheckState | undefined {
		const saved = readSaved(caller, 'check');
		const known = [this.last, saved].filter((state) => state !== undefined);
		const [newest] = known
			.filter((state) => state.account === account)
			.sort((one, other) => other.history.sinceMs - one.history.sinceMs);
		return newest ?? known[0];
	}

	/** Whether the node's fields are those of the last check. */
	hasFieldsOf(caller: IPollFunctions): boolean {
		return this.fields === JSON.stringify(caller.getNode().parameters);
	}

	/** Says that a check has come to its end. */
	markChecked(caller: IPollFunctions, left: CheckState): void {
		this.last = left;
		this.fields = JSON.stringify(caller.getNode().parameters);
	}

	/**
	 * Runs one check at a time. A check whose time comes while another of its activation still reads would find the
	 * same again, and is left out; one of a later activation waits for it.
	 *
	 * @returns undefined when the check was left out
	 * @throws what the check throws
	 */
	async runAlone<Result>(
		activation: object,
		check: () => Promise<Result>,
	): Promise<Result | undefined> {
		while (this.running) {
			if (this.running.activation === activation) return undefined;
			await this.running.ended;
		}
		const result = check();
		const running = { activation, ended: result.catch(() => undefined) };
		this.running = running;
		try {
			return await result;
		} finally {
			this.running = undefined;
		}
	}
}

/**
 * Whether this is the first check of an activation. With `N8N_SCHEDULER_POLL_TRIGGERS_ENABLED` n8n makes every check
 * look like the first after the workflow was published again; only changed fields tell that a person did so.
 */
export function isFirstCheck({ caller, memory }: TriggerCall<IPollFunctions>): boolean {
	if (!memory.part(CheckedActivations).isFirstCheck(caller)) return false;
	return !(isPublishedAgain(caller) && memory.part(CheckMemory).hasFieldsOf(caller));
}
