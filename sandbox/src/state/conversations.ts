import { getOrAdd } from '../getOrAdd';
import type { Contact } from './contacts';
import type { Line } from './lines';

/** The messages between one contact and one line (§1.4). */
export type Conversation = {
	readonly handle: string;
	readonly line: Line;
	readonly contact: Contact;
	/** Whether the line's limits have let it start, or its contact wrote first (§8.2). */
	hasStarted: boolean;
};

/** The organization's conversations, by handle, by line and contact, and by their last activity. */
export class Conversations {
	/** In the order of their last activity, the most recent at the end. */
	#byHandle = new Map<string, Conversation>();
	#byParties = new Map<string, Conversation>();
	#lastOf = new Map<Contact, Conversation>();

	constructor(private readonly uuid: () => string) {}

	/** The conversation of a line and a contact, which counts as active now; creates it the first time. */
	between(line: Line, contact: Contact): Conversation {
		const parties = `${line.handle} ${contact.number}`;
		const conversation = getOrAdd(this.#byParties, parties, () => ({
			handle: this.uuid(),
			line,
			contact,
			hasStarted: false,
		}));
		this.#byHandle.delete(conversation.handle);
		this.#byHandle.set(conversation.handle, conversation);
		this.#lastOf.set(contact, conversation);
		return conversation;
	}

	/** The conversation with this handle. */
	get(handle: string): Conversation | undefined {
		return this.#byHandle.get(handle);
	}

	/** The conversation in which this contact was active last. */
	lastOf(contact: Contact): Conversation | undefined {
		return this.#lastOf.get(contact);
	}

	/** How many conversations there are. */
	get count(): number {
		return this.#byHandle.size;
	}

	/** Up to `limit` conversations, those with the most recent activity first. */
	latest(limit: number): Conversation[] {
		return [...this.#byHandle.values()].slice(-limit).reverse();
	}
}
