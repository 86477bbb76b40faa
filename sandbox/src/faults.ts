import { setTimeout as sleep } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler, Next } from 'hono';
import { HEADERS, REFUSALS } from '../../nodes/TwoWayMessaging/contract';
import type { Call, Env } from './http';
import { refuseRequest } from './refusals';

/** A fault to come: what happens to how many of the next requests to a path. */
export type Fault = {
	kind: FaultKind;
	times: number;
	retryAfterSeconds: number | null;
	delayMs: number;
};

type Misbehaviour = (c: Call, next: Next, fault: Fault) => Promise<Response | void>;

const page = '<html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>';

const serverError = (c: Call) => c.json({ message: 'Server Error' }, 500);

const unavailable = (c: Call, { retryAfterSeconds }: Fault) => {
	if (retryAfterSeconds !== null) c.header(HEADERS.retryAfter, String(retryAfterSeconds));
	return c.json({ message: 'Service Unavailable' }, 503);
};

const tooMany = (c: Call) => {
	c.header(HEADERS.rateRemaining, '0');
	return refuseRequest(c, 429, REFUSALS.tooManyAttempts);
};

/** Lets the service do its work and then answers something else. */
const afterwards =
	(answer: (c: Call, fault: Fault) => Response | Promise<Response>): Misbehaviour =>
	async (c, next, fault) => {
		await next();
		const replacement = await answer(c, fault);
		c.res = undefined;
		c.res = replacement;
	};

/** Cuts the connection; without one (a request made in the process) there is nothing to cut. */
const cut = (c: Call): Response => {
	const socket = c.env?.incoming?.socket;
	if (!socket) return refuseRequest(c, 500, 'This fault needs a network connection.');
	socket.resetAndDestroy();
	return RESPONSE_ALREADY_SENT;
};

/** Never answers; ends when the caller goes away. */
const hang = async (c: Call): Promise<Response> => {
	const socket = c.env?.incoming?.socket;
	if (!socket) return refuseRequest(c, 500, 'This fault needs a network connection.');
	if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
	return RESPONSE_ALREADY_SENT;
};

/** Every way the service can misbehave (DESIGN.md §9): `…-after` means the request was carried out first. */
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
	html: async (c) => c.html(page, 502),
	'html-after': afterwards((c) => c.html(page, 502)),
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

/** The names of all kinds. */
export const FAULT_KINDS = Object.keys(MISBEHAVIOURS) as FaultKind[];

/** Faults to come, by path, in the order they were asked for. */
export class Faults {
	#byPath = new Map<string, Fault[]>();

	/** Lets the next requests to a path fail, after those already asked for. */
	add(path: string, fault: Fault): void {
		const queue = this.#byPath.get(path);
		if (queue) queue.push({ ...fault });
		else this.#byPath.set(path, [{ ...fault }]);
	}

	/** The fault for a request that has come to this path; it is used up. */
	take(path: string): Fault | undefined {
		const queue = this.#byPath.get(path);
		const fault = queue?.[0];
		if (!queue || !fault) return undefined;
		fault.times--;
		if (fault.times === 0) queue.shift();
		if (queue.length === 0) this.#byPath.delete(path);
		return fault;
	}

	/** Takes back what was asked for. */
	clear(): void {
		this.#byPath.clear();
	}

	/** What is still to come. */
	all(): Array<{ path: string } & Fault> {
		return [...this.#byPath].flatMap(([path, queue]) => queue.map((fault) => ({ path, ...fault })));
	}
}

/** Misbehaves where it was asked to. */
export const misbehave =
	(faults: () => Faults): MiddlewareHandler<Env> =>
	async (c, next) => {
		const fault = faults().take(c.req.path);
		if (!fault) return await next();
		c.set('fault', fault.kind);
		return await MISBEHAVIOURS[fault.kind](c, next, fault);
	};
