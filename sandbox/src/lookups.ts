import type { Service } from '../../nodes/TwoWayMessaging/contract';
import type { Clock } from './clock';
import type { Contact } from './state/contacts';
import { serviceFor } from './state/contacts';

const CACHED_MS = 7 * 24 * 3_600_000;

type Lookup = { service: Service; knownFromMs: number };

/** Checks which service a number uses, and keeps the result for seven days (§4.6). */
export class Lookups {
	#byNumber = new Map<string, Lookup>();

	constructor(
		private readonly clock: Clock,
		private readonly checkMs: number,
	) {}

	/** The predicted service of a contact. The first call starts a live check, and it returns null until the check ends. */
	predict(contact: Contact): Service | null {
		const nowMs = this.clock.now();
		let lookup = this.#byNumber.get(contact.number);
		if (!lookup || nowMs >= lookup.knownFromMs + CACHED_MS) {
			// A look-up says iMessage or SMS; who writes by RCS does not get iMessages.
			const service = serviceFor(contact) === 'iMessage' ? 'iMessage' : 'SMS';
			lookup = { service, knownFromMs: nowMs + this.checkMs };
			this.#byNumber.set(contact.number, lookup);
		}
		return nowMs >= lookup.knownFromMs ? lookup.service : null;
	}
}
