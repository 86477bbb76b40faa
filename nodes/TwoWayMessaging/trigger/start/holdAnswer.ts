import type { IWebhookFunctions } from 'n8n-workflow';
import type { TriggerCall } from '../nodeMemory';
import { Pressure } from '../pressure';
import { RunsUnderWay } from '../runsUnderWay';
import { StartQueue, type StartHandover } from './startQueue';

/** How often it is looked whether an execution has begun. */
const LOOK_EVERY_MS = 25;

/** An answer is held for 1.5 s at most; the service waits 5 s for it (§6.4). */
const MOST_LOOKS = 60;

/**
 * Holds the answer to an event whose execution starts later until it has begun or waits for something else, while answers
 * come soon. A service that sends over a few connections then sends no faster than executions begin, which would otherwise
 * stand still until the last request is answered. Where many requests come at once, all of them are answered at once.
 */
export async function holdAnswer(
	{ clock, memory, nodeKey, processMemory }: TriggerCall<IWebhookFunctions>,
	handover: StartHandover,
): Promise<void> {
	const queue = memory.part(StartQueue);
	const runs = processMemory.part(RunsUnderWay);
	const pressure = processMemory.part(Pressure);
	for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
		const isToBegin = queue.isLive(handover) || runs.isStarting(nodeKey, handover.name);
		if (!isToBegin || pressure.areAnswersLate()) return;
		await clock.sleep(LOOK_EVERY_MS);
	}
}
