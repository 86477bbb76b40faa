import type { Clock } from '../clock';

/** A trigger that receives what customers text, and passes answers to the executions that wait for them. */
export type Listener = {
	account: string;
	/** The trigger's credential, whatever its key pair is; absent where it is not known. */
	credential?: string;
	/** Where questions are announced to it; absent when it polls, and has no URL. */
	url?: string;
	/** Saves its questions soon; present where it has no URL and n8n can save between two checks. */
	save?: () => void;
	/** When n8n last called the trigger. */
	seenAtMs: number;
	/** When it stopped listening; absent while it listens. */
	stoppedAtMs?: number;
};

/** A polling trigger without a check for this long counts as stopped, as n8n does not say when such a trigger stops. */
const POLLS_EVERY_MS = 24 * 60 * 60_000;

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
 * listeners.add(nodeKey, { account, url: 'https://n8n.example/webhook/1' });
 * listeners.of(account); // the triggers to which a question is announced
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
	add(
		key: string,
		{ account, credential, url, save }: Omit<Listener, 'seenAtMs' | 'stoppedAtMs'>,
	): Listener | undefined {
		const before = this.byKey.get(key);
		this.byKey.set(key, {
			account,
			seenAtMs: this.clock.nowMs(),
			...(url && { url }),
			...(credential && { credential }),
			...(save && { save }),
		});
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
		const nowMs = this.clock.nowMs();
		return [...this.byKey.values()].filter(
			(one) =>
				one.account === account &&
				one.stoppedAtMs === undefined &&
				(one.url || nowMs - one.seenAtMs < POLLS_EVERY_MS),
		);
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
