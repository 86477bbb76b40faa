import { REFUSALS } from '../../../nodes/TwoWayMessaging/contract';
import { serviceFor } from '../state/contacts';
import type { Message } from '../state/messages';
import type { Timeline } from '../timeline';

/** How long the device takes, and what it calls when the state of a message changes. */
export type DeviceSettings = {
	sentAfterMs: number;
	deliveredAfterMs: number;
	/** Called when a message has reached the state that the device confirms, SENT or ERROR (§6.1). */
	onFinal: (message: Message) => void;
	onDelivered: (message: Message) => void;
};

/** The device that sends a line's messages: QUEUED → SENT → DELIVERED, or ERROR (§3.1). */
export class Device {
	constructor(
		private readonly timeline: Timeline,
		private readonly settings: DeviceSettings,
	) {}

	/** Sends a queued message, asynchronously (§1.3). */
	send(message: Message): void {
		this.timeline.after(this.settings.sentAfterMs, () => this.#complete(message));
	}

	#complete(message: Message): void {
		const reason = takeReasonToFail(message);
		if (reason !== null) {
			message.status = 'ERROR';
			message.errorMessage = reason;
			message.failedAtMs = this.timeline.now();
			this.settings.onFinal(message);
			return;
		}
		const { contact } = message.conversation;
		contact.service = serviceFor(contact);
		message.service = contact.service;
		message.status = 'SENT';
		message.dateSentMs = this.timeline.now();
		this.settings.onFinal(message);
		this.timeline.after(this.settings.deliveredAfterMs, () => {
			message.status = 'DELIVERED';
			this.settings.onDelivered(message);
		});
	}
}

/**
 * The reason why a message cannot be sent, or null. A failure that was asked for happens once.
 * assumption: when the contact opts out or the line is blocked after the 201, the message ends in ERROR with the
 * sentence of §7.
 */
const takeReasonToFail = ({ conversation: { contact, line } }: Message): string | null => {
	if (contact.isOptedOut) return REFUSALS.optedOut;
	if (!line.isActive) return REFUSALS.unknownLine;
	if (line.blockedAtMs !== null) return REFUSALS.lineBlocked;
	const reason = contact.failNext;
	contact.failNext = null;
	return reason;
};
