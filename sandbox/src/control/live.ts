import { streamSSE } from 'hono/streaming';
import type { Call } from '../http';
import type { World } from '../world';

/** GET /sandbox/events: server-sent events that say what kind of thing changed; the page then asks. */
export const live = (c: Call, world: World) =>
	streamSSE(c, async (stream) => {
		await stream.writeSSE({ event: 'hello', data: '{}' });
		await new Promise<void>((resolve) => {
			const unsubscribe = world.changes.subscribe((change) => {
				void stream.writeSSE({ event: 'change', data: JSON.stringify(change) });
			});
			stream.onAbort(() => {
				unsubscribe();
				resolve();
			});
		});
	});
