import type { Message } from '../state/messages';

/**
 * Puts the rows of a page a little out of order: each at most `mostPlaces` away from its place. The same rows of the
 * same page are always in the same order.
 */
export const shiftRows = (messages: Message[], mostPlaces: number, seed: number): Message[] => {
	if (mostPlaces === 0) return messages;
	return messages
		.map((message, place) => ({
			message,
			// Two rows change places only if they are less than this far apart.
			place: place + (mostPlaces + 1) * drawn(message.position, seed),
		}))
		.sort((one, other) => one.place - other.place)
		.map(({ message }) => message);
};

/** A number from 0 up to, but not including, 1, which depends on the position and the seed alone. */
const drawn = (position: number, seed: number): number => {
	let mixed = Math.imul(position + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b);
	mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
	return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
};
