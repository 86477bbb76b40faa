import type {
	IAllExecuteFunctions,
	IDataObject,
	IHttpRequestMethods,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import type { Clock } from '../clock';
import type { ProcessMemory } from '../processMemory';
import { Accounts, type Account } from './account';
import { CREDENTIAL, type Settings } from './credential';
import { CANNOT_CONNECT, classifyBrokenRequest, type Answer, type Outcome } from './outcome';
import { pause, stopIfCancelled, withinDeadline } from './pause';
import { redactAll } from './redact';

/** Who asks the service, and with which credential. */
export type Connection = {
	context: IAllExecuteFunctions;
	settings: Settings;
	clock: Clock;
	memory: ProcessMemory;
	account: Account;
	/** How long requests have waited for the service's limits, in milliseconds: what waits side by side counts for itself. */
	waitedMs: number;
};

export type ServiceRequest = {
	method: IHttpRequestMethods;
	/** Relative to the base URL (§4). */
	path: string;
	query?: IDataObject;
	body?: IDataObject | Buffer;
	headers?: Record<string, string>;
	/**
	 * Called whenever a try of the request is about to go out, after the wait for its limit; where it throws, the request
	 * does not. What it returns is called when the try has ended, before anything else happens.
	 */
	watchTry?: () => Promise<(outcome: Outcome | undefined) => Promise<void>>;
};

/** Pauses before another try of a connection that was never made. */
const RECONNECT_PAUSES_MS = [500, 1_500, 4_000];

/** The slowest upload that is waited for, in bytes per millisecond. */
const SLOWEST_UPLOAD = 50;

/**
 * Reads the credential, once for all requests of a run.
 *
 * @throws NodeOperationError when the credential cannot be used
 */
export async function connect(
	context: IAllExecuteFunctions,
	memory: ProcessMemory,
): Promise<Connection> {
	const credential = await context.getCredentials<IDataObject>(CREDENTIAL);
	const accounts = memory.part(Accounts);
	const settings = accounts.settingsOf(context.getNode(), credential);
	const account = accounts.of(settings.accountId);
	return { context, settings, clock: memory.clock, memory, account, waitedMs: 0 };
}

/**
 * Makes a request, within the service's limits: after a 429 it waits and asks again (§8.1), and it tries again to make
 * a connection that was not made. Nothing else is repeated here, as the service may have acted.
 *
 * @throws NodeOperationError only when the execution is cancelled
 */
export async function sendRequest(
	connection: Connection,
	request: ServiceRequest,
): Promise<Outcome> {
	const { clock, account } = connection;
	const pausesMs = [...RECONNECT_PAUSES_MS];
	for (;;) {
		const sinceMs = clock.nowMs();
		const leave = await account.limits.enter(connection, request.path);
		connection.waitedMs += clock.nowMs() - sinceMs;
		let endTry: Awaited<ReturnType<NonNullable<ServiceRequest['watchTry']>>> | undefined;
		let outcome: Outcome | undefined;
		try {
			endTry = await request.watchTry?.();
			outcome = await askOnce(connection, request);
		} finally {
			leave(outcome);
			await endTry?.(outcome);
		}
		if (outcome.kind === 'answer') account.learnClock(outcome, clock.nowMs());
		if (outcome.kind === 'answer' && outcome.status === 429) continue;
		const mayConnectLater = outcome.kind === 'unsent' && !CANNOT_CONNECT.test(outcome.code);
		const pauseMs = mayConnectLater ? pausesMs.shift() : undefined;
		if (pauseMs === undefined) return outcome;
		await pause(connection, pauseMs);
	}
}

async function askOnce(connection: Connection, request: ServiceRequest): Promise<Outcome> {
	const { context, settings, memory } = connection;
	const options: IHttpRequestOptions = {
		method: request.method,
		url: settings.baseUrl + request.path,
		qs: request.query,
		body: request.body,
		headers: { accept: 'application/json', ...request.headers },
		json: !Buffer.isBuffer(request.body),
		timeout: memory.answerTimeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would carry the key pair to another host, and turn a POST into a GET.
		disableFollowRedirect: true,
	};
	const uploadMs = Buffer.isBuffer(request.body) ? request.body.length / SLOWEST_UPLOAD : 0;
	try {
		// The timeout of the request counts from the last byte, so it never ends an answer that dribbles.
		const response = (await withinDeadline(
			memory.answerTimeoutMs + uploadMs,
			context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, options),
		)) as IN8nHttpFullResponse;
		return {
			kind: 'answer',
			status: response.statusCode,
			headers: redactAll(response.headers as Answer['headers'], settings.secrets),
			body: redactAll(parseBody(response.body), settings.secrets),
		};
	} catch (thrown) {
		stopIfCancelled(context);
		return classifyBrokenRequest(thrown);
	}
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
