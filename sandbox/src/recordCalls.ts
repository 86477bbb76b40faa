import type { MiddlewareHandler } from 'hono';
import type { CallLog } from './callLog';
import { isConnectionCut, type Call, type Env } from './http';
import { JsonAnswers } from './jsonAnswers';

/** A longer body that nobody has read stays unread. */
const MOST_UNREAD_BYTES = 8_000;

/** Records every call to the service in the log. A call that is under way at a reset stays in the old log. */
export const recordCalls =
	(calls: () => CallLog): MiddlewareHandler<Env> =>
	async (c, next) => {
		const log = calls();
		const call = log.begin(c);
		const started = performance.now();
		const durationMs = () => Math.round((performance.now() - started) * 10) / 10;
		const answers = new JsonAnswers(c);
		// Who hangs up in the middle of a body leaves it unread for good, so that there is never an answer.
		c.env?.outgoing?.once('close', () => log.endUnanswered(call, c, durationMs()));
		await next();
		await readUnread(c);
		const { headers, text } = answers.settle() ?? (await readAnswer(c));
		const answer = isConnectionCut(c.res) ? null : { status: c.res.status, headers, text };
		log.end(call, c, answer, durationMs());
	};

/** Reads what a call was about that was refused before anybody had read it, so that the log can say it. */
const readUnread = async (c: Call): Promise<void> => {
	const isShort = Number(c.req.header('content-length')) <= MOST_UNREAD_BYTES;
	const isJson = c.req.header('content-type')?.includes('json') === true;
	if (!isShort || !isJson || c.req.raw.bodyUsed || isConnectionCut(c.res)) return;
	c.set('bodyText', await c.req.text().catch(() => ''));
};

/** Reads the headers and the text of an answer. That consumes it, so a new answer with the same content replaces it. */
const readAnswer = async (c: Call) => {
	const headers = Object.fromEntries(c.res.headers);
	if (isConnectionCut(c.res) || !/json|^text\//.test(headers['content-type'] ?? '')) {
		return { headers, text: null };
	}
	const { status } = c.res;
	const text = await c.res.text();
	c.res = undefined;
	c.res = new Response(text, { status, headers });
	return { headers, text };
};
