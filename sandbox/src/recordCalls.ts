import type { MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { CallLog } from './callLog';
import { isConnectionCut, type Call, type Env } from './http';

/** Records every call to the service in the log. A call that is under way at a reset stays in the old log. */
export const recordCalls =
	(calls: () => CallLog): MiddlewareHandler<Env> =>
	async (c, next) => {
		const log = calls();
		const call = log.begin(c);
		const started = performance.now();
		const durationMs = () => Math.round((performance.now() - started) * 10) / 10;
		const answered = captureJson(c);
		// Who hangs up in the middle of a body leaves it unread for good, so that there is never an answer.
		c.env?.outgoing?.once('close', () => log.endUnanswered(call, c, durationMs()));
		await next();
		const text = answered.response === c.res ? answered.text : await readAnswer(c);
		log.end(call, c, text, durationMs());
	};

/** Keeps the text of a JSON answer when it is made, because reading it from the response costs much more. */
const captureJson = (c: Call) => {
	const answered: { response: Response | null; text: string } = { response: null, text: '' };
	c.json = ((value: unknown, status?: ContentfulStatusCode) => {
		answered.text = JSON.stringify(value);
		answered.response = c.body(answered.text, status, { 'content-type': 'application/json' });
		return answered.response;
	}) as Call['json'];
	return answered;
};

/** Reads the text of any other answer. That consumes it, so a new answer with the same content replaces it. */
const readAnswer = async (c: Call): Promise<string | null> => {
	const type = c.res.headers.get('content-type') ?? '';
	if (isConnectionCut(c.res) || !/json|^text\//.test(type)) return null;
	const { status, headers } = c.res;
	const text = await c.res.text();
	c.res = undefined;
	c.res = new Response(text, { status, headers });
	return text;
};
