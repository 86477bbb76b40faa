import { messageTime } from './words.js';

/**
 * Remembers which conversations have a text of the line that the person has not looked at. What is there when the page
 * opens, and after a reset, counts as looked at.
 */
export const createUnread = () => {
	/** The last message of each conversation that has been shown. */
	const lasts = new Map();
	const unread = new Set();
	let sinceMs = null;

	const isNew = ({ conversation_handle: handle, last_message: last }) => {
		if (!last?.is_outbound) return false;
		const known = lasts.get(handle);
		if (known !== undefined) return known !== last.message_handle;
		// "Show more" brings older conversations, which are not new.
		return Date.parse(messageTime(last)) > sinceMs;
	};

	return {
		/** Takes the sandbox's state and the conversation that the person looks at; returns the unread conversations. */
		update({ conversations, now }, lookedAt) {
			const isFirst = sinceMs === null;
			sinceMs ??= Date.parse(now);
			for (const conversation of conversations) {
				const { conversation_handle: handle, last_message: last } = conversation;
				if (!isFirst && isNew(conversation)) unread.add(handle);
				lasts.set(handle, last?.message_handle);
			}
			unread.delete(lookedAt);
			return unread;
		},
		/** Takes a message that the person has seen before the state has it. */
		saw({ conversation_handle: handle, message_handle: message }) {
			lasts.set(handle, message);
		},
		/** Forgets everything, because the sandbox has started over. */
		reset() {
			lasts.clear();
			unread.clear();
			sinceMs = null;
		},
	};
};
