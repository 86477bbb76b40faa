import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isConnectionCut, type Call } from './http';

/** An answer in JSON with its headers by name. */
type JsonAnswer = { response: Response; headers: Record<string, string>; text: string };

/**
 * Makes the JSON answers of a call from a plain record of headers, and keeps the newest one as it was made. A `Headers`
 * object, and reading from a response what was put into it, cost more than the rest of a send.
 */
export class JsonAnswers {
	#headers: Record<string, string> = {};
	#newest: JsonAnswer | null = null;

	/** Takes over the call's `header` and `json`. Names of headers are in lower case. */
	constructor(private readonly call: Call) {
		call.header = ((name: string, value: string) => {
			this.#headers[name] = value;
		}) as Call['header'];
		call.json = ((value: unknown, status?: ContentfulStatusCode) => {
			const headers = { ...this.#headers, 'content-type': 'application/json' };
			const text = JSON.stringify(value);
			this.#newest = { response: new Response(text, { status, headers }), headers, text };
			return this.#newest.response;
		}) as Call['json'];
	}

	/** The call's answer, if it is in JSON. Another answer is given the headers. */
	settle(): JsonAnswer | null {
		const { res } = this.call;
		if (this.#newest?.response === res) return this.#newest;
		if (isConnectionCut(res)) return null;
		for (const [name, value] of Object.entries(this.#headers)) {
			res.headers.set(name, value);
		}
		return null;
	}
}
