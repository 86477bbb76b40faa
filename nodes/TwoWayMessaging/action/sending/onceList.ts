import type { IExecuteFunctions } from 'n8n-workflow';
import { addProcessedNames, removeProcessedNames } from '../../n8n/processedData';
import { TableTurns } from '../../n8n/rowLock';
import type { ProcessMemory } from '../../processMemory';

/** Names of sent messages that a node keeps: about 27 bytes each, in one row of n8n's table. */
const MOST_SENT = 10_000;

/** Room beside them for what is only for moments in the list. */
const MOST_NAMES = MOST_SENT + 600;

/** A note is the time in eight digits and a print in twelve. */
const TIME_DIGITS = 8;
const NOTE_DIGITS = TIME_DIGITS + 12;
const DIGITS = '0123456789abcdef';

/** What is known of an open message: when it was begun, in milliseconds, and its print. */
type Note = { sinceMs: number; print?: string };

/** A note as it is written; two that are the same were made by the same call. */
export function written(print: string, nowMs: number): string {
	const seconds = Math.floor(nowMs / 1_000).toString(16);
	return `${seconds.padStart(TIME_DIGITS, '0')}${print}`;
}

/** What a note says; an empty one says nothing, so that the whole history counts. */
export function readNote(note: string): Note {
	if (note === '') return { sinceMs: 0 };
	return {
		sinceMs: parseInt(note.slice(0, TIME_DIGITS), 16) * 1_000,
		print: note.slice(TIME_DIGITS),
	};
}

/**
 * How a message stands in the list: it was begun by this call, it was sent before, or somebody else has begun it and has
 * not said how it ended.
 */
export type OnceStanding = 'begun' | 'sentBefore' | 'open';

/**
 * The list of the messages that a node sends only once. n8n's table keeps it, so that it holds across executions, restarts
 * and workers. A message that is begun is *taken* and *open*, and has a note. When it was sent, only the first is left: so a
 * process that is killed between the two leaves a message that is known to be open.
 *
 * The table can be asked about a name only by adding it, so each digit of a note is a name of its own. What a question adds is
 * marked as *asked*, as the process may be killed before it has taken it back: such a message was sent before or never begun.
 */
export class OnceList {
	constructor(
		private readonly execution: IExecuteFunctions,
		private readonly memory: ProcessMemory,
	) {}

	/**
	 * Begins a message, unless it was begun before.
	 *
	 * @throws what n8n's table throws
	 */
	async begin(name: string, note: string): Promise<OnceStanding> {
		return await this.inTurn(async () => {
			const [taken, open, asked] = [`taken ${name}`, `open ${name}`, `asked ${name}`];
			const names = [taken, open, asked, ...noted(name, note)];
			const added = await addProcessedNames(this.execution, names, MOST_NAMES);
			const isBegun = added.includes(taken);
			await removeProcessedNames(this.execution, isBegun ? [asked] : added);
			if (isBegun) return 'begun';
			return added.includes(open) ? 'sentBefore' : 'open';
		});
	}

	/** The note of an open message: empty where it is not known what was begun; undefined where the message is not open. */
	async noteOf(name: string): Promise<string | undefined> {
		return await this.inTurn(async () => await this.askForNote(name));
	}

	/**
	 * Takes an open message out of the list, so that it can be begun again, unless another call has begun it since.
	 *
	 * @param note as it was when nobody was found to be at it
	 */
	async reopen(name: string, note: string): Promise<void> {
		await this.inTurn(async () => {
			if ((await this.askForNote(name)) === note) await this.remove(name, [`taken ${name}`]);
		});
	}

	/** Says that a message was sent. */
	async markSent(name: string, note?: string): Promise<void> {
		await this.inTurn(async () => await this.remove(name, [], note));
	}

	/** Takes a message out of the list that was certainly not sent, or did certainly not arrive. */
	async giveBack(name: string, note?: string): Promise<void> {
		await this.inTurn(async () => await this.remove(name, [`taken ${name}`], note));
	}

	private async askForNote(name: string): Promise<string | undefined> {
		const [open, asked] = [`open ${name}`, `asked ${name}`];
		const names = [open, asked, ...noted(name)];
		const added = new Set(await addProcessedNames(this.execution, names, MOST_NAMES));
		await removeProcessedNames(this.execution, [...added]);
		if (added.has(open)) return undefined;
		const kept = noted(name).filter((digit) => !added.has(digit));
		const note = kept.map((digit) => digit.slice(digit.indexOf('=') + 1)[0]).join('');
		// A note has one digit in each place; another process was killed while it asked where it has not.
		const isWhole = noted(name, note).join() === kept.join() && note.length === NOTE_DIGITS;
		return added.has(asked) && isWhole ? note : '';
	}

	private async remove(name: string, more: string[], note?: string): Promise<void> {
		const names = [...more, `open ${name}`, `asked ${name}`, ...noted(name, note)];
		await removeProcessedNames(this.execution, names);
	}

	private async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
		return await this.memory.part(TableTurns).take(this.execution, work);
	}
}

/** The names of a note, place by place; of every note unless one is given. */
function noted(name: string, note?: string): string[] {
	const names: string[] = [];
	for (let place = 0; place < NOTE_DIGITS; place += 1) {
		for (const digit of note === undefined ? DIGITS : note.charAt(place)) {
			names.push(`note ${place}=${digit} ${name}`);
		}
	}
	return names;
}
