import type { INodeExecutionData } from 'n8n-workflow';
import { isFields } from '../message';
import { Bursts } from './burst';
import type { Arrival } from './combine';
import { nothingHeard, type Heard, type LineStates } from './lines';
import type { HistoryState } from './reconcile';
import { Recorder } from './record';
import { SeenList } from './seen';
import type { TriggerCaller } from './settings';

/** What a check leaves to the next one, in memory and in the node's static data. */
export type CheckState = {
	/** The credential whose history and lines were checked. */
	account: string;
	history: HistoryState;
	/** Absent while the node listens to no line events. */
	lines?: LineStates;
};

/** What this process remembers of one trigger node, across its requests, checks and executions. */
export type NodeMemory = {
	seen: SeenList;
	recorder: Recorder;
	/** Texts that wait for more of their conversation. */
	bursts: Bursts<Arrival>;
	/** What webhooks told of lines. */
	heard: Heard;
	/** What the last check left, which n8n has saved only if it started an execution. */
	check?: CheckState;
	isChecking: boolean;
	/** Handles of the rows that the last check held back. */
	held: ReadonlySet<string>;
	/** Whether webhooks or checks of the node come to this process: then it knows what the durable list has to keep. */
	isServed: boolean;
	/** Entries of the durable list that a check after a restart would ask for, at the last save; unknown before. */
	keptAtSave?: number;
	begunSinceSave: number;
	/** When this process last registered anew for what a check had to bring. */
	renewedAtMs?: number;
	/** The item of an event that has begun, which can be handed over again without starting anything. */
	lastBegun?: INodeExecutionData;
};

const memories = new Map<string, NodeMemory>();

/** The memory of the node that n8n is calling; made at the first call. */
export function memoryOf(caller: TriggerCaller): NodeMemory {
	const key = `${caller.getWorkflow().id ?? ''} ${caller.getNode().id}`;
	let memory = memories.get(key);
	if (!memory) {
		memory = {
			seen: new SeenList(),
			recorder: new Recorder(),
			bursts: new Bursts(),
			heard: nothingHeard(),
			isChecking: false,
			held: new Set(),
			isServed: false,
			begunSinceSave: 0,
		};
		memories.set(key, memory);
	}
	return memory;
}

/** What the checks last saved in the node's static data. */
export function storedCheck(caller: TriggerCaller): CheckState | undefined {
	const stored = caller.getWorkflowStaticData('node').check;
	return isFields(stored) ? (stored as CheckState) : undefined;
}
