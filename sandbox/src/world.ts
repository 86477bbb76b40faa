import type { Service } from '../../nodes/TwoWayMessaging/contract';
import { PREFIXES } from '../../nodes/TwoWayMessaging/contract';
import type { Character } from './characters/character';
import type { CharacterName } from './characters/characters';
import { CHARACTERS } from './characters/characters';
import { CallLog } from './callLog';
import type { Changes } from './changes';
import { Faults } from './faults';
import { Lookups } from './lookups';
import { MediaStore } from './mediaStore';
import type { Settings } from './options';
import { RequestLimiter } from './requestLimiter';
import { ConversationLimiter } from './routing/conversationLimiter';
import { Device } from './routing/device';
import { consentIn } from './routing/optOut';
import { plantSeed } from './seed/plantSeed';
import type { Contact } from './state/contacts';
import { Contacts } from './state/contacts';
import { Conversations } from './state/conversations';
import type { Line } from './state/lines';
import { Lines } from './state/lines';
import type { Message } from './state/messages';
import { Messages } from './state/messages';
import { RefusedSends } from './state/refusedSends';
import { Timeline } from './timeline';
import { Deliveries } from './webhooks/deliveries';
import { Endpoints, registrationFrom } from './webhooks/endpoints';
import type { EventSubject } from './webhooks/events';
import { composeEvent } from './webhooks/events';

/** A message from a contact to a line (§1.4). */
export type Inbound = {
	line: Line;
	contact: Contact;
	content: string;
	mediaUrl: string | null;
	/** The channel that the contact used; null means iMessage where the contact has it, else SMS. */
	service: Service | null;
};

/** An accepted request to send a message (§4.1). */
export type Outbound = { line: Line; contact: Contact; content: string; mediaUrl: string | null };

/** A request to send that is refused, with the service's sentence (§7). */
export type Refused = Omit<Outbound, 'line'> & { lineHandle: string | null; reason: string };

/** One organization until the next reset: its state, and everything that happens in it by itself. */
export class World {
	readonly lines: Lines;
	readonly contacts = new Contacts();
	readonly conversations: Conversations;
	readonly messages: Messages;
	readonly refusedSends = new RefusedSends();
	readonly endpoints: Endpoints;
	readonly deliveries: Deliveries;
	readonly calls: CallLog;
	readonly limiter: RequestLimiter;
	readonly lookups: Lookups;
	readonly media: MediaStore;
	readonly faults: Faults;
	readonly conversationLimiter: ConversationLimiter;
	readonly #timeline: Timeline;
	#characterName: CharacterName;

	constructor(
		readonly settings: Settings,
		readonly changes: Changes,
		/** When the sandbox started; a reset does not change it. */
		startedMs: number,
	) {
		const { clock, uuid } = settings;
		this.#timeline = new Timeline(clock);
		this.#characterName = settings.character;
		this.faults = new Faults(settings.randomSeed);
		this.lines = new Lines(settings.lines, clock.now());
		this.conversations = new Conversations(uuid);
		this.messages = new Messages(uuid);
		this.endpoints = new Endpoints(uuid);
		this.deliveries = new Deliveries(this.#timeline, settings, {
			clockBehindMs: () => this.character.clockBehindMs,
			signatureHeader: () => this.character.signatureHeader,
			onChange: () => changes.publish({ type: 'delivery' }),
		});
		this.calls = new CallLog(clock, settings, changes, () => this.endpoints.secrets());
		this.limiter = new RequestLimiter(clock, settings.requestLimits, settings.windowMs);
		this.lookups = new Lookups(clock, settings.lookupAfterMs);
		this.media = new MediaStore(uuid);
		const device = new Device(this.#timeline, {
			sentAfterMs: settings.sentAfterMs,
			deliveredAfterMs: settings.deliveredAfterMs,
			onFinal: (message) => {
				changes.publish({ type: 'message' });
				this.#announce({ kind: 'outbound', message });
			},
			onDelivered: () => changes.publish({ type: 'message' }),
		});
		this.conversationLimiter = new ConversationLimiter(this.#timeline, (message) =>
			device.send(message),
		);
		for (const kept of settings.registrations?.kept() ?? []) {
			this.endpoints.add(registrationFrom(kept), clock.now());
		}
		if (settings.seed) plantSeed(this, settings.seed, startedMs);
	}

	/** What the service does where the document is silent. */
	get character(): Character {
		return CHARACTERS[this.#characterName];
	}

	get characterName(): CharacterName {
		return this.#characterName;
	}

	/** Gives the service another character. What it shows from now on follows it, older messages included. */
	changeCharacter(name: CharacterName): void {
		this.#characterName = name;
		this.changes.publish({ type: 'character' });
	}

	/** Takes a message that may be sent: it is QUEUED now, and is sent and delivered by itself (§1.3). */
	accept({ line, contact, content, mediaUrl }: Outbound): Message {
		const message = this.messages.add({
			conversation: this.conversations.between(line, contact),
			isOutbound: true,
			content,
			mediaUrl,
			status: 'QUEUED',
			service: null,
			createdAtMs: this.settings.clock.now(),
			dateSentMs: null,
		});
		this.conversationLimiter.admit(message);
		this.changes.publish({ type: 'message' });
		return message;
	}

	/** Remembers a send that was refused, for the conversation in which the customer would have got the message. */
	refuse({ contact, lineHandle, ...asked }: Refused): void {
		const line = this.lines.get(lineHandle ?? '');
		const conversation =
			(line && this.conversations.find(line, contact)) ?? this.conversations.lastOf(contact);
		this.refusedSends.add({
			...asked,
			conversation: conversation ?? null,
			number: contact.number,
			lineHandle,
			line: line ?? null,
			atMs: this.settings.clock.now(),
		});
		this.changes.publish({ type: 'refusal' });
	}

	/** Receives a contact's message: puts it into its conversation, obeys STOP and START, sends its event (§1.4, §1.5). */
	receive({ line, contact, content, mediaUrl, service }: Inbound): Message {
		const conversation = this.conversations.between(line, contact);
		contact.service = service ?? (contact.hasIMessage ? 'iMessage' : 'SMS');
		const consent = consentIn(content);
		if (consent) contact.isOptedOut = consent === 'out';
		const nowMs = this.settings.clock.now();
		const message = this.messages.add({
			conversation,
			isOutbound: false,
			content,
			mediaUrl,
			status: 'RECEIVED',
			service: contact.service,
			createdAtMs: nowMs,
			dateSentMs: nowMs,
		});
		this.conversationLimiter.start(conversation);
		this.changes.publish({ type: 'message' });
		this.#announce({ kind: 'receive', message });
		return message;
	}

	/** Blocks a line (§3.2); returns false when it is blocked already. */
	block(line: Line, reason: string): boolean {
		if (line.blockedAtMs !== null) return false;
		line.blockedAtMs = this.settings.clock.now();
		line.blockReason = reason;
		this.changes.publish({ type: 'line' });
		this.#announce({ kind: 'line_blocked', line });
		return true;
	}

	/** Unblocks a line (§3.2); returns false when it is not blocked. */
	unblock(line: Line): boolean {
		if (line.blockedAtMs === null) return false;
		line.blockedAtMs = null;
		line.blockReason = null;
		this.changes.publish({ type: 'line' });
		this.#announce({ kind: 'line_unblocked', line });
		return true;
	}

	/**
	 * Lets `ms` pass at once, and everything happen that becomes due on the way.
	 *
	 * @returns false when the world was closed before the time had come
	 * @throws BeyondEndOfTime
	 */
	async advance(ms: number): Promise<boolean> {
		return await this.#timeline.advance(ms, this.deliveries);
	}

	/** Cancels everything that would still happen by itself. */
	close(): void {
		this.deliveries.close();
		this.#timeline.close();
	}

	#announce(subject: EventSubject): void {
		const endpoints = this.endpoints.subscribedTo(subject.kind);
		if (endpoints.length === 0) return;
		const { uuid, clock, eventForm } = this.settings;
		const event = composeEvent(subject, {
			id: `${PREFIXES.event}${uuid()}`,
			nowMs: clock.now(),
			form: eventForm,
			character: this.character,
		});
		for (const endpoint of endpoints) this.deliveries.deliver(event, endpoint);
	}
}
