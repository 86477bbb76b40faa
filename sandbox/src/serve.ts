import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { hostIn, HostNames, isEveryAddress } from './hostNames';
import type { Sandbox } from './sandbox';

/** A sandbox that listens on a port: its base URL, and a function that closes it. */
export type Served = { url: string; close: () => Promise<void> };

/** Where a sandbox listens. All of it is optional. */
export type ServeOptions = {
	/** Default 0, which takes a free port. */
	port?: number;
	/** The address to listen at; default 127.0.0.1, which only this machine reaches. */
	host?: string;
	/** Names to which the sandbox answers besides loopback names and `host`, for example the name of its container. */
	allowedHosts?: readonly string[];
};

/** Longer than callers keep an idle connection, so that none is closed while a request is on its way. */
const KEEP_ALIVE_MS = 75_000;

/**
 * Makes a sandbox listen, by default on loopback and a free port.
 * Rejects with Node's error (`code` EADDRINUSE, EACCES, …) when it cannot.
 */
export const serve = async (
	sandbox: Sandbox,
	{ port = 0, host = '127.0.0.1', allowedHosts = [] }: ServeOptions = {},
): Promise<Served> => {
	const names = new HostNames(host, allowedHosts);
	const server = createAdaptorServer({
		fetch: (request, env) =>
			names.include(request.url) ? sandbox.app.fetch(request, env) : refuseName(request),
	}) as Server;
	server.keepAliveTimeout = KEEP_ALIVE_MS;
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, host, () => {
			server.off('error', reject);
			resolve();
		});
	});
	return {
		url: urlOf(server.address() as AddressInfo),
		close: async () => {
			sandbox.close();
			await new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			});
		},
	};
};

/** Not every system opens the address that means all of them, so this machine's own stands in for it. */
const urlOf = ({ address, family, port }: AddressInfo): string => {
	if (family === 'IPv6') return `http://[${isEveryAddress(address) ? '::1' : address}]:${port}`;
	return `http://${isEveryAddress(address) ? '127.0.0.1' : address}:${port}`;
};

const refuseName = ({ url }: Request): Response => {
	const name = hostIn(url);
	const message = `The sandbox does not answer to the name "${name}". If it is yours, start it with --allow-host ${name}.`;
	return Response.json({ message }, { status: 403 });
};
