import { createHash } from 'crypto';
import type { IDataObject, IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import type { Clock } from '../clock';
import type { EventKind } from '../contract';
import { Memory, withMemory, type ProcessMemory } from '../processMemory';
import { Accounts } from '../service/account';
import { serviceTimeMs } from '../serviceTime';
import { Listeners } from '../waiting/listeners';
import type { Question } from '../waiting/question';
import { WaitingList } from '../waiting/waitingList';
import type { ServiceEvent } from './event';
import { readTriggerSettings, type TriggerContext, type TriggerSettings } from './settings';

/** A webhook that was registered with the service (§2.4). */
export type Registration = {
	/** The key pair it was registered with. */
	account: string;
	url: string;
	events: EventKind[];
	/**
	 * Tells whether the service signs with the present secret (`SigningSecrets`); no secret is saved. Empty where the service could
	 * not be reached, so that the next check registers.
	 */
	fingerprint: string;
};

/** How far the checks have come in the history. Times are the service's, as its rows tell them. */
export type HistoryState = {
	/** Older rows need no more checks. */
	sinceMs: number;
	/** Rows that are not older and need no execution (`rowDigest`): they have begun, or the workflow did not want them. */
	settled: string[];
	/** Outbound rows that had no final state yet (§3.1), and their place in time. */
	open: Record<string, number>;
	/** Handles of the newest rows. They show that the history under another key pair is the same one. */
	latest: string[];
};

/** What one check of the history leaves to the next. */
type CheckState = { account: string; kinds: EventKind[]; history: HistoryState };

/** When the last blocks of each line began that the workflow was told of, the newest last, and whether that one is over. */
export type LineBlocks = Record<string, { blocks: string[]; isOver: boolean }>;

/** All that the trigger keeps in the node's static data, the only place that n8n saves for it. */
type SavedState = {
	registration?: Registration;
	/**
	 * When a person published the workflow after a stop, how far the service's clock was ahead, if it had told its time, and whether
	 * checks were to bring what has come since.
	 */
	published?: { atMs: number; offsetMs?: number; hasChecks?: boolean };
	check?: CheckState;
	lines?: LineBlocks;
	questions?: Question[];
};

/** Most rows that are remembered as settled: those in view, and some that a check has not seen yet. */
export const MOST_SETTLED = 2_500;

/** The name of a row among the settled ones. n8n reads and saves all of them with every execution; 42 bits tell them apart. */
export function rowDigest(name: string): string {
	return createHash('sha256').update(name).digest('base64url').slice(0, 7);
}

/** What this process remembers of a trigger node, across its requests, checks and executions. */
export class NodeMemory extends Memory {
	/** When this process first had to do with the node. */
	readonly sinceMs = this.clock.nowMs();

	/** The static data that n8n saves with each execution that the trigger starts; undefined where the node does not listen. */
	data?: IDataObject;

	/** When this process stopped to listen; undefined while it listens. */
	stoppedAtMs?: number;

	/** When the last event came that the service has signed: then webhooks arrive. */
	signedAtMs = Number.NEGATIVE_INFINITY;

	/** From when on it may register again because of missed events. */
	registersAgainFromMs = Number.NEGATIVE_INFINITY;

	/** What the last check of the history left, with what was settled since; undefined before the first. */
	check?: CheckState;

	lines?: LineBlocks;

	checking?: Promise<void>;

	/** Whether this process has taken over the questions that were saved. */
	knowsQuestions = false;

	/** Whether a check of this process has worked. */
	hasChecked = false;

	/** Whether a person was told that checks do not work. */
	isTold = false;

	/** The values of the node's fields, as they were read last. */
	known?: { filledIn: string; settings: TriggerSettings };

	/** Says that events need no execution. */
	settle(names: string[]): void {
		const history = this.check?.history;
		if (!history) return;
		history.settled = [...history.settled, ...names.map(rowDigest)].slice(-MOST_SETTLED);
	}
}

class NodeMemories {
	readonly byNode = new Map<string, NodeMemory>();
}

/** One of n8n's calls to a trigger node: its context, and what this process remembers. */
export class TriggerCall<Context extends TriggerContext = TriggerContext> {
	/** Tells the node from every other node of this n8n: a copy of a workflow has nodes of the same IDs. */
	readonly nodeKey: string;
	readonly memory: NodeMemory;
	readonly clock: Clock;
	/** Whether a person tests the workflow in the editor. */
	readonly isTest: boolean;

	private read?: TriggerSettings;

	constructor(
		readonly context: Context,
		readonly processMemory: ProcessMemory,
	) {
		this.nodeKey = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
		const { byNode } = processMemory.part(NodeMemories);
		this.memory = byNode.get(this.nodeKey) ?? new NodeMemory(processMemory.clock);
		byNode.set(this.nodeKey, this.memory);
		this.clock = processMemory.clock;
		this.isTest = context.getMode() === 'manual';
	}

	/** The values of the node's fields, as they are in this call; read once for all calls with the same ones. */
	get settings(): TriggerSettings {
		if (this.read) return this.read;
		const { context, memory } = this;
		const filledIn = JSON.stringify(context.getNode().parameters);
		// An expression may give another value each time.
		if (memory.known?.filledIn !== filledIn || filledIn.includes('"=')) {
			memory.known = { filledIn, settings: readTriggerSettings(context) };
		}
		return (this.read = memory.known.settings);
	}

	/** @param message goes behind the node's name */
	warn(message: string): void {
		this.context.logger.warn(`${this.context.getNode().name}${message}`);
	}
}

/** Makes a method of the node class: n8n calls it with its context as `this`. */
export function inCall<Context extends TriggerContext, Result>(
	node: { memory: ProcessMemory },
	run: (call: TriggerCall<Context>) => Result,
): (this: Context) => Result {
	return withMemory(node, (context: Context, memory) => run(new TriggerCall(context, memory)));
}

/** Reads one field of what is saved for the node: `readSaved(context, 'registration')`. What cannot be read counts as not saved. */
export function readSaved<Field extends keyof SavedState>(
	context: Pick<TriggerContext, 'getWorkflowStaticData'>,
	field: Field,
): SavedState[Field] {
	const saved = context.getWorkflowStaticData('node')[field];
	try {
		return JSON.parse(String(saved)) as SavedState[Field];
	} catch {
		return undefined;
	}
}

/**
 * Writes fields of what is saved for the node. One that is undefined goes. n8n saves them when an execution starts and after a
 * webhook method, and keeps a copy of its own for the executions that the trigger starts, which gets them too, so that it never
 * overwrites what is newer.
 */
export function writeSaved({ context, memory, isTest }: TriggerCall, fields: SavedState): void {
	const copies = new Set([context.getWorkflowStaticData('node')]);
	// n8n does not save what a test in the editor writes.
	if (memory.data && !isTest) copies.add(memory.data);
	for (const [field, value] of Object.entries<unknown>(fields)) {
		for (const copy of copies) {
			if (value === undefined) delete copy[field];
			// Each as one text, as n8n watches every property.
			else copy[field] = JSON.stringify(value);
		}
	}
}

/** Writes all that the trigger knows where n8n saves it, with the next execution that starts or at the end of the publishing. */
export function saveProgress(call: TriggerCall): void {
	const { memory, nodeKey, processMemory } = call;
	const { check, lines } = memory;
	const listener = processMemory.part(Listeners).get(nodeKey);
	const questions = listener && processMemory.part(WaitingList).questionsOf(listener.account);
	writeSaved(call, { check, lines, ...(questions && { questions }) });
}

/** A workflow that is published again within this time has not stopped: n8n stops and starts it for that. */
const PUBLISHED_AGAIN_WITHIN_MS = 60_000;

/** What was made a few seconds before the publishing may have been made since, as clocks differ and tell whole seconds. */
const MADE_WITHIN_MS = 5_000;

/** The same where the service has not told its time. */
const UNKNOWN_CLOCK_TOLERANCE_MS = 30 * 60_000;

/** Whether the workflow begins anew, so that what came before does not start it. */
export function beginsAnew(call: TriggerCall<IHookFunctions | ITriggerFunctions>): boolean {
	const { clock, context, memory } = call;
	const mode = context.getActivationMode();
	if (mode !== 'update') return mode === 'activate';
	// A node can be switched off, or be new, while its workflow stays published.
	const isNew = !memory.check && !readSaved(context, 'published');
	const stoppedForMs = Math.abs(clock.nowMs() - (memory.stoppedAtMs ?? clock.nowMs()));
	return isNew || stoppedForMs > PUBLISHED_AGAIN_WITHIN_MS;
}

/**
 * Whether a throw is no way to tell a person: when n8n starts, it is shown to nobody and n8n gives the workflow up; when an
 * active workflow is published again, n8n sets it inactive, and what comes until the next publishing is lost.
 */
export function mustNotThrow(context: IHookFunctions | ITriggerFunctions): boolean {
	return ['init', 'leadershipChange', 'update'].includes(context.getActivationMode());
}

/**
 * Whether an event was made before a person published the workflow. The service delivers for 60 hours (§6.4). An event that does
 * not say when it was made was not: `outbound` in the flat form tells only when its message was sent.
 *
 * assumption: an event keeps its `created_at`, however often it is delivered (§2.5).
 */
export function isFromBeforePublishing(call: TriggerCall, event: ServiceEvent): boolean {
	const { context, processMemory } = call;
	const madeAt =
		event.createdAt ?? (event.kind === 'receive' ? event.message.date_sent : undefined);
	const { account = '' } = readSaved(context, 'registration') ?? {};
	const { clockOffsetMs = -UNKNOWN_CLOCK_TOLERANCE_MS } = processMemory.part(Accounts).of(account);
	const { atMs, offsetMs = clockOffsetMs } = readSaved(context, 'published') ?? { atMs: 0 };
	return serviceTimeMs(madeAt) + MADE_WITHIN_MS < atMs + offsetMs;
}
