import type { IExecuteFunctions } from 'n8n-workflow';
import { addProcessedNames, removeProcessedNames } from '../../n8n/processedData';
import { TableTurns } from '../../n8n/tableTurns';
import type { ProcessMemory } from '../../processMemory';
import { OpenNote } from './openNote';

/** Names of sent messages that a node keeps: about 27 bytes each, in one row of n8n's table. */
const MOST_SENT = 10_000;

/** Room beside them for what is only for moments in the list. */
const MOST_NAMES = MOST_SENT + 600;

/**
 * How a message stands in the list: it was begun by this call, it was sent before, or somebody else has begun it and has
 * not said how it ended.
 */
export type OnceStanding = 'begun' | 'sent' | 'open';

/**
 * The list of the messages that a node sends only once. n8n's table keeps it, so that it holds across executions, restarts
 * and workers. A message that is begun is *taken* and *open*, and has a note. When it was sent, only the first is left: so a
 * process that is killed between the two leaves a message that is known to be open.
 *
 * The table can be asked about a name only by adding it. What a question adds is marked, as the process may be killed before
 * it has taken it back: such a message was sent before or never begun.
 *
 * ```ts
 * const note = OpenNote.of(request, clock.nowMs());
 * if ((await list.begin(name, note)) === 'begun') {
 *   // send the message, then:
 *   await list.markSent(name, note);
 * }
 * ```
 */
export class OnceList {
	/** The names under which this has taken a message over. */
	private claim: string[] = [];

	constructor(
		private readonly execution: IExecuteFunctions,
		private readonly memory: ProcessMemory,
	) {}

	/**
	 * Begins a message, unless it was begun before.
	 *
	 * @throws what n8n's table throws
	 */
	async begin(name: string, note: OpenNote): Promise<OnceStanding> {
		return await this.inTurn(async () => {
			const added = await this.add([taken(name), open(name), asked(name), ...noted(name, note)]);
			if (added.includes(taken(name))) {
				await this.remove([asked(name)]);
				return 'begun';
			}
			await this.remove(added);
			return added.includes(open(name)) ? 'sent' : 'open';
		});
	}

	/** What is known of an open message; undefined for one that was sent before, or never begun. */
	async openNote(name: string): Promise<OpenNote | undefined> {
		const all = [asked(name), ...noted(name)];
		const known = await this.inTurn(async () => {
			const added = new Set(await this.add(all));
			await this.remove([...added]);
			return all.filter((one) => !added.has(one));
		});
		if (known.includes(asked(name))) return undefined;
		return OpenNote.from(OpenNote.allNames.filter((one) => known.includes(noteName(name, one))));
	}

	/** Begins an open message once more, which was not sent the first time. */
	async beginAgain(name: string, note: OpenNote): Promise<void> {
		const now = noted(name, note);
		await this.inTurn(async () => {
			await this.add(now);
			await this.remove([asked(name), ...noted(name).filter((one) => !now.includes(one))]);
		});
	}

	/**
	 * Takes over a message that somebody else has left open, so that of all who wait for it one finds out what became of it.
	 * Should that process end, too, another one can take the message over one to two periods later.
	 *
	 * @returns whether the message is open, and nobody else has taken it over
	 */
	async takeOver(name: string, periodMs: number): Promise<boolean> {
		const period = Math.floor(this.memory.clock.nowMs() / periodMs);
		const claim = [takenOver(name, period - 1), takenOver(name, period)];
		return await this.inTurn(async () => {
			const added = await this.add([open(name), ...claim]);
			const isTaken = added.length === claim.length && !added.includes(open(name));
			if (isTaken) this.claim = claim;
			else await this.remove(added);
			return isTaken;
		});
	}

	/** Lets others take over what this has taken over. */
	async letGo(): Promise<void> {
		if (this.claim.length > 0) await this.inTurn(async () => await this.remove(this.claim));
	}

	/**
	 * Says that a message was sent.
	 *
	 * @param note with which it was begun; looked for unless given
	 */
	async markSent(name: string, note?: OpenNote): Promise<void> {
		const names = [open(name), asked(name), ...noted(name, note)];
		await this.inTurn(async () => await this.remove(names));
	}

	/** Takes a message out of the list that was certainly not sent, or did certainly not arrive. */
	async giveBack(name: string, note?: OpenNote): Promise<void> {
		const names = [taken(name), open(name), asked(name), ...noted(name, note)];
		await this.inTurn(async () => await this.remove(names));
	}

	private async add(names: string[]): Promise<string[]> {
		return await addProcessedNames(this.execution, names, MOST_NAMES);
	}

	private async remove(names: string[]): Promise<void> {
		await removeProcessedNames(this.execution, names);
	}

	private async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
		return await this.memory.part(TableTurns).take(this.execution, work);
	}
}

const taken = (name: string) => `taken ${name}`;
const open = (name: string) => `open ${name}`;
const takenOver = (name: string, period: number) => `taken over ${period} ${name}`;
const asked = (name: string) => `asked ${name}`;
const noteName = (name: string, one: string) => `note ${one} ${name}`;

/** The names of a note; of every note unless one is given. */
function noted(name: string, note?: OpenNote): string[] {
	return (note?.names ?? OpenNote.allNames).map((one) => noteName(name, one));
}
