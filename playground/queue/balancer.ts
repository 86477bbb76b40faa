import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { LOOPBACK } from '../machine';
import { SERVED_BY, type Balancing, type Listening } from './balancerProcess';

/** Paths that webhook processors serve; n8n's tests of webhooks are known to the main process only. */
const PRODUCTION = /^\/(webhook|webhook-waiting|form|form-waiting|mcp)\//;

const ANSWER_WITHIN_MS = 60_000;

/**
 * Balances production webhooks over the processors in turn, and gives everything else to the main process.
 * A processor that refuses the connection, or breaks it before it has answered, is passed over: the next one
 * gets the request, whole. So an event may reach two processors, which the trigger tells.
 */
const startBalancer = async ({ port, ...upstreams }: Balancing): Promise<void> => {
	// It is a module of the newer kind, which a program of the older kind loads like this.
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

	/** What broke before an answer came, if anything did. */
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
		const isProduction = PRODUCTION.test(request.url ?? '');
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
	// A caller's idle connection is not cut while its next request is on its way.
	server.keepAliveTimeout = 75_000;
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, LOOPBACK, resolve);
	});
};

const refuse = (response: ServerResponse): void => {
	if (response.headersSent) response.destroy();
	else response.writeHead(503, { 'content-type': 'text/plain' }).end('n8n is not there right now');
};

const tell = (listening: Listening): void => void process.send?.(listening);

process.once('disconnect', () => process.exit(0));
// A terminal's Ctrl-C is the playground's to act on.
process.on('SIGINT', () => undefined);
process.once('message', (balancing: Balancing) => {
	startBalancer(balancing).then(
		() => tell({}),
		(error: unknown) => tell({ refusal: String(error) }),
	);
});
