import type { EventKind } from '../../../nodes/TwoWayMessaging/contract';
import { DELIVERY } from '../../../nodes/TwoWayMessaging/contract';

/** Where events are delivered to (§2.4, §3.3). */
export type Endpoint = {
	readonly id: string;
	readonly url: string;
	secret: string | null;
	events: Set<EventKind>;
	/** Failed attempts ever, success or not in between (§3.3). */
	failures: number;
	isEnabled: boolean;
	readonly createdAtMs: number;
};

/** The registered endpoints, one per address. */
export class Endpoints {
	#byUrl = new Map<string, Endpoint>();

	constructor(private readonly uuid: () => string) {}

	/**
	 * Registers an address and says whether it is new.
	 * assumption: an address that is known is changed and enabled again, its failures forgotten.
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

	/** The endpoints that want events of this kind. */
	subscribedTo(kind: EventKind): Endpoint[] {
		return this.all().filter(({ events }) => events.has(kind));
	}

	/** Every endpoint, the first registered first. */
	all(): Endpoint[] {
		return [...this.#byUrl.values()];
	}
}

/** Counts a failed attempt and disables the endpoint after ten, however far apart (§3.3). */
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
