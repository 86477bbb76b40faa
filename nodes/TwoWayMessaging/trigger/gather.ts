import type { IExecuteFunctions } from 'n8n-workflow';
import { pause } from '../transport/pause';
import { leftMs, type Burst } from './burst';
import type { Arrival } from './combine';
import type { Handover } from './item';
import type { NodeMemory } from './memory';
import { processMemory } from '../processMemory';

/**
 * Lets the texts of one conversation meet. The execution of the first one waits until no more of them have
 * come for a while and gets them all; those of the others get nothing, and end. What a check brings is old
 * enough: it goes on at once, unless somebody waits for more of its conversation.
 *
 * Nothing that waits counts as begun yet, so that a check brings it if this process ends before.
 *
 * @param quietMs how long nothing may have come; 0 lets everything go on by itself
 * @throws NodeOperationError when the execution is cancelled while it waits; its texts stay
 */
export async function gather(
	execution: IExecuteFunctions,
	memory: NodeMemory,
	arrivals: Arrival[],
	quietMs: number,
): Promise<Arrival[]> {
	if (quietMs === 0) return arrivals;
	const isLive = execution.getMode() === 'webhook';
	const gathered = arrivals.map(async (arrival) => {
		const { handover, index } = arrival;
		const conversation = handover?.text?.conversation;
		const nowMs = Date.now();
		if (!handover || conversation === undefined) return [arrival];
		// What has begun has nobody to wait for.
		if (memory.seen.standing(handover.key, nowMs) === 'settled') return [arrival];
		if (!isLive && !memory.bursts.isAwaited(conversation)) return [arrival];
		for (const name of namesOf(handover)) memory.seen.hold(name, nowMs);
		const burst = memory.bursts.join(conversation, handover.key, arrival, nowMs);
		if (!burst) return [];
		const texts = await untilQuiet(execution, memory, burst, quietMs);
		return texts.map((one) => ({ ...one, index }));
	});
	return (await Promise.all(gathered)).flat();
}

async function untilQuiet(
	execution: IExecuteFunctions,
	memory: NodeMemory,
	burst: Burst<Arrival>,
	quietMs: number,
): Promise<Arrival[]> {
	let isQuiet = false;
	try {
		for (;;) {
			const waitMs = leftMs(burst, quietMs, Date.now());
			isQuiet = waitMs <= 0;
			if (isQuiet) return memory.bursts.end(burst);
			await pause({ caller: execution, clock: processMemory.clock }, waitMs);
		}
	} finally {
		if (!isQuiet) leave(memory, burst);
	}
}

/** The next text of the conversation takes along what is left, or the next check brings it. */
function leave({ bursts, seen }: NodeMemory, burst: Burst<Arrival>): void {
	bursts.leave(burst);
	for (const { handover } of burst.texts.values()) {
		for (const name of namesOf(handover)) seen.giveBack(name, Date.now());
	}
}

function namesOf(handover: Handover | undefined): string[] {
	return [handover?.key, handover?.eventId].filter((name) => name !== undefined);
}
