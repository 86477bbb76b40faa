import { streamSSE } from 'hono/streaming';
import type { Change } from '../changes';
import type { Call } from '../http';
import type { World } from '../world';

/**
 * GET /sandbox/events: server-sent events that say what kind of thing changed; the page then asks.
 * What changes while an onlooker is still being told is told once, so that none falls behind.
 */
export const live = (c: Call, world: World) =>
	streamSSE(c, async (stream) => {
		await stream.writeSSE({ event: 'hello', data: '{}' });
		const untold = new Set<Change['type']>();
		let isTelling = false;
		const tell = async () => {
			if (isTelling) return;
			isTelling = true;
			for (const type of untold) {
				untold.delete(type);
				await stream.writeSSE({ event: 'change', data: JSON.stringify({ type }) });
			}
			isTelling = false;
		};
		await new Promise<void>((resolve) => {
			const unsubscribe = world.changes.subscribe(({ type }) => {
				untold.add(type);
				void tell();
			});
			stream.onAbort(() => {
				unsubscribe();
				resolve();
			});
		});
	});
