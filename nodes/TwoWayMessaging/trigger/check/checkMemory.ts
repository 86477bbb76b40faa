import { serviceTimeMs } from '../../serviceTime';
import { MOST_SETTLED, rowDigest, settle } from './compareHistory';
import { BegunList } from '../begunList';
import { writeSaved } from '../listening';
import type { TriggerCall } from '../nodeMemory';
import type { LineContent, ServiceEvent } from '../event';
import type { CheckState, LineBlocks } from '../savedState';

type LineEvent = ServiceEvent & LineContent;

/** Ends of blocks that are remembered: the service delivers an event for 60 hours (§6.4). */
const MOST_ENDS = 1_000;

/** What this process remembers of a node's checks. */
export class CheckMemory {
	/** What the last check left. */
	private state?: CheckState;

	/** What was settled since then (`rowDigest`). */
	private settled: string[] = [];

	/** The block of each line of which the workflow was told last, or is about to be; and the last of which it has begun. */
	told?: LineBlocks;

	begun?: LineBlocks;

	/** The ends of blocks of which this process has told, and the latest time that the event of each can be from. */
	private ends: Array<{ line: string; block: string; untilMs: number }> = [];

	/** When this process first tried to check. What happens from then on is not too old, however long the service is away. */
	triedFromMs?: number;

	/** Whether the log says that the history's rows lack their senders. */
	isSenderlessLogged = false;

	/** Whether no check since the publishing has worked, so that the next one begins the history. */
	isFirstOwed = false;

	/** Whether a person was told that checks do not work. */
	isTold = false;

	/** How many events have begun since n8n last saved. A process that is killed leaves as many executions without items. */
	unsaved = 0;

	private running?: Promise<unknown>;

	/** What the last check left, with what was settled since; undefined before the first. */
	get last(): CheckState | undefined {
		if (!this.state) return undefined;
		const history = settle(this.state.history, this.settled);
		return { ...this.state, history, ...(this.begun && { lines: this.begun }) };
	}

	/** Takes over what a check leaves. */
	leave(state: CheckState): void {
		this.state = state;
		this.settled = [];
	}

	/** Says that events need no execution, as they have begun or are not wanted. */
	settle(names: string[]): void {
		// Between two checks, more cannot be saved.
		this.settled = [...this.settled, ...names.map(rowDigest)].slice(-MOST_SETTLED);
	}

	/** Says that the workflow is told of the end of a block, which the service may deliver again. */
	markEnded(event: LineEvent, untilMs: number): void {
		const { line_handle: line } = event.line;
		const block = event.endedBlock ?? event.createdAt;
		if (event.kind !== 'line_unblocked' || line === undefined || !block) return;
		this.ends = [...this.ends, { line, block, untilMs }].slice(-MOST_ENDS);
	}

	/** When the block began that a `line_unblocked` ends: the event itself does not say (§6.3). */
	endedBlockOf({ line: { line_handle: handle = '' }, createdAt }: LineEvent): string | undefined {
		const createdAtMs = serviceTimeMs(createdAt);
		const told = this.ends.filter(({ line, untilMs }) => line === handle && createdAtMs <= untilMs);
		const blocks = [...told.map(({ block }) => block), (this.told ?? this.begun)?.[handle]];
		return blocks.find((block) => !!block && !(serviceTimeMs(block) > createdAtMs)) ?? undefined;
	}

	/** Runs one check at a time. A check whose time comes while another one reads would find the same, and is left out. */
	async runAlone(check: () => Promise<void>): Promise<void> {
		if (this.running) return;
		this.running = check().finally(() => (this.running = undefined));
		await this.running;
	}

	/** Resolves when the check that runs has ended, whatever came of it. */
	async waitForRunning(): Promise<void> {
		await this.running?.catch(() => undefined);
	}
}

/** Writes what checks know where n8n saves it, with the next execution that starts or at the end of the publishing. */
export function saveCheck(call: TriggerCall): void {
	const { memory } = call;
	const checks = memory.part(CheckMemory);
	checks.unsaved = 0;
	writeSaved(call, {
		...(checks.last && { check: checks.last }),
		begun: memory.part(BegunList).lately,
	});
}
