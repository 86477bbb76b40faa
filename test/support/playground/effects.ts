import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What the workflow under test has reported about one event. */
export type Effect = {
	/** The event's kind. */
	event: string;
	/** The handle of the message or of the line that the event is about. */
	handle: string;
	/** Whether a check found the event. */
	recovered: boolean;
	/** The workflow that reports it, and the trigger that the event has started. */
	trigger: string;
};

/**
 * Collects what the executions of a workflow report: each of them sends one request with its items. Counting
 * executions would prove nothing, because n8n also keeps rows of those that ended before they did anything.
 */
export class Effects {
	readonly all: Effect[] = [];

	/** How many requests have brought them. */
	requests = 0;

	private constructor(
		private readonly server: Server,
		/** The workflow sends its report to this URL. */
		readonly url: string,
	) {}

	/** Starts to listen on a free port of this machine. */
	static async listen(): Promise<Effects> {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const effects = new Effects(server, `http://127.0.0.1:${port}/`);
		server.on('request', (request, response) => {
			void json(request).then((items) => {
				effects.requests += 1;
				effects.all.push(...(items as Effect[]));
				response.setHeader('content-type', 'application/json').end('{}');
			});
		});
		return effects;
	}

	/** How many effects each event has had, by the event's name: `receive <handle>`. */
	counts(): Map<string, number> {
		const counts = new Map<string, number>();
		for (const { event, handle } of this.all) {
			const name = `${event} ${handle}`;
			counts.set(name, (counts.get(name) ?? 0) + 1);
		}
		return counts;
	}

	/** Removes every effect. */
	clear(): void {
		this.requests = 0;
		this.all.length = 0;
	}

	/** Stops listening. */
	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}
