import { HEADERS, PATHS } from '../../nodes/TwoWayMessaging/contract';
import { BoundedLog } from './boundedLog';
import type { Changes } from './changes';
import type { Clock } from './clock';
import type { FaultKind } from './faults';
import type { Call } from './http';
import type { Settings } from './options';

/** The beginning of a body's text. It is null where there is no body, nobody read it, or it is not text. */
export type BodyExcerpt = { text: string | null; isCut: boolean };

/** The headers of a request or of an answer, by name. */
type HeaderValues = Record<string, string | string[] | undefined>;

/** One request to the service and its answer, with the secrets in its headers; `CallLog.show` hides them. */
export type ApiCall = {
	readonly id: string;
	readonly atMs: number;
	readonly method: string;
	readonly url: string;
	readonly headers: HeaderValues;
	body: BodyExcerpt;
	/** The fault that happened to it, where a person asked for one. */
	fault: FaultKind | null;
	/** Null until the answer, and where the connection ended without one. */
	answer: { status: number; headers: HeaderValues; body: BodyExcerpt } | null;
	/** Null until the answer. */
	durationMs: number | null;
};

/** An answer as it was sent; its text is null where it is not text. */
export type SentAnswer = { status: number; headers: HeaderValues; text: string | null };

/** Longer bodies are cut, because people read the log. */
const MOST_BODY_CHARACTERS = 8_000;
const NO_BODY: BodyExcerpt = { text: null, isCut: false };

/** Shorter keys are hidden only where they are a whole value, because any text could contain them. */
const LEAST_HIDDEN_CHARACTERS = 8;

/** What the log shows instead of the value of these headers. */
const PLACEHOLDERS: Record<string, string> = {
	[HEADERS.apiKey]: '<API_KEY>',
	[HEADERS.apiSecret]: '<API_SECRET>',
	authorization: '<HIDDEN>',
	cookie: '<HIDDEN>',
	'proxy-authorization': '<HIDDEN>',
};

const SIGNING_SECRET = '<SIGNING_SECRET>';

/** A secret as it is and as JSON writes it, with what replaces it; nothing for one that any text could contain. */
const spellingsOf = ([secret, placeholder]: [string, string]): Array<[string, string]> =>
	secret.length < LEAST_HIDDEN_CHARACTERS
		? []
		: [
				[secret, placeholder],
				[JSON.stringify(secret).slice(1, -1), placeholder],
			];

/** The calls to the service. The log removes the oldest call when it is full. */
export class CallLog {
	readonly log: BoundedLog<ApiCall>;
	#count = 0;
	/** The keys and secrets, each with the text that replaces it where it is a whole value. */
	#values: Map<string, string>;
	/** What of them a text may contain. */
	#secrets: Array<[string, string]>;

	constructor(
		private readonly clock: Clock,
		settings: Pick<Settings, 'callLogSize' | 'keyPairs'>,
		private readonly changes: Changes,
		/** The secrets of the registered endpoints (§2.4), which a caller may also have put into another call. */
		private readonly signingSecrets: () => string[],
	) {
		this.log = new BoundedLog(settings.callLogSize);
		const all = settings.keyPairs.flatMap(({ key, secret }): Array<[string, string]> => [
			[secret, PLACEHOLDERS[HEADERS.apiSecret]!],
			[key, PLACEHOLDERS[HEADERS.apiKey]!],
		]);
		this.#values = new Map(all);
		this.#secrets = all.flatMap(spellingsOf);
	}

	/** Adds a call that has just arrived. */
	begin(c: Call): ApiCall {
		const call: ApiCall = {
			id: `call_${++this.#count}`,
			atMs: this.clock.now(),
			method: c.req.method,
			url: c.req.url,
			headers: c.env?.incoming?.headers ?? Object.fromEntries(c.req.raw.headers),
			body: NO_BODY,
			fault: null,
			answer: null,
			durationMs: null,
		};
		this.log.add(call);
		this.changes.publish({ type: 'call' });
		return call;
	}

	/** Adds the answer to a call; null for a connection that was cut. */
	end(call: ApiCall, c: Call, answer: SentAnswer | null, durationMs: number): void {
		if (call.durationMs !== null) return;
		if (answer) {
			const { status, headers, text } = answer;
			call.answer = { status, headers, body: this.#excerpt(text) };
		}
		this.endUnanswered(call, c, durationMs);
	}

	/** Ends a call that nobody waits for any more; one that has ended stays as it is. */
	endUnanswered(call: ApiCall, c: Call, durationMs: number): void {
		if (call.durationMs !== null) return;
		const body = c.get('bodyText') ?? null;
		const isRegistration = c.req.path === PATHS.webhooks;
		call.body = this.#excerpt(isRegistration ? withoutSecrets(body) : body);
		call.fault = c.get('fault') ?? null;
		call.durationMs = durationMs;
		this.changes.publish({ type: 'call' });
	}

	/** A call as the control endpoints show it, without the secrets in it. To hide them at each call would slow the calls down. */
	show({ url, body, answer, ...call }: ApiCall) {
		return {
			id: call.id,
			at: new Date(call.atMs).toISOString(),
			method: call.method,
			/** The path with its query. */
			path: this.#hideInPath(url.slice(url.indexOf('/', url.indexOf('//') + 2))),
			request: { headers: this.#showHeaders(call.headers), ...this.#showBody(body) },
			fault: call.fault,
			answer: answer && {
				status: answer.status,
				headers: this.#showHeaders(answer.headers),
				...this.#showBody(answer.body),
			},
			duration_ms: call.durationMs,
		};
	}

	#showHeaders(headers: HeaderValues): Record<string, string> {
		const shown: Record<string, string> = {};
		for (const [name, values] of Object.entries(headers)) {
			const value = String(values);
			shown[name] = PLACEHOLDERS[name] ?? this.#values.get(value) ?? this.#hide(value);
		}
		return shown;
	}

	#showBody({ text, isCut }: BodyExcerpt) {
		return { body: text === null ? null : this.#hide(text), is_cut: isCut };
	}

	/** Hides the secrets in a text that it cuts, because a part of one would be shown. */
	#excerpt(text: string | null): BodyExcerpt {
		if (text === null || text === '') return NO_BODY;
		if (text.length <= MOST_BODY_CHARACTERS) return { text, isCut: false };
		// This copies the slice, which would otherwise keep the whole text in memory.
		const shown = Buffer.from(this.#hide(text).slice(0, MOST_BODY_CHARACTERS)).toString();
		return { text: shown, isCut: true };
	}

	/** Hides what a path or its query contains, however it is encoded there. */
	#hideInPath(path: string): string {
		return this.#hide(path)
			.split(/([/?&=])/)
			.map((part, at, parts) => {
				const decoded = decode(part);
				const value = parts[at - 1] === '=' ? this.#values.get(decoded) : undefined;
				const shown = this.#hide(decoded);
				return value ?? (shown === decoded ? part : shown);
			})
			.join('');
	}

	#hide(text: string): string {
		const signing = this.signingSecrets().map((secret): [string, string] => [
			secret,
			SIGNING_SECRET,
		]);
		const secrets = [...this.#secrets, ...signing.flatMap(spellingsOf)];
		return secrets.reduce((shown, [secret, placeholder]) => {
			return shown.includes(secret) ? shown.replaceAll(secret, placeholder) : shown;
		}, text);
	}
}

/** A part of a path or a query as its reader understands it; what is encoded wrongly stays as it is. */
const decode = (part: string): string => {
	try {
		return decodeURIComponent(part.replaceAll('+', ' '));
	} catch {
		return part;
	}
};

/** The fields of a registration that hold no secret (§2.4). */
const SHOWN_OF_REGISTRATION = ['url', 'events'];

/** A registration without its signing secret (§2.4), also under a name that was mistyped; null for what is no object. */
const withoutSecrets = (body: string | null): string | null => {
	try {
		const fields = JSON.parse(body ?? 'null') as unknown;
		if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return null;
		const shown = Object.entries(fields).map(([name, value]): [string, unknown] => [
			name,
			SHOWN_OF_REGISTRATION.includes(name) ? value : SIGNING_SECRET,
		]);
		return JSON.stringify(Object.fromEntries(shown));
	} catch {
		return null;
	}
};
