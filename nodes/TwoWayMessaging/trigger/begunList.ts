import type { IExecuteFunctions } from 'n8n-workflow';
import { addProcessedNames, TableTurns } from '../n8n/processedData';
import { Rounds } from '../queue';
import { Listeners } from '../waiting/listeners';
import { WaitingList } from '../waiting/waitingList';
import { writeSaved, type TriggerCall } from './nodeMemory';

/** Names kept in one row of n8n's table, about 27 bytes each: those of all events that may come again. */
const MOST_NAMES = 10_000;

/** The names that are about to be written into n8n's table of processed data. */
class BegunList {
	readonly names: string[] = [];

	/** One group is written at a time, as each write reads and writes the whole list. Names that come meanwhile form the next. */
	readonly rounds = new Rounds<Set<string>>();
}

/**
 * Records in n8n's table that events begin. Where the node does not listen in this process, as in a worker of n8n's queue
 * mode, executions begin in several processes, of which one writes at a time.
 *
 * @returns those of the names that were not in the table; each is given to one caller only
 * @throws what n8n's table throws
 */
export async function recordNames(
	{ context, memory, processMemory }: TriggerCall<IExecuteFunctions>,
	names: string[],
): Promise<Set<string>> {
	const list = memory.part(BegunList);
	list.names.push(...names);
	// Any of those who wait may write: the row belongs to the node, not to the execution.
	const fresh = await list.rounds.join(async () => {
		const group = [...new Set(list.names.splice(0))];
		const write = async () => new Set(await addProcessedNames(context, group, MOST_NAMES));
		return memory.data ? await write() : await processMemory.part(TableTurns).take(context, write);
	});
	return new Set(names.filter((name) => fresh.delete(name)));
}

/** Writes all that the trigger knows where n8n saves it, with the next execution that starts or at the end of the publishing. */
export function saveProgress(call: TriggerCall): void {
	const { memory, nodeKey, processMemory } = call;
	const { check, lines } = memory;
	memory.unsaved = 0;
	const listener = processMemory.part(Listeners).get(nodeKey);
	const questions = listener && processMemory.part(WaitingList).questionsOf(listener.account);
	writeSaved(call, { check, lines, ...(questions && { questions }) });
}
