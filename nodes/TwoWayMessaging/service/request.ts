import type {
	IAllExecuteFunctions,
	IDataObject,
	IExecuteFunctions,
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
	readonly waited: { ms: number };
	/** The item that it asks for, if it is one's. */
	itemIndex?: number;
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
	return { context, settings, clock: memory.clock, memory, account, waited: { ms: 0 } };
}

/** One run of the node over all its items: what it asks the service with, and what its items share. */
export type Run = Omit<Connection, 'context'> & {
	context: IExecuteFunctions;
	/** The value for the key, made once in a run however many items ask for it. It is made again when making it failed. */
	once: <T>(key: string, make: () => Promise<T>) => Promise<T>;
	/** What a person is told at the output besides the items. */
	notes: Set<string>;
};

/** One item of a run: what reads its fields and acts for it. */
export type Item = Run & { itemIndex: number };

/**
 * Begins a run of the node.
 *
 * @throws NodeOperationError when the credential cannot be used
 */
export async function startRun(context: IExecuteFunctions, memory: ProcessMemory): Promise<Run> {
	const made = new Map<string, Promise<unknown>>();
	async function once<T>(key: string, make: () => Promise<T>): Promise<T> {
		let value = made.get(key) as Promise<T> | undefined;
		if (!value) {
			value = make();
			made.set(key, value);
			value.catch(() => made.delete(key));
		}
		return await value;
	}
	return { ...(await connect(context, memory)), context, once, notes: new Set() };
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
	const { clock, account, waited } = connection;
	const pausesMs = [...RECONNECT_PAUSES_MS];
	for (;;) {
		const sinceMs = clock.nowMs();
		const leave = await account.limits.enter(connection, request.path);
		waited.ms += clock.nowMs() - sinceMs;
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
			body: redactAll<unknown>(response.body, settings.secrets),
		};
	} catch (thrown) {
		stopIfCancelled(context);
		return classifyBrokenRequest(thrown);
	}
}
