import type { Service } from '../../../nodes/TwoWayMessaging/contract';

/** A person the organization writes with (§2.6). */
export type Contact = {
	readonly number: string;
	/** Whether the person's device can be reached by iMessage (§1.2). */
	hasIMessage: boolean;
	/** The sticky service, learned from real traffic (§2.6). */
	service: Service | null;
	/** Durable: only the person's own START ends it (§1.5). */
	isOptedOut: boolean;
	/** Reason with which the next send to this person fails (§3.1); null when it does not. */
	failNext: string | null;
};

/** Contacts by number; one exists as soon as it is first asked for. */
export class Contacts {
	#byNumber = new Map<string, Contact>();

	/** The contact with this number. */
	get(number: string): Contact {
		let contact = this.#byNumber.get(number);
		if (!contact) {
			contact = {
				number,
				hasIMessage: true,
				service: null,
				isOptedOut: false,
				failNext: null,
			};
			this.#byNumber.set(number, contact);
		}
		return contact;
	}
}

/** A contact as the control endpoints show it. */
export const contactBody = (contact: Contact) => ({
	number: contact.number,
	imessage: contact.hasIMessage,
	service: contact.service,
	opted_out: contact.isOptedOut,
	fail_next: contact.failNext,
});
