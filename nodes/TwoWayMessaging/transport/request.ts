import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';
import type { Clock } from '../clock';
import type { ProcessMemory } from '../processMemory';
import { enterLane, Lanes, type LaneName } from './pacing';
import { pause, stopIfCancelled } from './pause';
import { CREDENTIAL, readSettings, type Settings } from './credentialSettings';

/** The n8n contexts that can ask the service. */
export type Caller = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Who asks the service, and with which credential. */
export type Connection = {
	caller: Caller;
	settings: Settings;
	clock: Clock;
	/** The limits of all accounts, which everything in this process shares. */
	lanes: Lanes;
	/** How long the service may take to answer, in milliseconds. */
	answerTimeoutMs: number;
};

export type ServiceRequest = {
	method: IHttpRequestMethods;
	/** Relative to the base URL (§4). */
	path: string;
	query?: IDataObject;
	body?: IDataObject | Buffer;
	headers?: Record<string, string>;
	/** The limit that counts this request, beside the limit for all requests (§8.1). */
	lane?: LaneName;
};

/** The service's answer, whatever its status. Header names are lower case. */
export type Answer = {
	kind: 'answer';
	status: number;
	headers: Record<string, string | undefined>;
	/** The parsed JSON; the text itself when it is not JSON. */
	body: unknown;
};

/** The request has certainly not reached the service: no connection was made. */
export type Unsent = { kind: 'unsent'; code: string };

/** The connection ended without an answer: the service may or may not have acted. */
export type Unanswered = { kind: 'unanswered'; code: string };

export type Outcome = Answer | Unsent | Unanswered;

/** Pauses before another try of a connection that was never made. */
const RECONNECT_PAUSES_MS = [500, 1_500, 4_000];

/** Codes of a connection that was not made; the next try may make it. */
const MAY_CONNECT_LATER = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Codes of a connection that was not made, and that no further try will make: URL, certificate, protocol. */
const CANNOT_CONNECT =
	/^(ERR_INVALID_.*|ERR_TLS_.*|EPROTO|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/;

/**
 * Reads the credential, once for all requests of a run:
 *
 * ```ts
 * const outcome = await ask(await connect(context, memory), { method: 'GET', path: PATHS.me });
 * ```
 *
 * @throws NodeOperationError when the credential cannot be used
 */
export async function connect(caller: Caller, memory: ProcessMemory): Promise<Connection> {
	const credential = await caller.getCredentials<IDataObject>(CREDENTIAL);
	return {
		caller,
		settings: readSettings(caller.getNode(), credential),
		clock: memory.clock,
		lanes: memory.part(Lanes),
		answerTimeoutMs: memory.answerTimeoutMs,
	};
}

/**
 * Makes a request, within the service's limits: after a 429 it waits and asks again (§8.1), and it tries again to make
 * a connection that was not made. Nothing else is repeated here, as the service may have acted.
 *
 * @throws NodeOperationError only when the execution is cancelled
 */
export async function ask(connection: Connection, request: ServiceRequest): Promise<Outcome> {
	const { settings, clock, lanes } = connection;
	const lane = lanes.laneOf(settings.accountId, request.lane ?? 'all');
	let reconnects = 0;
	for (;;) {
		await enterLane(connection, lane);
		let outcome: Outcome | undefined;
		try {
			outcome = await askOnce(connection, request);
		} finally {
			lane.leave(outcome?.kind === 'answer' ? outcome : undefined, clock.nowMs());
		}
		if (outcome.kind === 'answer' && outcome.status === 429) continue;
		if (outcome.kind === 'unsent' && MAY_CONNECT_LATER.includes(outcome.code)) {
			const pauseMs = RECONNECT_PAUSES_MS[reconnects++];
			if (pauseMs !== undefined) {
				await pause(connection, pauseMs);
				continue;
			}
		}
		return outcome;
	}
}

/** Makes one request. */
async function askOnce(connection: Connection, request: ServiceRequest): Promise<Outcome> {
	const { caller, settings } = connection;
	const options: IHttpRequestOptions = {
		method: request.method,
		url: settings.baseUrl + request.path,
		qs: request.query,
		body: request.body,
		headers: { accept: 'application/json', ...request.headers },
		json: !Buffer.isBuffer(request.body),
		timeout: connection.answerTimeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would carry the key pair to another host, and turn a POST into a GET.
		disableFollowRedirect: true,
	};
	try {
		const response = (await caller.helpers.httpRequestWithAuthentication.call(
			caller as IExecuteFunctions,
			CREDENTIAL,
			options,
		)) as IN8nHttpFullResponse;
		return {
			kind: 'answer',
			status: response.statusCode,
			headers: response.headers as Answer['headers'],
			body: parseBody(response.body),
		};
	} catch (thrown) {
		stopIfCancelled(caller);
		return classifyBrokenRequest(thrown);
	}
}

/** Tells by what was thrown whether the request may have reached the service. */
function classifyBrokenRequest(thrown: unknown): Unsent | Unanswered {
	let code = '';
	let whileConnecting = false;
	for (let cause = thrown, depth = 0; cause instanceof Error && depth < 5; depth += 1) {
		const { code: ownCode, syscall } = cause as NodeJS.ErrnoException;
		if (typeof ownCode === 'string') code ||= ownCode;
		whileConnecting ||= syscall === 'connect' || syscall === 'getaddrinfo';
		cause = cause.cause;
	}
	const neverConnected =
		whileConnecting || MAY_CONNECT_LATER.includes(code) || CANNOT_CONNECT.test(code);
	return { kind: neverConnected ? 'unsent' : 'unanswered', code: code || 'no answer' };
}

/** Parses a body that n8n left as text, as JSON may come with another content type. */
function parseBody(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	try {
		return JSON.parse(body) as unknown;
	} catch {
		return body;
	}
}
