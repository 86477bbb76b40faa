import type { Service } from '../../nodes/TwoWayMessaging/contract';
import { PREFIXES } from '../../nodes/TwoWayMessaging/contract';
import { Calls } from './calls';
import type { Changes } from './changes';
import { Faults } from './faults';
import { RequestLimiter } from './limits';
import { Lookups } from './lookups';
import { MediaStore } from './mediaStore';
import type { Settings } from './options';
import { Device } from './routing/device';
import { consentIn } from './routing/optOut';
import { Pacing } from './routing/pacing';
import type { Contact } from './state/contacts';
import { Contacts } from './state/contacts';
import { Conversations } from './state/conversations';
import type { Line } from './state/lines';
import { Lines } from './state/lines';
import type { Message } from './state/messages';
import { Messages } from './state/messages';
import { Deliveries } from './webhooks/deliveries';
import { Endpoints } from './webhooks/endpoints';
import type { Happening } from './webhooks/events';
import { eventOf } from './webhooks/events';

/** What arrives on a line from a contact (§1.4). */
export type Inbound = {
	line: Line;
	contact: Contact;
	content: string;
	mediaUrl: string | null;
	/** The channel the contact wrote by; null: by iMessage where the device has it, else by SMS. */
	service: Service | null;
};

/** What a request to send comes down to once it is accepted (§4.1). */
export type Outbound = { line: Line; contact: Contact; content: string; mediaUrl: string | null };

/** One organization from its provisioning to the next reset: its state, and what happens in it by itself. */
export class World {
	readonly lines: Lines;
	readonly contacts = new Contacts();
	readonly conversations: Conversations;
	readonly messages: Messages;
	readonly endpoints: Endpoints;
	readonly deliveries: Deliveries;
	readonly calls: Calls;
	readonly limiter: RequestLimiter;
	readonly lookups: Lookups;
	readonly media: MediaStore;
	readonly faults = new Faults();
	readonly pacing: Pacing;

	constructor(
		readonly settings: Settings,
		readonly changes: Changes,
	) {
		const { clock, uuid } = settings;
		this.lines = new Lines(settings.lines);
		this.conversations = new Conversations(uuid);
		this.messages = new Messages(uuid);
		this.endpoints = new Endpoints(uuid);
		this.deliveries = new Deliveries(clock, settings, () => changes.publish({ type: 'delivery' }));
		this.calls = new Calls(clock, settings, changes);
		this.limiter = new RequestLimiter(clock, settings.requestLimits, settings.windowMs);
		this.lookups = new Lookups(clock, settings.lookupAfterMs);
		this.media = new MediaStore(uuid);
		const device = new Device(clock, {
			sentAfterMs: settings.sentAfterMs,
			deliveredAfterMs: settings.deliveredAfterMs,
			onFinal: (message) => {
				changes.publish({ type: 'message' });
				this.#announce({ kind: 'outbound', message });
			},
			onDelivered: () => changes.publish({ type: 'message' }),
		});
		this.pacing = new Pacing(clock, (message) => device.send(message));
	}

	/** Takes a message that may be sent: it is QUEUED, and the rest happens by itself (§1.3). */
	accept({ line, contact, content, mediaUrl }: Outbound): Message {
		const message = this.messages.add({
			conversation: this.conversations.between(line, contact),
			isOutbound: true,
			content,
			mediaUrl,
			status: 'QUEUED',
			service: null,
			dateSentMs: null,
		});
		this.pacing.admit(message);
		this.changes.publish({ type: 'message' });
		return message;
	}

	/** Receives a contact's message: RECEIVED, threaded, its keywords obeyed, its event sent (§1.4, §1.5). */
	receive({ line, contact, content, mediaUrl, service }: Inbound): Message {
		const conversation = this.conversations.between(line, contact);
		contact.service = service ?? (contact.hasIMessage ? 'iMessage' : 'SMS');
		const consent = consentIn(content);
		if (consent) contact.isOptedOut = consent === 'out';
		const message = this.messages.add({
			conversation,
			isOutbound: false,
			content,
			mediaUrl,
			status: 'RECEIVED',
			service: contact.service,
			dateSentMs: this.settings.clock.now(),
		});
		this.pacing.begin(conversation);
		this.changes.publish({ type: 'message' });
		this.#announce({ kind: 'receive', message });
		return message;
	}

	/** Blocks a line; says whether it was not blocked already (§3.2). */
	block(line: Line, reason: string): boolean {
		if (line.blockedAtMs !== null) return false;
		line.blockedAtMs = this.settings.clock.now();
		line.blockReason = reason;
		this.changes.publish({ type: 'line' });
		this.#announce({ kind: 'line_blocked', line });
		return true;
	}

	/** Lifts a line's block; says whether there was one (§3.2). */
	unblock(line: Line): boolean {
		if (line.blockedAtMs === null) return false;
		line.blockedAtMs = null;
		line.blockReason = null;
		this.changes.publish({ type: 'line' });
		this.#announce({ kind: 'line_unblocked', line });
		return true;
	}

	/** Ends everything that would still happen by itself. */
	close(): void {
		this.deliveries.close();
		this.settings.clock.reset();
	}

	#announce(happening: Happening): void {
		const endpoints = this.endpoints.subscribedTo(happening.kind);
		if (endpoints.length === 0) return;
		const { uuid, clock, eventForm } = this.settings;
		const event = eventOf(happening, `${PREFIXES.event}${uuid()}`, clock.now(), eventForm);
		for (const endpoint of endpoints) this.deliveries.deliver(event, endpoint);
	}
}
