import type { Contact } from './contacts';
import type { Line } from './lines';

/** The thread of one contact on one line (§1.4). */
export type Conversation = {
	readonly handle: string;
	readonly line: Line;
	readonly contact: Contact;
	/** False until the line's limits let it begin, or the contact wrote first (§8.2). */
	hasBegun: boolean;
};

/** Conversations by handle, by line and contact, and by who was last active in them. */
export class Conversations {
	/** The last active one at the end. */
	#byHandle = new Map<string, Conversation>();
	#byParties = new Map<string, Conversation>();
	#lastOf = new Map<Contact, Conversation>();

	constructor(private readonly uuid: () => string) {}

	/** The conversation of this line and contact, just active; it begins to exist where there was none. */
	between(line: Line, contact: Contact): Conversation {
		const parties = `${line.handle} ${contact.number}`;
		let conversation = this.#byParties.get(parties);
		if (!conversation) {
			conversation = { handle: this.uuid(), line, contact, hasBegun: false };
			this.#byParties.set(parties, conversation);
		}
		this.#byHandle.delete(conversation.handle);
		this.#byHandle.set(conversation.handle, conversation);
		this.#lastOf.set(contact, conversation);
		return conversation;
	}

	/** The conversation with this handle. */
	get(handle: string): Conversation | undefined {
		return this.#byHandle.get(handle);
	}

	/** The conversation this contact was last active in. */
	lastOf(contact: Contact): Conversation | undefined {
		return this.#lastOf.get(contact);
	}

	/** How many there are. */
	get count(): number {
		return this.#byHandle.size;
	}

	/** Up to `limit` conversations, the last active first. */
	latest(limit: number): Conversation[] {
		return [...this.#byHandle.values()].slice(-limit).reverse();
	}
}
