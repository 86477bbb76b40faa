import type { Clock } from '../clock';

/** A trigger that receives what customers text, and passes answers to the executions that wait for them. */
export type Listener = {
	account: string;
	/** The trigger's credential, whatever its key pair is; absent where it is not known. */
	credential?: string;
	/** Saves the questions of the account with this trigger; resolves when n8n has done so. */
	save: () => Promise<void>;
	/** When it stopped listening; absent while it listens. */
	stoppedAtMs?: number;
};

/** How long n8n may take at its start to activate its workflows, while requests start their executions already. */
const ACTIVATED_WITHIN_MS = 20_000;

/** How long n8n may take before that, from loading the package on: in between it brings its database up to date. */
const STARTED_WITHIN_MS = 3 * 60_000;

/** How long a trigger may be away that is published again, as it then may register with the service in between. */
const PUBLISHED_AGAIN_WITHIN_MS = 10_000;

/**
 * The triggers of this process that receive answers by text:
 *
 * ```ts
 * listeners.add(nodeKey, { account, save });
 * listeners.of(account); // the triggers that save a question
 * ```
 */
export class Listeners {
	private readonly byKey = new Map<string, Listener>();

	/** When this process first had to do with a trigger or a question. */
	private readonly firstAtMs: number;

	constructor(private readonly clock: Clock) {
		this.firstAtMs = clock.nowMs();
	}

	/**
	 * Adds a trigger, or updates it.
	 *
	 * @returns what was known of the trigger before; undefined when it is new to this process
	 */
	add(key: string, listener: Omit<Listener, 'stoppedAtMs'>): Listener | undefined {
		const before = this.byKey.get(key);
		this.byKey.set(key, { ...listener });
		return before;
	}

	/** What is known of a trigger that listens. */
	find(key: string): Listener | undefined {
		const known = this.byKey.get(key);
		return known?.stoppedAtMs === undefined ? known : undefined;
	}

	/** Marks that a trigger listens no more. */
	markStopped(key: string): void {
		const listening = this.find(key);
		if (listening) listening.stoppedAtMs = this.clock.nowMs();
	}

	/** The triggers that receive the texts of an account. */
	of(account: string): Listener[] {
		return [...this.byKey.values()].filter(
			(one) => one.account === account && one.stoppedAtMs === undefined,
		);
	}

	/**
	 * Saves the questions of an account with one of its triggers: after a restart, all triggers of the process know them from it.
	 * The others save them with their next execution.
	 */
	async save(account: string): Promise<void> {
		await this.of(account)[0]?.save();
	}

	/**
	 * Whether triggers may be missing that listen in a moment: n8n has just started, or one is being published again.
	 *
	 * @param loadedAtMs when n8n loaded the package
	 */
	mayBeMissing(loadedAtMs: number): boolean {
		const nowMs = this.clock.nowMs();
		const isStart =
			Math.abs(this.firstAtMs - loadedAtMs) < STARTED_WITHIN_MS &&
			Math.abs(nowMs - this.firstAtMs) < ACTIVATED_WITHIN_MS;
		// n8n does not say of a trigger that stops whether it is being published again.
		const isStopping = ({ stoppedAtMs }: Listener) =>
			stoppedAtMs !== undefined && Math.abs(nowMs - stoppedAtMs) < PUBLISHED_AGAIN_WITHIN_MS;
		return isStart || [...this.byKey.values()].some(isStopping);
	}
}
