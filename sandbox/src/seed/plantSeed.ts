import { consentIn } from '../routing/optOut';
import { serviceFor } from '../state/contacts';
import type { World } from '../world';
import type { Seed, SeedTime } from './seed';
import { SeedRefusal } from './seed';

/**
 * Puts a seed's contacts and history into a world that has just begun. Nothing is sent, no event fires, and no limit
 * counts what was before the beginning.
 *
 * @param beganMs when the sandbox started: after a reset the history has its old times, as n8n would take later ones for new texts
 * @throws SeedRefusal where the history names a line that the world does not have, or is of a time after the beginning
 */
export const plantSeed = (world: World, { contacts, messages }: Seed, beganMs: number): void => {
	const timeOf = (time: SeedTime) => ('atMs' in time ? time.atMs : beganMs - time.agoMs);
	for (const { number, hasIMessage, service } of contacts) {
		const contact = world.contacts.get(number);
		contact.hasIMessage = hasIMessage;
		contact.service = service;
	}

	const inOrder = messages
		.map((message) => ({ ...message, atMs: timeOf(message.time) }))
		.sort((one, other) => one.atMs - other.atMs);
	for (const { lineNumber, contactNumber, atMs, ...message } of inOrder) {
		const line = world.lines.withNumber(lineNumber);
		if (!line)
			throw new SeedRefusal(`The seed has messages of the line ${lineNumber}, which there is not.`);
		if (atMs > beganMs) {
			const time = new Date(atMs).toISOString();
			throw new SeedRefusal(
				`The seed has a message of ${contactNumber} at ${time}, which is after the sandbox's beginning.`,
			);
		}
		const contact = world.contacts.get(contactNumber);
		const conversation = world.conversations.between(line, contact);
		conversation.hasStarted = true;
		const hasFailed = message.status === 'ERROR';
		const service = hasFailed ? null : (message.service ?? serviceFor(contact));
		if (!message.isOutbound) {
			contact.service = service;
			const consent = consentIn(message.content);
			if (consent) contact.isOptedOut = consent === 'out';
		}
		const added = world.messages.add({
			conversation,
			isOutbound: message.isOutbound,
			content: message.content,
			mediaUrl: message.mediaUrl,
			status: message.status,
			service,
			createdAtMs: atMs,
			dateSentMs: hasFailed ? null : atMs,
		});
		added.errorMessage = message.errorMessage;
		added.failedAtMs = hasFailed ? atMs : null;
	}

	for (const { number, isOptedOut } of contacts) {
		const contact = world.contacts.get(number);
		contact.isOptedOut = isOptedOut ?? contact.isOptedOut;
	}
};
