import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What the workflow under test did about one event. */
export type Effect = {
	/** The event's kind. */
	event: string;
	/** What the event is about: the message, or the line. */
	handle: string;
	/** Whether a check brought it. */
	recovered: boolean;
	/** Which of the workflow's requests told it; each run makes one. */
	request: number;
	/** How long after the counter began, in milliseconds. */
	atMs: number;
};

/**
 * Counts what runs of a workflow did: each makes one request that lists its items. Runs alone prove nothing, as n8n
 * keeps rows of those that were cut off before they did anything.
 */
export class Effects {
	readonly all: Effect[] = [];

	private requests = 0;

	private constructor(
		private readonly server: Server,
		/** Where the workflow reports to. */
		readonly url: string,
	) {}

	static async listen(): Promise<Effects> {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const effects = new Effects(server, `http://127.0.0.1:${port}/`);
		server.on('request', (request, response) => {
			void text(request).then((body) => {
				effects.note(JSON.parse(body) as Array<Omit<Effect, 'request' | 'atMs'>>);
				response.end('{}');
			});
		});
		return effects;
	}

	/** How often the workflow did something about each event. */
	counts(): Map<string, number> {
		const counts = new Map<string, number>();
		for (const { event, handle } of this.all) {
			const name = `${event} ${handle}`;
			counts.set(name, (counts.get(name) ?? 0) + 1);
		}
		return counts;
	}

	/** Forgets what was counted. */
	clear(): void {
		this.all.length = 0;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private note(items: Array<Omit<Effect, 'request' | 'atMs'>>): void {
		this.requests += 1;
		for (const item of items) {
			this.all.push({ ...item, request: this.requests, atMs: Math.round(performance.now()) });
		}
	}
}
