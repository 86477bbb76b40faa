import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Sandbox } from './sandbox';

/** A sandbox that listens on a port: its base URL, and a function that closes it. */
export type Served = { url: string; close: () => Promise<void> };

/** Longer than callers keep an idle connection, so that none is closed while a request is on its way. */
const KEEP_ALIVE_MS = 75_000;

/**
 * Makes a sandbox listen, by default on loopback and a free port.
 * Rejects with Node's error (`code` EADDRINUSE, EACCES, …) when it cannot.
 */
export const serve = async (
	sandbox: Sandbox,
	{ port = 0, host = '127.0.0.1' }: { port?: number; host?: string } = {},
): Promise<Served> => {
	const server = createAdaptorServer({
		fetch: sandbox.app.fetch,
	}) as Server;
	server.keepAliveTimeout = KEEP_ALIVE_MS;
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, host, () => {
			server.off('error', reject);
			resolve();
		});
	});
	const address = server.address() as AddressInfo;
	const hostInUrl = address.family === 'IPv6' ? `[${address.address}]` : address.address;
	return {
		url: `http://${hostInUrl}:${address.port}`,
		close: async () => {
			sandbox.close();
			await new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			});
		},
	};
};
