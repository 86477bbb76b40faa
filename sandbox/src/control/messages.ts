import { MESSAGE_STATUSES } from '../../../nodes/TwoWayMessaging/contract';
import { isE164, readPageSize } from '../fields';
import type { Call } from '../http';
import type { MessageSearch } from '../messageSearch';
import { UnknownHandle, waitForMessages } from '../messageSearch';
import { BadRequest } from '../refusals';
import { controlRow } from '../state/messages';
import type { World } from '../world';

const USUAL_ROWS = 50;
const MOST_ROWS = 500;
const LONGEST_WAIT_MS = 600_000;

/**
 * GET /sandbox/messages?number&from&to&contains&status&conversation_handle&after&limit&before&wait_ms: the messages as they
 * are, newest first, with the next cursor. With `wait_ms` it answers as soon as there is one.
 */
export const messages = async (c: Call, world: World) => {
	const wanted = {
		limit: readPageSize(c, USUAL_ROWS, MOST_ROWS),
		before: c.req.query('before'),
	};
	const waitMs = waitIn(c);
	const signal = waitMs > 0 ? c.req.raw.signal : undefined;
	try {
		const page = await waitForMessages(world, searchIn(c), wanted, waitMs, signal);
		return c.json({
			messages: page.messages.map(controlRow),
			before: page.before?.handle ?? null,
		});
	} catch (cause) {
		if (cause instanceof UnknownHandle) throw new BadRequest(cause.message, cause.field);
		throw cause;
	}
};

const searchIn = (c: Call): MessageSearch => {
	const status = c.req.query('status')?.toUpperCase();
	const known = MESSAGE_STATUSES.find((one) => one === status);
	if (status && !known) {
		throw new BadRequest(`The status must be one of: ${MESSAGE_STATUSES.join(', ')}.`, 'status');
	}
	return {
		number: numberIn(c, 'number'),
		from: numberIn(c, 'from'),
		to: numberIn(c, 'to'),
		contains: c.req.query('contains') || undefined,
		status: known,
		conversation: c.req.query('conversation_handle'),
		after: c.req.query('after'),
	};
};

const numberIn = (c: Call, name: string): string | undefined => {
	// In a query a plus sign is a space, and people forget to write %2B.
	const number = c.req.query(name)?.replace(/^ /, '+');
	if (!number || isE164(number)) return number || undefined;
	throw new BadRequest(
		`The ${name} must be a phone number in international format with a leading +.`,
		name,
	);
};

const waitIn = (c: Call): number => {
	const text = c.req.query('wait_ms') ?? '0';
	if (/^\d{1,6}$/.test(text) && Number(text) <= LONGEST_WAIT_MS) return Number(text);
	throw new BadRequest(
		`The wait_ms must be a whole number from 0 to ${LONGEST_WAIT_MS}.`,
		'wait_ms',
	);
};
