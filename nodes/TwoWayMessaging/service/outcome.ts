import { HEADERS } from '../contract';
import { serviceTimeMs } from '../serviceTime';

/** The service's answer, whatever its status, without the secrets that it repeats. Header names are lower case. */
export type Answer = {
	kind: 'answer';
	status: number;
	headers: Record<string, string | undefined>;
	/** The JSON as n8n parses it, whatever its content type is; the text itself when it is not JSON. */
	body: unknown;
};

/**
 * A request without an answer. One that is `unsent` has certainly not reached the other side, as no connection was made;
 * where it is `unanswered`, the other side may or may not have acted.
 */
type Broken = { kind: 'unsent'; code: string } | { kind: 'unanswered'; code: string };

export type Outcome = Answer | Broken;

/**
 * The wait that an answer asks for (§8.1).
 *
 * @returns milliseconds; undefined when `Retry-After` is absent or neither whole seconds nor a date
 */
export function retryAfterMs(
	{ headers }: Pick<Answer, 'headers'>,
	nowMs: number,
): number | undefined {
	const value = String(headers[HEADERS.retryAfter]).trim();
	if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
	const untilMs = serviceTimeMs(value);
	// By the clock of the service, where the answer tells it.
	const sinceMs = serviceTimeMs(headers.date) || nowMs;
	return Number.isNaN(untilMs) ? undefined : Math.max(0, untilMs - sinceMs);
}

/** System calls that make a connection: whatever fails in them, nothing has been sent. */
const CONNECTING = ['connect', 'getaddrinfo'];

/** Codes that only the making of a connection has, for a code that comes without its system call. */
const ONLY_WHILE_CONNECTING = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** Codes of a connection that was not made, and that no further try will make: URL, certificate. */
export const CANNOT_CONNECT =
	/^(ERR_INVALID_.*|ERR_TLS_.*|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/;

/**
 * Tells by what was thrown whether the request may have reached the other side. The system call decides: a connection that
 * was made and then lost may end with the same code as one that was never made.
 */
export function classifyBrokenRequest(thrown: unknown): Broken {
	const causes = causesOf(thrown);
	const code = causes.find((cause) => typeof cause.code === 'string')?.code ?? '';
	const systemCalls = causes.flatMap(({ syscall }) => syscall ?? []);
	const neverConnected =
		systemCalls.length > 0
			? systemCalls.every((systemCall) => CONNECTING.includes(systemCall))
			: ONLY_WHILE_CONNECTING.includes(code) || CANNOT_CONNECT.test(code);
	return { kind: neverConnected ? 'unsent' : 'unanswered', code: code || 'no answer' };
}

/** What was thrown and what it was thrown for. Node tries each address of a host, and throws what all of them threw. */
function causesOf(thrown: unknown, depth = 0): NodeJS.ErrnoException[] {
	if (!(thrown instanceof Error) || depth > 4) return [];
	const { errors } = thrown as Partial<AggregateError>;
	const inner = [thrown.cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
	return [thrown, ...inner.flatMap((cause) => causesOf(cause, depth + 1))];
}
