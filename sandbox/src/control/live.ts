import { streamSSE } from 'hono/streaming';
import type { Change } from '../changes';
import type { Call } from '../http';
import type { World } from '../world';

/**
 * GET /sandbox/events: server-sent events that say what kind of thing has changed; the page then reads it.
 * Changes are gathered: a listener hears a few times a second what has changed since it heard the last time, so that
 * many listeners and slow ones cost little.
 */
export const live = (c: Call, world: World) =>
	streamSSE(c, async (stream) => {
		await stream.writeSSE({ event: 'hello', data: '{}' });
		const unsent = new Set<Change['type']>();
		let isSending = false;
		const sendChanges = async () => {
			if (isSending) return;
			isSending = true;
			while (unsent.size > 0) {
				const types = [...unsent];
				unsent.clear();
				await stream.write(types.map(eventText).join(''));
			}
			isSending = false;
		};
		await new Promise<void>((resolve) => {
			const unsubscribe = world.changes.subscribeGathered((types) => {
				for (const type of types) unsent.add(type);
				void sendChanges();
			});
			stream.onAbort(() => {
				unsubscribe();
				resolve();
			});
		});
	});

const eventText = (type: Change['type']): string =>
	`event: change\ndata: ${JSON.stringify({ type })}\n\n`;
