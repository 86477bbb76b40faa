import type { IExecuteFunctions } from 'n8n-workflow';
import { addProcessedNames } from '../../n8n/processedData';
import { withRowLock } from '../../n8n/rowLock';
import { reasonOf } from '../../reasonOf';
import { namesToBegin } from '../answers/passedNames';
import { EventStandings } from '../eventStandings';
import { namesOf, type AnswerHandover, type EventHandover } from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { RunsUnderWay } from '../runsUnderWay';
import { BegunList, type WriteNames } from './begunList';
import { ProcessRole } from './processRole';

/**
 * Records that events begin, in this process's memory and in n8n's table.
 *
 * @returns the names (`namesToBegin`) of what has not begun before; each stands for one of the events that carry it
 */
export async function recordBegun(
	call: TriggerCall<IExecuteFunctions>,
	events: Array<EventHandover | AnswerHandover>,
): Promise<Set<string>> {
	const { caller, memory, nodeKey, processMemory } = call;
	const standings = memory.part(EventStandings);
	const runs = processMemory.part(RunsUnderWay);
	const mayBegin = (name: string) => standings.mayBegin(name);
	const names = [...new Set(events.flatMap(namesToBegin))].filter(mayBegin);
	let first = new Set<string>();
	try {
		if (names.length > 0) first = await addToBegunList(call, names);
	} catch (thrown) {
		// An event that may begin again after a restart is better than one that never begins.
		caller.logger.error(
			`${caller.getNode().name} cannot record which events have begun: ${reasonOf(thrown)}`,
		);
		first = new Set(names.filter(mayBegin));
	}
	memory.part(BegunList).countBegun(first.size);
	for (const name of events.flatMap(namesOf)) {
		standings.markBegun(name);
		runs.markBegun(nodeKey, name);
	}
	for (const { name, otherName } of events) {
		if (otherName && !first.delete(otherName)) first.delete(name);
	}
	return first;
}

/**
 * Records what has become of an answer, in the list of the events that have begun.
 *
 * @returns whether it was not recorded before
 * @throws what n8n's table throws
 */
export async function recordPassed(
	call: TriggerCall<IExecuteFunctions>,
	name: string,
): Promise<boolean> {
	const isFirst = (await addToBegunList(call, [name])).has(name);
	if (isFirst) call.memory.part(BegunList).countBegun(1);
	return isFirst;
}

/**
 * Adds names to the durable list of events that have begun.
 *
 * @returns those that were not in it
 * @throws what n8n's table throws
 */
export async function addToBegunList(
	call: TriggerCall<IExecuteFunctions>,
	names: string[],
): Promise<Set<string>> {
	const { memory, nodeKey, processMemory } = call;
	const runs = processMemory.part(RunsUnderWay);
	// Where other processes hand over the events, nobody here knows of those that are about to begin.
	const mayOthersJoin = (waiting: number) =>
		!memory.part(ProcessRole).receivesEvents || !runs.areFewerStarting(nodeKey, waiting + 1);
	return await memory.part(BegunList).add(names, writeNames(call), mayOthersJoin);
}

/**
 * Writes into n8n's table. Where executions begin in several processes, two may write at the same moment, and one
 * write would be lost: there one process writes at a time.
 */
function writeNames({ caller, clock, memory }: TriggerCall<IExecuteFunctions>): WriteNames {
	const write: WriteNames = async (names, maxEntries) =>
		await addProcessedNames(caller, names, maxEntries);
	if (memory.part(ProcessRole).receivesEvents) return write;
	return async (names, maxEntries) => {
		const locked = await withRowLock(caller, clock, async () => await write(names, maxEntries));
		return locked ? locked.result : await write(names, maxEntries);
	};
}
