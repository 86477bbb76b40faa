import { readPageSize } from '../fields';
import { findPage } from '../historyPage';
import type { Call } from '../http';
import { BadRequest } from '../refusals';
import { messageRecord } from '../state/messages';
import type { World } from '../world';
import { shiftRows } from './shiftRows';

const USUAL_ROWS = 50;

/**
 * GET /v2/messages (§4.5), newest first.
 * assumption: `before` is the cursor that the page before named, or the message_handle of its last row. `limit` sets the
 * page size, 50 by default. The character decides the rest.
 */
export const history = (c: Call, world: World) => {
	const { character } = world;
	const { mostRows, refusesMoreRows, cursors, mostPlacesOff, row, body } = character.history;
	const limit = readPageSize(c, USUAL_ROWS, Infinity);
	if (refusesMoreRows && limit > mostRows) {
		throw new BadRequest(`The limit must not be greater than ${mostRows}.`, 'limit');
	}
	const page = findPage(c, world, Math.min(limit, mostRows), cursors);
	const messages = shiftRows(page.messages, mostPlacesOff, world.settings.randomSeed);
	const rows = messages.map((message) => row(messageRecord(message, character)));
	return c.json(body(rows, page.next));
};
