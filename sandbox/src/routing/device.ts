import type { Service } from '../../../nodes/TwoWayMessaging/contract';
import { REFUSALS } from '../../../nodes/TwoWayMessaging/contract';
import type { Clock } from '../clock';
import type { Contact } from '../state/contacts';
import type { Message } from '../state/messages';

/** How long the device takes (milliseconds) and who is told when a message's state changes. */
export type DeviceSettings = {
	sentAfterMs: number;
	deliveredAfterMs: number;
	/** The message reached a state the device confirms, SENT or ERROR (§6.1). */
	onFinal: (message: Message) => void;
	onDelivered: (message: Message) => void;
};

/** The sending device of a line: QUEUED → SENT → DELIVERED, or ERROR (§3.1). */
export class Device {
	constructor(
		private readonly clock: Clock,
		private readonly settings: DeviceSettings,
	) {}

	/** Sends a queued message, asynchronously (§1.3). */
	send(message: Message): void {
		this.clock.after(this.settings.sentAfterMs, () => this.#handOff(message));
	}

	#handOff(message: Message): void {
		const reason = reasonToFail(message);
		if (reason !== null) {
			message.status = 'ERROR';
			message.errorMessage = reason;
			this.settings.onFinal(message);
			return;
		}
		message.service = route(message.conversation.contact);
		message.status = 'SENT';
		message.dateSentMs = this.clock.now();
		this.settings.onFinal(message);
		this.clock.after(this.settings.deliveredAfterMs, () => {
			message.status = 'DELIVERED';
			this.settings.onDelivered(message);
		});
	}
}

/**
 * Why a message cannot be handed off, if so; a failure asked for is used up.
 * assumption: what changed between the 201 and the device (a STOP, a block) ends in ERROR with the words of §7.
 */
const reasonToFail = ({ conversation: { contact, line } }: Message): string | null => {
	if (contact.isOptedOut) return REFUSALS.optedOut;
	if (!line.isActive) return REFUSALS.unknownLine;
	if (line.blockedAtMs !== null) return REFUSALS.lineBlocked;
	const reason = contact.failNext;
	contact.failNext = null;
	return reason;
};

/**
 * The channel for this contact: iMessage where it can be had, else once to SMS; what was learned sticks, and
 * nothing leads from SMS back to iMessage but the contact's own iMessage (§1.2, §2.6).
 */
const route = (contact: Contact): Service => {
	if (contact.service === 'SMS' || contact.service === 'RCS') return contact.service;
	contact.service = contact.hasIMessage ? 'iMessage' : 'SMS';
	return contact.service;
};
