import type { IExecuteFunctions } from 'n8n-workflow';
import { reasonOf } from '../../reasonOf';
import { saveItem, type Arrival } from '../arrival';
import { recordNames } from '../begunList';
import { CheckMemory } from '../check/checkMemory';
import { tellBlock } from '../check/compareLines';
import type { TriggerCall } from '../nodeMemory';
import { Starter } from '../starter';

/** So many events may have begun before n8n saves that they have. */
const MOST_UNSAVED = 50;

/**
 * Records in n8n's table that events begin.
 *
 * @returns the names of those that have not begun before
 */
export async function recordBegun(
	call: TriggerCall<IExecuteFunctions>,
	arrivals: Arrival[],
): Promise<Set<string>> {
	const { context, memory } = call;
	const { inbox } = memory.part(Starter);
	const hasBegun = (name: string) => inbox.stateOf(name) === 'begun';
	const unknown = namesOf(arrivals).filter((name) => !hasBegun(name));
	let first = new Set<string>();
	try {
		if (unknown.length > 0) first = await recordNames(call, unknown);
	} catch (thrown) {
		// An event that may begin again after a restart is better than one that never begins.
		context.logger.error(
			`${context.getNode().name} cannot record which events have begun: ${reasonOf(thrown)}`,
		);
		first = new Set(unknown.filter((name) => !hasBegun(name)));
	}
	memory.part(CheckMemory).unsaved += first.size;
	return first;
}

/**
 * Says that no check has to bring events again. A text that is being passed to an execution is not that far: should the process
 * be killed meanwhile, the next one passes it on.
 */
export function settleBegun({ memory }: TriggerCall, arrivals: Arrival[]): void {
	const starter = memory.part(Starter);
	const checks = memory.part(CheckMemory);
	starter.markBegun(namesOf(arrivals));
	checks.settle(namesOf(arrivals));
	// The next event saves it, if one comes soon. Of a line, only what is saved shows that its block has ended.
	let isOfLine = false;
	for (const { event } of arrivals) {
		if (!('line' in event)) continue;
		isOfLine = true;
		checks.begun = checks.begun && tellBlock(checks.begun, event);
	}
	if (isOfLine || (starter.inbox.isEmpty && checks.unsaved >= MOST_UNSAVED)) {
		checks.unsaved = 0;
		void starter.startWith(saveItem()).catch(() => undefined);
	}
}

const namesOf = (arrivals: Arrival[]) => [...new Set(arrivals.map(({ name }) => name))];
