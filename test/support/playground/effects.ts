import { startStub } from '../stub';

/** What the workflow under test has reported about one event. */
export type Effect = {
	event: string;
	/** The handle of the message or of the line that the event is about. */
	handle: string;
	recovered: boolean;
};

/**
 * Collects what the executions of a workflow report: each of them sends one request with its items. Counting
 * executions would prove nothing, because n8n also keeps rows of those that ended before they did anything.
 */
export class Effects {
	readonly all: Effect[] = [];

	requests = 0;

	private constructor(private readonly stub: { url: string; stop: () => Promise<void> }) {}

	static async listen(): Promise<Effects> {
		const stub = await startStub(({ body }) => {
			effects.requests += 1;
			effects.all.push(...(JSON.parse(String(body)) as Effect[]));
			stub.requests.length = 0;
			return {};
		});
		const effects: Effects = new Effects(stub);
		return effects;
	}

	get url(): string {
		return `${this.stub.url}/`;
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

	clear(): void {
		this.requests = 0;
		this.all.length = 0;
	}

	async close(): Promise<void> {
		await this.stub.stop();
	}
}
