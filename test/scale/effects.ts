import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What a run of the workflow under test tells of one of its items. */
export type Told = { handle: string; recovered: boolean; execution: string };

/** Counts what runs of a workflow did: each makes one request that lists its items. */
export class Effects {
	readonly all: Told[] = [];

	/** Requests that came: runs that got as far as their second step with an item. */
	runs = 0;

	private constructor(
		private readonly server: Server,
		/** Where the workflow tells. */
		readonly url: string,
	) {}

	static async listen(): Promise<Effects> {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const effects = new Effects(server, `http://127.0.0.1:${port}/`);
		server.on('request', (request, response) => {
			void json(request).then((told) => {
				effects.runs += 1;
				effects.all.push(...(told as Told[]));
				response.setHeader('content-type', 'application/json').end('{}');
			});
		});
		return effects;
	}

	/** How often something was done about each message. */
	counts(): Map<string, number> {
		const counts = new Map<string, number>();
		for (const { handle } of this.all) counts.set(handle, (counts.get(handle) ?? 0) + 1);
		return counts;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}
