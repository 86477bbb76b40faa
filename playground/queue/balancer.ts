import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { LOOPBACK } from '../machine';
import { SERVED_BY, type Balancing, type Listening } from './balancerProcess';

/** Paths that webhook processors serve. Only the main process knows the webhooks of tests in the editor. */
const PRODUCTION_PATHS = /^\/(webhook|webhook-waiting|form|form-waiting|mcp)\//;

const ANSWER_WITHIN_MS = 60_000;

/**
 * Sends production webhooks to the processors in turn, and everything else to the main process. When a
 * processor refuses the connection, or breaks it before it has answered, the next one gets the whole request.
 * So an event may reach two processors; the trigger recognizes that.
 */
const startBalancer = async ({ port, ...upstreams }: Balancing): Promise<void> => {
	// httpxy is an ES module, which a CommonJS program can only load like this.
	const { createProxyServer } = await import('httpxy');
	const proxy = createProxyServer({ xfwd: true, proxyTimeout: ANSWER_WITHIN_MS });
	let turn = 0;

	const balance = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const { webhooks } = upstreams;
		const body = await buffer(request);
		const first = turn++;
		for (let tried = 0; tried < webhooks.length; tried += 1) {
			const at = (first + tried) % webhooks.length;
			const target = webhooks[at];
			response.setHeader(SERVED_BY, String(at));
			const refusal = await forward(request, response, target, body);
			if (refusal === undefined || response.headersSent) return;
		}
		refuse(response);
	};

	/** Forwards a request; returns what went wrong before an answer came, or undefined. */
	const forward = async (
		request: IncomingMessage,
		response: ServerResponse,
		target: string | undefined,
		body?: Buffer,
	): Promise<unknown> => {
		try {
			await proxy.web(request, response, {
				target,
				...(body && { buffer: Readable.from([body]) }),
			});
			return undefined;
		} catch (refusal) {
			return refusal;
		}
	};

	const server = createServer((request, response) => {
		const isProduction = PRODUCTION_PATHS.test(request.url ?? '');
		const answered = isProduction
			? balance(request, response)
			: forward(request, response, upstreams.main).then((refusal) => {
					if (refusal !== undefined) refuse(response);
				});
		answered.catch(() => refuse(response));
	});
	server.on('upgrade', (request, socket: Socket, head: Buffer) => {
		proxy.ws(request, socket, { target: upstreams.main }, head).catch(() => socket.destroy());
	});
	// Longer than callers keep an idle connection, so that none is closed while a request is on its way.
	server.keepAliveTimeout = 75_000;
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, LOOPBACK, resolve);
	});
};

const refuse = (response: ServerResponse): void => {
	if (response.headersSent) response.destroy();
	else
		response.writeHead(503, { 'content-type': 'text/plain' }).end('n8n does not answer right now');
};

const report = (listening: Listening): void => void process.send?.(listening);

process.once('disconnect', () => process.exit(0));
// A terminal sends Ctrl-C to every process; only the playground acts on it.
process.on('SIGINT', () => undefined);
process.once('message', (balancing: Balancing) => {
	startBalancer(balancing).then(
		() => report({}),
		(error: unknown) => report({ refusal: String(error) }),
	);
});
