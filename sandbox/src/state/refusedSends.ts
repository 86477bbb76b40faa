import { BoundedLog } from '../boundedLog';
import { isoTime } from '../isoTime';
import type { Conversation } from './conversations';
import type { Line } from './lines';

/** A send that the service refused (§7), as it was asked for. */
export type NewRefusal = {
	/** Where the message would stand; null for a customer without a conversation. */
	conversation: Conversation | null;
	number: string;
	/** The handle of the line that was to send, null for any, and the line, if there is one with it. */
	lineHandle: string | null;
	line: Line | null;
	content: string;
	mediaUrl: string | null;
	/** The service's sentence. */
	reason: string;
	atMs: number;
};

type RefusedSend = NewRefusal & { readonly id: string };

const KEPT = 1_000;

/** The sends that the service refused, which its history does not have. The oldest are forgotten. */
export class RefusedSends {
	#log = new BoundedLog<RefusedSend>(KEPT);
	#lastOf = new Map<Conversation, RefusedSend>();
	#count = 0;

	add(refusal: NewRefusal): void {
		const refused = { ...refusal, id: `refused_${++this.#count}` };
		this.#log.add(refused);
		if (refused.conversation) this.#lastOf.set(refused.conversation, refused);
	}

	/** The last one of a conversation. */
	lastOf(conversation: Conversation): RefusedSend | undefined {
		return this.#lastOf.get(conversation);
	}

	/** Up to `limit` of one conversation or of all, newest first. */
	latest(limit: number, conversationHandle?: string): RefusedSend[] {
		const all = this.#log.latest(KEPT);
		const wanted = conversationHandle
			? all.filter(({ conversation }) => conversation?.handle === conversationHandle)
			: all;
		return wanted.slice(0, limit);
	}
}

/** A refused send as the control endpoints show it. */
export const refusedSendBody = (refused: RefusedSend) => ({
	id: refused.id,
	at: isoTime(refused.atMs),
	conversation_handle: refused.conversation?.handle ?? null,
	line_handle: refused.lineHandle,
	line_label: refused.line?.label ?? null,
	to: refused.number,
	content: refused.content,
	media_url: refused.mediaUrl,
	reason: refused.reason,
});
