import type { Service } from '../../../nodes/TwoWayMessaging/contract';
import { getOrAdd } from '../getOrAdd';

/** A person who exchanges messages with the organization (§2.6). */
export type Contact = {
	readonly number: string;
	/** Whether the person's device can be reached by iMessage (§1.2). */
	hasIMessage: boolean;
	/** The service that was learned from the person's messages and stays (§2.6). */
	service: Service | null;
	/** Lasts until the person texts START (§1.5). */
	isOptedOut: boolean;
	/** The reason with which the next send to this person fails (§3.1); null when it does not fail. */
	failNext: string | null;
};

/** Contacts by number. Every number has a contact, which is created when it is needed first. */
export class Contacts {
	#byNumber = new Map<string, Contact>();

	/** The contact with this number. */
	get(number: string): Contact {
		return getOrAdd(this.#byNumber, number, () => ({
			number,
			hasIMessage: true,
			service: null,
			isOptedOut: false,
			failNext: null,
		}));
	}
}

/**
 * The channel by which the contact is reached: iMessage where they have it, else SMS. A channel that they have used stays:
 * only an iMessage from them leads from SMS or RCS back to iMessage (§1.2, §2.6).
 */
export const serviceFor = ({ service, hasIMessage }: Contact): Service => {
	if (service === 'SMS' || service === 'RCS') return service;
	return hasIMessage ? 'iMessage' : 'SMS';
};

/** A contact as the control endpoints show it. */
export const contactBody = (contact: Contact) => ({
	number: contact.number,
	imessage: contact.hasIMessage,
	service: contact.service,
	opted_out: contact.isOptedOut,
	fail_next: contact.failNext,
});
