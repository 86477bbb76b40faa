import type { IExecuteFunctions } from 'n8n-workflow';
import { pause } from '../../transport/pause';
import { EventStandings } from '../eventStandings';
import { namesOf, type Arrival } from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { RunsUnderWay } from '../runsUnderWay';
import { Bursts, type Burst } from './bursts';

/**
 * Brings the texts of one conversation together. The execution of the first text waits until no more of them have
 * come for a while, and gets all of them; the executions of the others get nothing, and end. What a check found is
 * old enough: it goes on at once, unless an execution waits for more texts of its conversation.
 *
 * A text that waits has not begun, so that a check finds it if this process ends first.
 *
 * @param quietMs how long no text may have come; 0 lets every text go on by itself
 * @throws NodeOperationError when the execution is cancelled while it waits; its texts stay
 */
export async function waitForMoreTexts(
	call: TriggerCall<IExecuteFunctions>,
	arrivals: Arrival[],
	quietMs: number,
): Promise<Arrival[]> {
	if (quietMs === 0) return arrivals;
	const { memory } = call;
	const bursts = memory.part(Bursts);
	const standings = memory.part(EventStandings);
	const runs = call.processMemory.part(RunsUnderWay);
	const gathered = arrivals.map(async (arrival) => {
		const { handover, index } = arrival;
		if (handover?.kind !== 'event' || !handover.text) return [arrival];
		const { conversation, isLive } = handover.text;
		if (!standings.mayBegin(handover.name)) return [arrival];
		if (!isLive && !bursts.hasExecution(conversation)) return [arrival];
		for (const name of namesOf(handover)) {
			standings.markWaiting(name);
			runs.markWaiting(call.nodeKey, name);
		}
		const burst = bursts.join(conversation, handover.name, arrival);
		if (!burst) {
			call.whyEmpty.add('joined');
			return [];
		}
		const texts = await waitUntilQuiet(call, burst, quietMs);
		return texts.map((text) => ({ ...text, index }));
	});
	return (await Promise.all(gathered)).flat();
}

async function waitUntilQuiet(
	call: TriggerCall<IExecuteFunctions>,
	burst: Burst,
	quietMs: number,
): Promise<Arrival[]> {
	const bursts = call.memory.part(Bursts);
	const standings = call.memory.part(EventStandings);
	let texts: Arrival[] | undefined;
	try {
		for (;;) {
			const leftMs = bursts.leftMs(burst, quietMs);
			if (leftMs <= 0) return (texts = bursts.end(burst));
			await pause(call, leftMs);
		}
	} finally {
		if (!texts) {
			// The next text of the conversation takes the texts along, or the next check finds them.
			bursts.abandon(burst);
			for (const name of [...burst.texts.values()].flatMap(namesOfText))
				standings.markNotBegun(name);
		}
	}
}

/** The names under which a text stands in this process. */
function namesOfText({ handover }: Arrival): string[] {
	return handover?.kind === 'event' ? namesOf(handover) : [];
}
