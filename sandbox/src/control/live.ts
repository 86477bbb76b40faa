import { streamSSE } from 'hono/streaming';
import type { Change } from '../changes';
import type { Call } from '../http';
import type { World } from '../world';

/**
 * GET /sandbox/events: server-sent events that say what kind of thing has changed; the page then reads it.
 * A kind that changes several times while an event is being written is sent once, so that a slow listener does not
 * fall behind.
 */
export const live = (c: Call, world: World) =>
	streamSSE(c, async (stream) => {
		await stream.writeSSE({ event: 'hello', data: '{}' });
		const unsent = new Set<Change['type']>();
		let isSending = false;
		const sendChanges = async () => {
			if (isSending) return;
			isSending = true;
			for (const type of unsent) {
				unsent.delete(type);
				await stream.writeSSE({ event: 'change', data: JSON.stringify({ type }) });
			}
			isSending = false;
		};
		await new Promise<void>((resolve) => {
			const unsubscribe = world.changes.subscribe(({ type }) => {
				unsent.add(type);
				void sendChanges();
			});
			stream.onAbort(() => {
				unsubscribe();
				resolve();
			});
		});
	});
