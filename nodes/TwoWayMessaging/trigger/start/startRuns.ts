import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { endWithoutItems } from '../../n8n/alwaysOutputData';
import { offerAgain, offerAnswers, settleAnswer } from '../answers/offerAnswers';
import { nameAsAnswer } from '../answers/passedNames';
import { attachMedia } from '../complete/attachMedia';
import { completeMessages } from '../complete/completeMessages';
import { leaveOutUnwanted } from '../complete/leaveOutUnwanted';
import { EventStandings } from '../eventStandings';
import {
	namesOf,
	readHandover,
	type AnswerHandover,
	type Arrival,
	type EventHandover,
	type Handover,
} from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { RunsUnderWay } from '../runsUnderWay';
import { registerAfterMisses } from '../registration/registerAgain';
import { readItemSettings, type ItemSettings } from '../settings';
import { toOutputItems } from '../texts/combineTexts';
import { waitForMoreTexts } from '../texts/waitForMoreTexts';
import { addToBegunList, recordBegun, recordPassed } from './recordBegun';
import { endLending } from './startEach';
import { groupOf, StartQueue } from './startQueue';

/**
 * Lets the events that `webhook()` and `poll()` handed over into the workflow, each of them once, also across
 * restarts: an event that has begun before is dropped here.
 */
export async function startRuns(
	call: TriggerCall<IExecuteFunctions>,
): Promise<INodeExecutionData[]> {
	const settings = readItemSettings(call.caller);
	const given = call.caller
		.getInputData()
		.map((item, index): Arrival => ({ item, handover: readHandover(item), index }));
	switch (call.caller.getMode()) {
		case 'webhook':
		case 'trigger': {
			const [spares, own] = split(given, ({ handover }) => isSpare(handover));
			const arrivals = await waitForMoreTexts(call, own, settings.combineSeconds * 1_000);
			const groups = [arrivals, ...inGroups(spares)];
			const { begun, cutOff, hasMissed } = await beginFirst(call, groups, settings);
			if (spares.length > 0) endLending(call);
			const record = async (name: string) => await recordPassed(call, name);
			const left = await offerAnswers(call, begun, record);
			left.push(...(await offerAgain(call, cutOff, record)));
			if (hasMissed) void registerAfterMisses(call, (name) => isFirst(call, name));
			// Everything that came has begun before, waits elsewhere, or has answered a question.
			const items = await toItems(call, left, settings);
			if (items.length === 0) endWithoutItems(call.caller);
			return items;
		}
		case 'retry':
			// A person asks for this execution once more, so nothing is dropped but what was only lent to it.
			return await startAgain(
				call,
				given.filter(({ handover }) => !isSpare(handover)),
				settings,
			);
		default:
			// A test in the editor runs whatever it is given, and records nothing.
			return await toItems(call, await completeMessages(call, given, settings.simplify), settings);
	}
}

async function startAgain(
	call: TriggerCall<IExecuteFunctions>,
	arrivals: Arrival[],
	settings: ItemSettings,
): Promise<INodeExecutionData[]> {
	const complete = await completeMessages(call, arrivals, settings.simplify);
	await recordBegun(call, complete.flatMap(toEvent));
	return await toItems(call, complete, settings);
}

/** The workflow's items, with all that belongs to them. */
async function toItems(
	call: TriggerCall<IExecuteFunctions>,
	arrivals: Arrival[],
	{ simplify, downloadMedia }: ItemSettings,
): Promise<INodeExecutionData[]> {
	const items = toOutputItems(leaveOutUnwanted(call, arrivals), simplify);
	return downloadMedia ? await attachMedia(call, items) : items;
}

/**
 * Begins the first of the groups in which something has not begun before; the others stay as they are.
 */
async function beginFirst(
	call: TriggerCall<IExecuteFunctions>,
	groups: Arrival[][],
	settings: ItemSettings,
) {
	const queue = call.memory.part(StartQueue);
	const cutOff: Arrival[] = [];
	let result = { begun: [] as Arrival[], hasMissed: false };
	for (const group of groups) {
		const { cutOff: more, ...begin } = await beginOnce(call, group, settings);
		result = begin;
		cutOff.push(...more);
		if (result.begun.length > 0) break;
	}
	// Nothing is left of texts that wait in another execution.
	if (groups.some((group) => group.length > 0)) queue.markRun(result.begun.length > 0);
	return { ...result, cutOff };
}

/**
 * Completes events, records that they begin, and drops those that have begun before. What waits for the service does so
 * before it is recorded, or a kill meanwhile would lose it.
 *
 * @returns what has begun now, the answers that have begun in an earlier process, which may not have passed them on, and
 * whether no webhook had brought some of it
 */
async function beginOnce(
	call: TriggerCall<IExecuteFunctions>,
	given: Arrival[],
	{ simplify }: ItemSettings,
): Promise<{ begun: Arrival[]; cutOff: Arrival[]; hasMissed: boolean }> {
	const arrivals = await completeMessages(call, given, simplify);
	const events = arrivals.flatMap(toEvent);
	giveUpNames(call, given.flatMap(toEvent), events);
	const standings = call.memory.part(EventStandings);
	const answers = arrivals.filter(
		({ handover }) => handover?.kind === 'answer' && standings.mayBegin(handover.name),
	);
	const first = await recordBegun(call, events);
	const cutOff: Arrival[] = [];
	for (const arrival of answers) {
		const { handover } = arrival;
		if (handover?.kind !== 'answer' || first.has(handover.name)) continue;
		if (!first.has(nameAsAnswer(handover))) cutOff.push(arrival);
		// It has started the workflow, and so it answers nothing, however often it comes.
		else await settleAnswer(call, handover, async (name) => await recordPassed(call, name));
	}
	const hasMissed = events.some(({ isMissed, name }) => isMissed && first.has(name));
	const begun = arrivals.filter((arrival) => {
		const [event] = toEvent(arrival);
		// Of several events with one name only the first begins.
		return !event || first.delete(event.name);
	});
	return { begun, cutOff, hasMissed };
}

/** Lets go of the names that events turn out not to have, now that they are complete. */
function giveUpNames(
	{ memory, nodeKey, processMemory }: TriggerCall,
	before: Array<EventHandover | AnswerHandover>,
	after: Array<EventHandover | AnswerHandover>,
): void {
	const names = new Set(after.flatMap(namesOf));
	for (const name of before.flatMap(namesOf).filter((one) => !names.has(one))) {
		memory.part(EventStandings).markNotBegun(name);
		processMemory.part(RunsUnderWay).markBegun(nodeKey, name);
	}
}

/** Whether nothing of this name has begun in any process. */
async function isFirst(call: TriggerCall<IExecuteFunctions>, name: string): Promise<boolean> {
	return (await addToBegunList(call, [name])).has(name);
}

function isSpare(handover: Handover | undefined): boolean {
	return handover !== undefined && handover.kind !== 'save' && handover.isSpare === true;
}

/** The arrivals that become one item each, or several texts that become one together. */
function inGroups(arrivals: Arrival[]): Arrival[][] {
	const groups = new Map<string, Arrival[]>();
	for (const arrival of arrivals) {
		for (const event of toEvent(arrival)) {
			const key = groupOf(event);
			groups.set(key, [...(groups.get(key) ?? []), arrival]);
		}
	}
	return [...groups.values()];
}

/** The elements that are so, and those that are not. */
function split<Element>(
	elements: Element[],
	isSo: (element: Element) => boolean,
): [Element[], Element[]] {
	return [elements.filter(isSo), elements.filter((element) => !isSo(element))];
}

function toEvent({ handover }: Arrival): Array<EventHandover | AnswerHandover> {
	return handover && handover.kind !== 'save' ? [handover] : [];
}
