import type { MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { HEADERS, PATHS } from '../../nodes/TwoWayMessaging/contract';
import type { Changes } from './changes';
import type { Clock } from './clock';
import type { FaultKind } from './faults';
import type { Call, Env } from './http';
import type { Settings } from './options';

/** The text of a body as far as it is kept; null where there was none, it was not read, or it is no text. */
export type BodyExcerpt = { text: string | null; isCut: boolean };

/** One request to the service and what was answered, without the secrets in it. */
export type ApiCall = {
	readonly id: string;
	readonly atMs: number;
	readonly method: string;
	/** With its query. */
	readonly path: string;
	readonly headers: Record<string, string>;
	body: BodyExcerpt;
	/** The fault that befell it, where one was asked for. */
	fault: FaultKind | null;
	/** Null while it is under way, and where the connection ended without an answer. */
	answer: { status: number; headers: Record<string, string>; body: BodyExcerpt } | null;
	/** Null while it is under way. */
	durationMs: number | null;
};

/** Longer bodies are cut: the log is there to be read. */
const KEPT_CHARACTERS = 8_000;
const NOTHING: BodyExcerpt = { text: null, isCut: false };

/** Shorter keys are only hidden in their headers: they would be found in any text. */
const LEAST_HIDDEN_CHARACTERS = 8;

/** What stands in the log in place of a header's value. */
const PLACEHOLDERS: Record<string, string> = {
	[HEADERS.apiKey]: '<API_KEY>',
	[HEADERS.apiSecret]: '<API_SECRET>',
	authorization: '<HIDDEN>',
	cookie: '<HIDDEN>',
	'proxy-authorization': '<HIDDEN>',
};

/** The calls of the service's users, the oldest given up when the log is full. */
export class Calls {
	#log = new Map<string, ApiCall>();
	#count = 0;
	/** Key pairs as they may stand in a path or body, and what stands in their place. */
	#secrets: Array<[string, string]>;

	constructor(
		private readonly clock: Clock,
		private readonly settings: Pick<Settings, 'callLogSize' | 'keyPairs'>,
		private readonly changes: Changes,
	) {
		const all = settings.keyPairs.flatMap(({ key, secret }): Array<[string, string]> => [
			[secret, PLACEHOLDERS[HEADERS.apiSecret]!],
			[key, PLACEHOLDERS[HEADERS.apiKey]!],
		]);
		this.#secrets = all.filter(([text]) => text.length >= LEAST_HIDDEN_CHARACTERS);
	}

	/** Notes a call that has come. */
	begin(c: Call): ApiCall {
		const { url } = c.req;
		const call: ApiCall = {
			id: `call_${++this.#count}`,
			atMs: this.clock.now(),
			method: c.req.method,
			path: this.#hide(url.slice(url.indexOf('/', url.indexOf('//') + 2))),
			headers: this.#headersOf(c.req.raw.headers),
			body: NOTHING,
			fault: null,
			answer: null,
			durationMs: null,
		};
		this.#log.set(call.id, call);
		if (this.#log.size > this.settings.callLogSize) {
			const oldest = this.#log.keys().next();
			if (!oldest.done) this.#log.delete(oldest.value);
		}
		this.changes.publish({ type: 'call' });
		return call;
	}

	/** Notes what came of it. `body` is the request's text where the service has read it, `text` the answer's. */
	end(call: ApiCall, c: Call, body: string | null, text: string | null, durationMs: number): void {
		const isRegistration = c.req.path === PATHS.webhooks;
		call.body = this.#excerpt(isRegistration ? withoutSecret(body) : body);
		call.fault = c.get('fault') ?? null;
		call.durationMs = durationMs;
		if (!isCut(c.res)) {
			call.answer = {
				status: c.res.status,
				headers: this.#headersOf(c.res.headers),
				body: this.#excerpt(text),
			};
		}
		this.changes.publish({ type: 'call' });
	}

	/** A call that the log still holds. */
	get(id: string): ApiCall | undefined {
		return this.#log.get(id);
	}

	/** Up to `limit` calls older than `before`, the newest first. */
	latest(limit: number, before?: ApiCall): ApiCall[] {
		const all = [...this.#log.values()];
		const end = before ? all.indexOf(before) : all.length;
		return all.slice(Math.max(0, end - limit), end).reverse();
	}

	#headersOf(headers: Headers): Record<string, string> {
		const shown: Record<string, string> = {};
		for (const [name, value] of headers) shown[name] = PLACEHOLDERS[name] ?? this.#hide(value);
		return shown;
	}

	#excerpt(text: string | null): BodyExcerpt {
		if (text === null || text === '') return NOTHING;
		const shown = this.#hide(text);
		if (shown.length <= KEPT_CHARACTERS) return { text: shown, isCut: false };
		// Copied: a slice of a long text would keep all of it in memory.
		return { text: Buffer.from(shown.slice(0, KEPT_CHARACTERS)).toString(), isCut: true };
	}

	#hide(text: string): string {
		return this.#secrets.reduce((shown, [secret, placeholder]) => {
			return shown.includes(secret) ? shown.replaceAll(secret, placeholder) : shown;
		}, text);
	}
}

/** Notes every call of the service in the log; a call under way when the sandbox is reset stays in the old one. */
export const logCalls =
	(calls: () => Calls): MiddlewareHandler<Env> =>
	async (c, next) => {
		const log = calls();
		const call = log.begin(c);
		const started = performance.now();
		const said = listen(c);
		await next();
		const text = said.response === c.res ? said.text : await answerText(c);
		const body = (await c.req.bodyCache.text) ?? null;
		log.end(call, c, body, text, Math.round((performance.now() - started) * 10) / 10);
	};

/** Remembers the JSON that is answered while it is a text: taking it out of a response costs much more. */
const listen = (c: Call) => {
	const said: { response: Response | null; text: string } = { response: null, text: '' };
	c.json = ((value: unknown, status?: ContentfulStatusCode) => {
		said.text = JSON.stringify(value);
		said.response = c.body(said.text, status, { 'content-type': 'application/json' });
		return said.response;
	}) as Call['json'];
	return said;
};

/** The text of another answer; reading uses it up, so that one of the same content takes its place. */
const answerText = async (c: Call): Promise<string | null> => {
	const type = c.res.headers.get('content-type') ?? '';
	if (isCut(c.res) || !/json|^text\//.test(type)) return null;
	const { status, headers } = c.res;
	const text = await c.res.text();
	c.res = undefined;
	c.res = new Response(text, { status, headers });
	return text;
};

/** Whether the connection was ended by hand, so that nothing is answered any more. */
const isCut = (response: Response): boolean => response.headers.has('x-hono-already-sent');

/** A registration without its signing secret (§2.4); what is no JSON is not shown at all. */
const withoutSecret = (body: string | null): string | null => {
	try {
		const fields = JSON.parse(body ?? 'null') as unknown;
		if (typeof fields !== 'object' || fields === null) return null;
		return JSON.stringify('secret' in fields ? { ...fields, secret: '<SIGNING_SECRET>' } : fields);
	} catch {
		return null;
	}
};

/** A call as the control endpoints show it. */
export const callBody = (call: ApiCall) => ({
	id: call.id,
	at: new Date(call.atMs).toISOString(),
	method: call.method,
	path: call.path,
	request: { headers: call.headers, ...excerptBody(call.body) },
	fault: call.fault,
	answer: call.answer && {
		status: call.answer.status,
		headers: call.answer.headers,
		...excerptBody(call.answer.body),
	},
	duration_ms: call.durationMs,
});

const excerptBody = ({ text, isCut }: BodyExcerpt) => ({ body: text, is_cut: isCut });
