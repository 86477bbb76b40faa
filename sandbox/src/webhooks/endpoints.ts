import type { EventKind } from '../../../nodes/TwoWayMessaging/contract';
import { DELIVERY } from '../serviceFacts';
import { isoTime } from '../isoTime';

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

/** What a registration asks for (§2.4). */
export type Registration = Pick<Endpoint, 'url' | 'secret' | 'events'>;

/** A registration as it stands in a file. */
export type KeptRegistration = { url: string; secret?: string; events: EventKind[] };

/** Keeps registrations beyond the life of a sandbox, as the service keeps them. */
export type RegistrationKeeper = {
	/** The registrations with which a sandbox begins, after a reset too. */
	kept(): KeptRegistration[];
	/** Called when the service has taken a registration, before it answers. */
	keep(registration: KeptRegistration): void;
	/** Called when a person has removed a webhook. */
	forget(registration: KeptRegistration): void;
};

/** A registration from a file. */
export const registrationFrom = ({ url, secret, events }: KeptRegistration): Registration => ({
	url,
	secret: secret ?? null,
	events: new Set(events),
});

/** A registration for a file. */
export const keptRegistration = ({ url, secret, events }: Registration): KeptRegistration => ({
	url,
	...(secret !== null && { secret }),
	events: [...events],
});

/**
 * What registering a known URL again does (§4.7 does not show it).
 * assumption: with `onePerUrl` it changes the endpoint, enables it and resets its failures. With `onePerRegistration`
 * it adds another endpoint, so that the URL gets every event once for each; the very same registration is refused while
 * its endpoint is enabled. With `onceEver` it is refused, and changes nothing.
 */
export type RegistrationRule = 'onePerUrl' | 'onePerRegistration' | 'onceEver';

/** What has become of a registration. */
export type RegistrationResult =
	{ outcome: 'added' | 'changed'; endpoint: Endpoint } | { outcome: 'known' };

/** The registered endpoints. */
export class Endpoints {
	#all: Endpoint[] = [];
	#secrets = new Set<string>();

	constructor(private readonly uuid: () => string) {}

	/** Registers a URL, by the rule for one that is registered already. */
	register(registration: Registration, nowMs: number, rule: RegistrationRule): RegistrationResult {
		const known = this.#all.filter(({ url }) => url === registration.url);
		switch (rule) {
			case 'onePerUrl': {
				const endpoint = known.at(-1);
				if (!endpoint) break;
				Object.assign(endpoint, registration, { failures: 0, isEnabled: true });
				this.#keepSecret(registration);
				return { outcome: 'changed', endpoint };
			}
			case 'onePerRegistration': {
				const isKnown = known.some((one) => one.isEnabled && isSameRegistration(one, registration));
				if (!isKnown) break;
				return { outcome: 'known' };
			}
			case 'onceEver':
				if (known.length > 0) return { outcome: 'known' };
		}
		return { outcome: 'added', endpoint: this.add(registration, nowMs) };
	}

	/** Adds an endpoint, enabled and without failures. */
	add(registration: Registration, nowMs: number): Endpoint {
		const { url, secret, events } = registration;
		this.#keepSecret(registration);
		const endpoint = {
			id: this.uuid(),
			url,
			secret,
			events,
			failures: 0,
			isEnabled: true,
			createdAtMs: nowMs,
		};
		this.#all.push(endpoint);
		return endpoint;
	}

	/** Removes an endpoint, which gets nothing any more; returns it, or undefined where there is none with this id. */
	remove(id: string): Endpoint | undefined {
		const endpoint = this.#all.find((one) => one.id === id);
		if (!endpoint) return undefined;
		endpoint.isEnabled = false;
		this.#all = this.#all.filter((one) => one !== endpoint);
		return endpoint;
	}

	/** The endpoints that are subscribed to events of this kind. */
	subscribedTo(kind: EventKind): Endpoint[] {
		return this.#all.filter(({ events }) => events.has(kind));
	}

	/** The signing secrets that were ever registered. */
	secrets(): string[] {
		return [...this.#secrets];
	}

	/** Every endpoint, in the order of their registration. */
	all(): Endpoint[] {
		return [...this.#all];
	}

	#keepSecret({ secret }: Registration): void {
		if (secret !== null) this.#secrets.add(secret);
	}
}

/** Counts a failed attempt; the tenth one disables the endpoint, however far apart they are (§3.3). */
export const countFailure = (endpoint: Endpoint): void => {
	endpoint.failures++;
	if (endpoint.failures >= DELIVERY.failuresUntilDisabled) endpoint.isEnabled = false;
};

const isSameRegistration = (one: Registration, other: Registration): boolean =>
	one.secret === other.secret &&
	one.events.size === other.events.size &&
	[...one.events].every((kind) => other.events.has(kind));

/** Everything that can be said about an endpoint without its secret, in the wire's spelling (§2.6 does not show it). */
export type EndpointRecord = {
	id: string;
	url: string;
	events: EventKind[];
	status: 'enabled' | 'disabled';
	created_at: string;
};

/** The record of an endpoint, by a clock that may be behind the sandbox's. */
export const endpointRecord = (endpoint: Endpoint, clockBehindMs = 0): EndpointRecord => ({
	id: endpoint.id,
	url: endpoint.url,
	events: [...endpoint.events],
	status: endpoint.isEnabled ? 'enabled' : 'disabled',
	created_at: isoTime(endpoint.createdAtMs, clockBehindMs),
});
