import { readPageSize } from '../fields';
import { findPage } from '../historyPage';
import type { Call } from '../http';
import { controlRow } from '../state/messages';
import type { World } from '../world';

const USUAL_ROWS = 50;
const MOST_ROWS = 500;

/** GET /sandbox/messages?limit&before&conversation_handle: the history as it is, newest first, with the next cursor. */
export const messages = (c: Call, world: World) => {
	const page = findPage(c, world, readPageSize(c, USUAL_ROWS, MOST_ROWS), 'handle');
	return c.json({ messages: page.messages.map(controlRow), before: page.next });
};
