import axios from 'axios';
import { SERVED_BY } from '../../playground/queue/balancerProcess';
import type { PostRequest } from '../../sandbox/src';
import { waitUntil } from '../support/waitUntil';

const GIVE_UP_AFTER_MS = 120_000;

/**
 * Delivers each event twice, to different webhook processors: first through the balancer, as the service does, and then
 * directly to the processor that has not got it. It waits for a processor that does not answer.
 */
export class DoubleDeliveries {
	/** How many events were answered 2xx twice. */
	delivered = 0;

	/** How many first deliveries failed, which the service counts (§3.3). */
	failures = 0;

	/** The URLs of the webhook processors. A test sets them when the processors are ready. */
	processors: string[] = [];

	/** Whether every delivery of new events fails, also later. */
	isCut = false;

	private readonly cut = new Set<string>();

	private readonly open = new Set<Promise<void>>();

	readonly post = async (request: PostRequest): Promise<{ status: number; excerpt: string }> => {
		if (this.isCut) this.cut.add(request.body);
		if (this.cut.has(request.body)) throw new Error('The connection was cut');
		try {
			const { status, headers } = await deliver(request.url, request, request.timeoutMs);
			const servedBy = Number(headers[SERVED_BY]);
			if (status < 300) this.deliverAgain(request, servedBy);
			else this.failures += 1;
			return { status, excerpt: '' };
		} catch (thrown) {
			this.failures += 1;
			throw thrown;
		}
	};

	/** How many deliveries wait for a processor to start or to answer. */
	get underWay(): number {
		return this.open.size;
	}

	/** Resolves when every event has been delivered twice. */
	async settled(): Promise<void> {
		while (this.open.size > 0) await Promise.all(this.open);
	}

	private deliverAgain(request: PostRequest, servedBy: number): void {
		const { pathname } = new URL(request.url);
		const [processor] = this.processors.filter((_, at) => at !== servedBy);
		const delivery = deliverUntil2xx(`${processor}${pathname}`, request).then(() => {
			this.delivered += 1;
			this.open.delete(delivery);
		});
		this.open.add(delivery);
	}
}

const deliverUntil2xx = async (url: string, request: PostRequest): Promise<void> => {
	const look = async () => {
		const { status } = await deliver(url, request, 30_000).catch(() => ({ status: 0 }));
		return status >= 200 && status < 300 ? true : undefined;
	};
	await waitUntil(`a 2xx of ${url}`, look, GIVE_UP_AFTER_MS);
};

const deliver = async (url: string, { headers, body }: PostRequest, timeoutMs: number) =>
	await axios.post(url, body, {
		headers,
		timeout: timeoutMs,
		proxy: false,
		validateStatus: () => true,
		transformRequest: (text: string) => text,
	});
