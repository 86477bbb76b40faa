import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import type { Clock } from '../clock';
import type { ProcessMemory } from '../processMemory';
import { classifyBrokenRequest, type Unanswered, type Unsent } from './brokenRequest';
import { CREDENTIAL, readSettings, type Settings } from './credentialSettings';
import { withinDeadline } from './deadline';
import { enterLane, Lanes, type LaneName } from './pacing';
import { pause, stopIfCancelled } from './pause';
import { redactAll } from './redact';
import { RefusedPageSizes } from './refusedPageSizes';
import { ServiceClocks } from './serviceClocks';

/** The n8n contexts that can ask the service. */
export type Caller =
	IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions;

/** Who asks the service, and with which credential. */
export type Connection = {
	caller: Caller;
	settings: Settings;
	clock: Clock;
	/** The limits of all accounts, which everything in this process shares. */
	lanes: Lanes;
	/** How far the service's clock is from ours. */
	serviceClocks: ServiceClocks;
	refusedPageSizes: RefusedPageSizes;
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
	/**
	 * Called whenever a try of the request goes out. What it returns is called when the try has ended, before anything
	 * else happens.
	 */
	watchTry?: () => (outcome: Outcome | undefined) => void;
};

/** The service's answer, whatever its status, without the secrets that it repeats. Header names are lower case. */
export type Answer = {
	kind: 'answer';
	status: number;
	headers: Record<string, string | undefined>;
	/** The parsed JSON; the text itself when it is not JSON. */
	body: unknown;
};

export type Outcome = Answer | Unsent | Unanswered;

/** Pauses before another try of a connection that was never made. */
const RECONNECT_PAUSES_MS = [500, 1_500, 4_000];

/** Codes of a connection that was not made; the next try may make it. */
const MAY_CONNECT_LATER = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** The slowest upload that is waited for, in bytes per millisecond. */
const SLOWEST_UPLOAD = 50;

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
		serviceClocks: memory.part(ServiceClocks),
		refusedPageSizes: memory.part(RefusedPageSizes),
		answerTimeoutMs: memory.answerTimeoutMs,
	};
}

/** The same connection, whose answers show none of these texts either. */
export function withSecrets(connection: Connection, texts: string[]): Connection {
	const { settings } = connection;
	const secrets = [...new Set([...texts, ...settings.secrets])];
	return { ...connection, settings: { ...settings, secrets } };
}

/**
 * Makes a request, within the service's limits: after a 429 it waits and asks again (§8.1), and it tries again to make
 * a connection that was not made. Nothing else is repeated here, as the service may have acted.
 *
 * @throws NodeOperationError only when the execution is cancelled
 */
export async function ask(connection: Connection, request: ServiceRequest): Promise<Outcome> {
	const { settings, clock, lanes } = connection;
	const route = lanes.routeOf(settings.accountId, request.lane);
	let reconnects = 0;
	for (;;) {
		await enterLane(connection, route);
		const answersBefore = route.answersSoFar;
		const endTry = request.watchTry?.();
		let outcome: Outcome | undefined;
		try {
			outcome = await askOnce(connection, request);
		} finally {
			endTry?.(outcome);
			const answer = outcome?.kind === 'answer' ? outcome : undefined;
			route.leave(answer, clock.nowMs(), answersBefore);
		}
		if (outcome.kind === 'answer') {
			connection.serviceClocks.learn(settings.accountId, outcome, clock.nowMs());
			if (outcome.status === 429) continue;
		}
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
	const { caller, settings, answerTimeoutMs } = connection;
	const options: IHttpRequestOptions = {
		method: request.method,
		url: settings.baseUrl + request.path,
		qs: request.query,
		body: request.body,
		headers: { accept: 'application/json', ...request.headers },
		json: !Buffer.isBuffer(request.body),
		timeout: answerTimeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would carry the key pair to another host, and turn a POST into a GET.
		disableFollowRedirect: true,
	};
	const uploadMs = Buffer.isBuffer(request.body) ? request.body.length / SLOWEST_UPLOAD : 0;
	try {
		// The timeout of the request counts from the last byte, so it never ends an answer that dribbles.
		const response = (await withinDeadline(
			answerTimeoutMs + uploadMs,
			caller.helpers.httpRequestWithAuthentication.call(
				caller as IExecuteFunctions,
				CREDENTIAL,
				options,
			),
		)) as IN8nHttpFullResponse;
		return {
			kind: 'answer',
			status: response.statusCode,
			headers: redactAll(response.headers, settings.secrets) as Answer['headers'],
			body: redactAll(parseBody(response.body), settings.secrets),
		};
	} catch (thrown) {
		stopIfCancelled(caller);
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
