import { setTimeout as sleep } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler, Next } from 'hono';
import { HEADERS, PATHS, REFUSALS } from '../../nodes/TwoWayMessaging/contract';
import { getOrAdd } from './getOrAdd';
import type { Call, Env } from './http';
import { refuseRequest } from './refusals';

/** A pending fault: what happens to the next requests to a path, and to how many of them. */
export type Fault = {
	kind: FaultKind;
	/** Null until it is removed. */
	times: number | null;
	/** The share of the requests that it happens to, up to 1; null for every request. */
	probability: number | null;
	retryAfterSeconds: number | null;
	delayMs: number;
};

type Misbehaviour = (c: Call, next: Next, fault: Fault) => Promise<Response | void>;

const ERROR_PAGE =
	'<html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>';

const serverError = (c: Call) => c.json({ message: 'Server Error' }, 500);

const unavailable = (c: Call, { retryAfterSeconds }: Fault) => {
	if (retryAfterSeconds !== null) c.header(HEADERS.retryAfter, String(retryAfterSeconds));
	return c.json({ message: 'Service Unavailable' }, 503);
};

const tooMany = (c: Call) => {
	c.header(HEADERS.rateRemaining, '0');
	return refuseRequest(c, 429, REFUSALS.tooManyAttempts);
};

/** Lets the service carry out the request, and then replaces its answer. */
const afterwards =
	(answer: (c: Call, fault: Fault) => Response | Promise<Response>): Misbehaviour =>
	async (c, next, fault) => {
		await next();
		const replacement = await answer(c, fault);
		c.res = undefined;
		c.res = replacement;
	};

/** Cuts the connection. A request that is made inside the process has none. */
const cut = (c: Call): Response => {
	const socket = c.env?.incoming?.socket;
	if (!socket) return refuseRequest(c, 500, 'This fault needs a network connection.');
	socket.resetAndDestroy();
	return RESPONSE_ALREADY_SENT;
};

/** Never answers; ends when the caller closes the connection. */
const hang = async (c: Call): Promise<Response> => {
	const socket = c.env?.incoming?.socket;
	if (!socket) return refuseRequest(c, 500, 'This fault needs a network connection.');
	if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
	return RESPONSE_ALREADY_SENT;
};

/** Every way in which the service can fail. `…-after` means that the request was carried out first. */
const MISBEHAVIOURS = {
	pass: async (_c, next) => await next(),
	'refuse-429': async (c, _next, { retryAfterSeconds }) => {
		c.header(HEADERS.retryAfter, String(retryAfterSeconds ?? 1));
		return tooMany(c);
	},
	'refuse-429-bare': async (c) => tooMany(c),
	'status-409': async (c) => refuseRequest(c, 409, 'Conflict'),
	'status-500': async (c) => serverError(c),
	'status-500-after': afterwards(serverError),
	'status-503': async (c, _next, fault) => unavailable(c, fault),
	'status-503-after': afterwards(unavailable),
	html: async (c) => c.html(ERROR_PAGE, 502),
	'html-after': afterwards((c) => c.html(ERROR_PAGE, 502)),
	'truncated-after': afterwards(async (c) => {
		const whole = c.res;
		const text = await whole.text();
		return new Response(text.slice(0, Math.floor(text.length / 2)), whole);
	}),
	'reset-before': async (c) => cut(c),
	'reset-after': afterwards(cut),
	'hang-before': async (c) => await hang(c),
	'hang-after': afterwards(hang),
	slow: async (_c, next, { delayMs }) => {
		await sleep(delayMs);
		await next();
	},
} satisfies Record<string, Misbehaviour>;

export type FaultKind = keyof typeof MISBEHAVIOURS;

/** The names of all kinds of faults. */
export const FAULT_KINDS = Object.keys(MISBEHAVIOURS) as FaultKind[];

/** A fault that waits for requests, and what is drawn for each of them: a number from 0 up to, but not including, 1. */
type PendingFault = { fault: Fault; draw: () => number };

/** The pending faults of each path, in the order in which they were added. */
export class Faults {
	#byPath = new Map<string, PendingFault[]>();
	#count = 0;

	/** @param randomSeed decides which requests a fault with a probability happens to */
	constructor(private readonly randomSeed: number) {}

	/** Adds a fault to a path; it happens after the faults that the path has already. */
	add(path: string, fault: Fault): void {
		// Each fault draws by itself, so that another one does not change what happens to which request.
		const draw = drawsOf(this.randomSeed * 1_000 + this.#count++);
		getOrAdd(this.#byPath, path, () => []).push({ fault: { ...fault }, draw });
	}

	/** Takes the next fault of a path, for a request that has arrived there. */
	take(path: string): Fault | undefined {
		const queue = this.#byPath.get(path) ?? [];
		const met = queue.find(
			({ fault: { probability }, draw }) => probability === null || draw() < probability,
		);
		if (!met) return undefined;
		const { fault } = met;
		if (fault.times !== null) fault.times--;
		if (fault.times === 0) queue.splice(queue.indexOf(met), 1);
		if (queue.length === 0) this.#byPath.delete(path);
		return fault;
	}

	/** Removes the pending faults. */
	clear(): void {
		this.#byPath.clear();
	}

	/** The pending faults. */
	all(): Array<{ path: string } & Fault> {
		return [...this.#byPath].flatMap(([path, queue]) =>
			queue.map(({ fault }) => ({ path, ...fault })),
		);
	}
}

/** Numbers from 0 up to, but not including, 1, which are the same for the same seed (the generator mulberry32). */
const drawsOf = (seed: number): (() => number) => {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
};

/** Makes requests fail for which a fault is pending. A fault of /status also happens to a status in the path (§4.4). */
export const injectFaults =
	(faults: () => Faults, pathPrefix: string): MiddlewareHandler<Env> =>
	async (c, next) => {
		const { path } = c.req;
		const status = `${pathPrefix}${PATHS.status}`;
		const fault = faults().take(path.startsWith(`${status}/`) ? status : path);
		if (!fault) return await next();
		c.set('fault', fault.kind);
		return await MISBEHAVIOURS[fault.kind](c, next, fault);
	};
