import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { endWithoutItems } from '../../n8n/alwaysOutputData';
import { offerAnswers } from '../answers/offerAnswers';
import { completeMessages } from '../complete/completeMessages';
import { readHandover, type AnswerHandover, type Arrival, type EventHandover } from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { registerAfterMisses } from '../registration/registerAgain';
import { readItemSettings } from '../settings';
import { toOutputItems } from '../texts/combineTexts';
import { waitForMoreTexts } from '../texts/waitForMoreTexts';
import { addToBegunList, recordBegun } from './recordBegun';

/**
 * Lets the events that `webhook()` and `poll()` handed over into the workflow, each of them once, also across
 * restarts: an event that has begun before is dropped here.
 */
export async function startRuns(
	call: TriggerCall<IExecuteFunctions>,
): Promise<INodeExecutionData[]> {
	const { simplify, combineSeconds } = readItemSettings(call.caller);
	const given = call.caller
		.getInputData()
		.map((item, index): Arrival => ({ item, handover: readHandover(item), index }));
	switch (call.caller.getMode()) {
		case 'webhook':
		case 'trigger': {
			const arrivals = await waitForMoreTexts(call, given, combineSeconds * 1_000);
			const { begun, missed } = await beginOnce(call, arrivals);
			const left = await offerAnswers(call, begun);
			// What has begun must not wait for the service, or a kill meanwhile would lose it.
			if (missed > 0) void registerAfterMisses(call, missed, (name) => isFirst(call, name));
			// Everything that came has begun before, waits elsewhere, or has answered a question.
			if (left.length === 0) endWithoutItems(call.caller);
			return toOutputItems(await completeMessages(call, left), simplify);
		}
		case 'retry':
			// A person asks for this execution once more, so nothing is dropped.
			await recordBegun(call, given.flatMap(toEvent));
			return toOutputItems(await completeMessages(call, given), simplify);
		default:
			// A test in the editor runs whatever it is given, and records nothing.
			return toOutputItems(await completeMessages(call, given), simplify);
	}
}

/**
 * Records that events begin, and drops those that have begun before.
 *
 * @returns what has begun now, and how many events of it no webhook had brought
 */
async function beginOnce(
	call: TriggerCall<IExecuteFunctions>,
	arrivals: Arrival[],
): Promise<{ begun: Arrival[]; missed: number }> {
	const events = arrivals.flatMap(toEvent);
	const first = await recordBegun(call, events);
	const missed = events.filter(({ isMissed, name }) => isMissed && first.has(name)).length;
	const begun = arrivals.filter((arrival) => {
		const [event] = toEvent(arrival);
		// Of several events with one name only the first begins.
		return !event || first.delete(event.name);
	});
	return { begun, missed };
}

/** Whether nothing of this name has begun in any process. */
async function isFirst(call: TriggerCall<IExecuteFunctions>, name: string): Promise<boolean> {
	return (await addToBegunList(call, [name])).has(name);
}

function toEvent({ handover }: Arrival): Array<EventHandover | AnswerHandover> {
	return handover && handover.kind !== 'save' ? [handover] : [];
}
