import { serviceTimeMs } from '../../serviceTime';
import type { ServiceEvent } from '../event';

/** The latest block of each line whose event this process has handed over, by the line's handle. */
export class ToldBlocks {
	private readonly blockedAt = new Map<string, string>();

	/** Adds a block, unless a later one is known. */
	add(lineHandle: string, blockedAt: string): void {
		const known = this.blockedAt.get(lineHandle);
		if (known === undefined || serviceTimeMs(known) < serviceTimeMs(blockedAt)) {
			this.blockedAt.set(lineHandle, blockedAt);
		}
	}

	latest(lineHandle: string): string | undefined {
		return this.blockedAt.get(lineHandle);
	}
}

/**
 * When the block began that an event ends: the event itself does not say (§6.3).
 *
 * @param blocks the blocks whose events were handed over, as far as each process knows them
 * @returns undefined when none of them began before the event
 */
export function endedBlock(
	{ createdAt }: ServiceEvent,
	blocks: Array<string | null | undefined>,
): string | undefined {
	const createdAtMs = serviceTimeMs(createdAt);
	const endedAtMs = Number.isNaN(createdAtMs) ? Number.POSITIVE_INFINITY : createdAtMs;
	return blocks
		.filter((block) => typeof block === 'string')
		.filter((block) => serviceTimeMs(block) <= endedAtMs)
		.sort((one, other) => serviceTimeMs(other) - serviceTimeMs(one))[0];
}
