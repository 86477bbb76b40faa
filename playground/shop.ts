import { statSync } from 'node:fs';
import { readSeedFile, SHOP_SEED_FILE, type Seed } from '../sandbox/src';

/**
 * The conversations of a small shop, so that no start shows an empty phone. They are as old as the account, which the first
 * start draws: a workflow that is published later takes none of them for a text that it has missed. The shop's key pairs
 * are left out: only the playground's own is accepted.
 */
export const shopOf = (accountFile: string): Seed => {
	const { messages, ...seed } = readSeedFile(SHOP_SEED_FILE);
	const firstStartMs = statSync(accountFile).mtimeMs;
	return {
		...seed,
		keyPairs: [],
		messages: messages.map((message) => ({
			...message,
			time: 'agoMs' in message.time ? { atMs: firstStartMs - message.time.agoMs } : message.time,
		})),
	};
};
