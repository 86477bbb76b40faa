/** A trigger that receives what customers text, and passes answers to the executions that wait for them. */
export type Listener = {
	account: string;
	/** The trigger's credential, whatever its key pair is; absent where it is not known. */
	credential?: string;
	/** Saves the questions of the account with this trigger; resolves when n8n has done so. */
	save: () => Promise<void>;
};

/**
 * The triggers of this process that receive answers by text:
 *
 * ```ts
 * listeners.add(nodeKey, { account, save });
 * listeners.of(account); // the triggers that save a question
 * ```
 */
export class Listeners {
	private readonly byKey = new Map<string, Listener & { isStopped?: boolean }>();

	/**
	 * Adds a trigger, or updates it.
	 *
	 * @returns what was known of the trigger before; undefined when it is new to this process
	 */
	add(key: string, listener: Listener): Listener | undefined {
		const before = this.byKey.get(key);
		this.byKey.set(key, { ...listener });
		return before;
	}

	/** What is known of a trigger that listens. */
	find(key: string): Listener | undefined {
		const known = this.byKey.get(key);
		return known?.isStopped ? undefined : known;
	}

	/** Marks that a trigger listens no more. */
	markStopped(key: string): void {
		const listening = this.byKey.get(key);
		if (listening) listening.isStopped = true;
	}

	/** The triggers that receive the texts of an account. */
	of(account: string): Listener[] {
		return [...this.byKey.values()].filter((one) => one.account === account && !one.isStopped);
	}

	/**
	 * Saves the questions of an account with one of its triggers: after a restart, all triggers of the process know them from it.
	 * The others save them with their next execution.
	 */
	async save(account: string): Promise<void> {
		await this.of(account)[0]?.save();
	}
}
