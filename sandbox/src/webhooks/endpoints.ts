import type { EventKind } from '../../../nodes/TwoWayMessaging/contract';
import { DELIVERY } from '../../../nodes/TwoWayMessaging/contract';

/** A registered URL, to which events are delivered (§2.4, §3.3). */
export type Endpoint = {
	readonly id: string;
	readonly url: string;
	secret: string | null;
	events: Set<EventKind>;
	/** All failed attempts, whether or not others succeeded in between (§3.3). */
	failures: number;
	isEnabled: boolean;
	readonly createdAtMs: number;
};

/** The registered endpoints, one for each URL. */
export class Endpoints {
	#byUrl = new Map<string, Endpoint>();

	constructor(private readonly uuid: () => string) {}

	/**
	 * Registers a URL, and says whether it is new.
	 * assumption: registering a known URL again changes its endpoint, enables it and resets its failures.
	 */
	register(
		registration: { url: string; secret: string | null; events: Set<EventKind> },
		nowMs: number,
	): { endpoint: Endpoint; isNew: boolean } {
		const known = this.#byUrl.get(registration.url);
		if (known) {
			known.secret = registration.secret;
			known.events = registration.events;
			known.failures = 0;
			known.isEnabled = true;
			return { endpoint: known, isNew: false };
		}
		const endpoint: Endpoint = {
			id: this.uuid(),
			...registration,
			failures: 0,
			isEnabled: true,
			createdAtMs: nowMs,
		};
		this.#byUrl.set(endpoint.url, endpoint);
		return { endpoint, isNew: true };
	}

	/** The endpoints that are subscribed to events of this kind. */
	subscribedTo(kind: EventKind): Endpoint[] {
		return this.all().filter(({ events }) => events.has(kind));
	}

	/** Every endpoint, in the order of their registration. */
	all(): Endpoint[] {
		return [...this.#byUrl.values()];
	}
}

/** Counts a failed attempt; the tenth one disables the endpoint, however far apart they are (§3.3). */
export const countFailure = (endpoint: Endpoint): void => {
	endpoint.failures++;
	if (endpoint.failures >= DELIVERY.failuresUntilDisabled) endpoint.isEnabled = false;
};

/** An endpoint as the wire shows it, without its secret. assumption: §2.6 does not show the record. */
export const endpointBody = (endpoint: Endpoint) => ({
	id: endpoint.id,
	url: endpoint.url,
	events: [...endpoint.events],
	status: endpoint.isEnabled ? 'enabled' : 'disabled',
	created_at: new Date(endpoint.createdAtMs).toISOString(),
});
