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
		const conversation = getOrAdd(this.#byParties, partiesOf(line, contact), () => ({
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

	/** The conversation of a line and a contact, if they have one. */
	find(line: Line, contact: Contact): Conversation | undefined {
		return this.#byParties.get(partiesOf(line, contact));
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

const partiesOf = (line: Line, contact: Contact): string => `${line.handle} ${contact.number}`;
