import { EVENT_KINDS, HEADERS, PATHS } from '../../nodes/TwoWayMessaging/contract';
import { BoundedLog } from './boundedLog';
import type { Changes } from './changes';
import type { Clock } from './clock';
import type { FaultKind } from './faults';
import type { Call } from './http';
import type { Settings } from './options';
import type { Secret } from './secretHider';
import { SecretHider } from './secretHider';

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

const HIDDEN = '<HIDDEN>';

/** What the log shows instead of the value of these headers. */
const PLACEHOLDERS: ReadonlyMap<string, string> = new Map([
	[HEADERS.apiKey, '<API_KEY>'],
	[HEADERS.apiSecret, '<API_SECRET>'],
	['authorization', HIDDEN],
	['cookie', HIDDEN],
	['proxy-authorization', HIDDEN],
]);

const SIGNING_SECRET = '<SIGNING_SECRET>';

/** The calls to the service. The log removes the oldest call when it is full. */
export class CallLog {
	readonly log: BoundedLog<ApiCall>;
	#count = 0;
	/** The keys and secrets, each with the text that replaces it. */
	#values: Map<string, string>;
	#hider = new SecretHider();

	constructor(
		private readonly clock: Clock,
		settings: Pick<Settings, 'callLogSize' | 'keyPairs'>,
		private readonly changes: Changes,
		/** The secrets of the registered endpoints (§2.4), which a caller may also have put into another call. */
		private readonly signingSecrets: () => string[],
	) {
		this.log = new BoundedLog(settings.callLogSize);
		this.#values = new Map(
			settings.keyPairs.flatMap(({ key, secret }): Secret[] => [
				[secret, PLACEHOLDERS.get(HEADERS.apiSecret)!],
				[key, PLACEHOLDERS.get(HEADERS.apiKey)!],
			]),
		);
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
		const isRegistration = decode(c.req.path) === PATHS.webhooks;
		call.body = this.#excerpt(
			isRegistration ? this.#showRegistration(body) : body && withoutSecretFields(body),
		);
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
		const shown = Object.entries(headers).map(([name, values]) => {
			const value = String(values);
			return [
				name,
				PLACEHOLDERS.get(name) ?? this.#values.get(value) ?? this.#hide(value),
			] as const;
		});
		return Object.fromEntries(shown);
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

	/** Hides what a path or its query contains. A secret of any length is hidden where it is the whole value of a query. */
	#hideInPath(path: string): string {
		return this.#hide(path)
			.split(/([?&=])/)
			.map((part, at, parts) => {
				const value = parts[at - 1] === '=' ? this.#values.get(decode(part)) : undefined;
				return value ?? part;
			})
			.join('');
	}

	/**
	 * A registration with nothing of its signing secret (§2.4), also where that was put into another field or stands for a
	 * name; null for what is no object.
	 */
	#showRegistration(body: string | null): string | null {
		const fields = parse(body ?? '');
		if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return null;
		const { url, events, ...others } = fields as Record<string, unknown>;
		const signing = textsIn(others).map((secret): Secret => [secret, SIGNING_SECRET]);
		const shown = {
			...(url !== undefined && { url: isUrl(url) ? this.#hider.hide(url, signing) : HIDDEN }),
			...(events !== undefined && { events: showEvents(events) }),
		};
		const hidden = Object.keys(others).map((name) => [
			name === 'secret' ? name : HIDDEN,
			SIGNING_SECRET,
		]);
		return JSON.stringify({ ...shown, ...Object.fromEntries(hidden) });
	}

	#hide(text: string): string {
		const signing = this.signingSecrets().map((secret): Secret => [secret, SIGNING_SECRET]);
		return this.#hider.hide(text, [...this.#values, ...signing]);
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

/** JSON as its value; undefined for another text. */
const parse = (text: string, reviver?: Parameters<typeof JSON.parse>[1]): unknown => {
	try {
		return JSON.parse(text, reviver) as unknown;
	} catch {
		return undefined;
	}
};

const isUrl = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value);

/** The events of a registration; anything else may be its secret. */
const showEvents = (events: unknown): unknown =>
	Array.isArray(events)
		? events.map((name: unknown) => EVENT_KINDS.find((kind) => kind === name) ?? HIDDEN)
		: HIDDEN;

/** Every text in a value, at any depth. */
const textsIn = (value: unknown): string[] => {
	const texts: string[] = [];
	const open = [value];
	while (open.length > 0) {
		const one = open.pop();
		if (typeof one === 'string') texts.push(one);
		else if (typeof one === 'object' && one !== null) open.push(...Object.values(one));
	}
	return texts;
};

const SECRET_FIELD = /(["']?\bsecret["']?\s*[:=]\s*)("(?:[^"\\]|\\.)*"?|[^&,}\s]+)/gi;

/** A body without the values of its fields called secret: somebody may have sent a registration to another path. */
const withoutSecretFields = (text: string): string => {
	// Most bodies have none, and every call comes here. A name may be escaped.
	if (!/secret|\\u/i.test(text)) return text;
	let isFound = false;
	const shown = parse(text, (name, value: unknown) => {
		if (name.toLowerCase() !== 'secret' || value === null) return value;
		isFound = true;
		return SIGNING_SECRET;
	});
	if (shown === undefined) return text.replace(SECRET_FIELD, `$1"${SIGNING_SECRET}"`);
	return isFound ? JSON.stringify(shown) : text;
};
