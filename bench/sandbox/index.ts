import type { Bench } from '../table';
import { inbound } from './inbound';
import { listeners } from './listeners';
import { pages } from './pages';
import { sends } from './sends';
import { start } from './start';

const PARTS: Bench[] = [start, sends, inbound, pages, listeners];

/** The sandbox by itself: its start, its sends, its inbound messages, its history and its listeners. */
export const sandbox: Bench = {
	conditions: PARTS.flatMap(({ conditions }) => conditions),
	async run() {
		const lines = [];
		for (const part of PARTS) lines.push(...(await part.run()));
		return lines;
	},
};
