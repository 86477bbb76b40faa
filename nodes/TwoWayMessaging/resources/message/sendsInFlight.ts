import type { SendRequest } from '../../contract';
import { keptText } from './keptText';

/**
 * The messages of this process that are on their way to the service. A row of the history may be one of them as well as a
 * message whose answer was lost, if both say the same to the same number.
 *
 * ```ts
 * const end = sendsInFlight.begin(key); // the request goes out
 * end(); // its answer has come, or was lost
 * ```
 */
export class SendsInFlight {
	private readonly sends = new Map<string, Set<Promise<void>>>();

	/** @returns what to call when the try has ended and what its answer says is remembered */
	begin(key: string): () => void {
		let end = () => {};
		const ended = new Promise<void>((resolve) => {
			end = resolve;
		});
		const others = this.sends.get(key) ?? new Set();
		this.sends.set(key, others.add(ended));
		return () => {
			others.delete(ended);
			if (others.size === 0 && this.sends.get(key) === others) this.sends.delete(key);
			end();
		};
	}

	/** Resolves when those have ended that are on their way now; undefined when there are none. */
	ended(key: string): Promise<void> | undefined {
		const sends = this.sends.get(key);
		return sends && Promise.all(sends).then(() => undefined);
	}
}

/** What two messages have in common that the history cannot tell apart. */
export function keyOfSend(accountId: string, { number, content, media_url }: SendRequest): string {
	return JSON.stringify([accountId, number, keptText(content), Boolean(media_url)]);
}
