import { createHash } from 'crypto';
import type { SendRequest } from '../../contract';
import type { Message } from '../../message';
import { toE164 } from '../../phoneNumber';
import { keptText } from './keptText';

/** Digits of the time in seconds, and of the print. */
const TIME_DIGITS = 8;
const PRINT_DIGITS = 12;
const DIGITS = [...'0123456789abcdef'];

const nameOf = (place: number, digit: string) => `${place}=${digit}`;

/**
 * What is known of a message that was begun: since when, and what it says. The list of the messages that are sent only
 * once (`OnceList`) knows of a name only whether it is there, so each digit of the note is a name of its own.
 */
export class OpenNote {
	/** @param options at each place, the digits that may stand there; usually one */
	private constructor(private readonly options: readonly string[][]) {}

	/** The note of a message that begins now. */
	static of(request: SendRequest, nowMs: number): OpenNote {
		const time = Math.floor(nowMs / 1_000)
			.toString(16)
			.padStart(TIME_DIGITS, '0');
		const print = printOf(request.number, request.content, Boolean(request.media_url));
		return new OpenNote([...`${time}${print}`].map((digit) => [digit]));
	}

	/**
	 * The note whose names are these. A process that was killed while it read may have left others beside them.
	 *
	 * @returns undefined where names are missing
	 */
	static from(names: readonly string[]): OpenNote | undefined {
		const places = Array.from({ length: TIME_DIGITS + PRINT_DIGITS }, (_, place) =>
			DIGITS.filter((digit) => names.includes(nameOf(place, digit))),
		);
		return places.every(({ length }) => length > 0) ? new OpenNote(places) : undefined;
	}

	/** The names of all notes. */
	static readonly allNames: readonly string[] = Array.from(
		{ length: TIME_DIGITS + PRINT_DIGITS },
		(_, place) => DIGITS.map((digit) => nameOf(place, digit)),
	).flat();

	/** By which names the note stands in the list. */
	get names(): string[] {
		return this.options.flatMap((digits, place) => digits.map((digit) => nameOf(place, digit)));
	}

	/** When the message was begun at the earliest, in milliseconds. */
	get sinceMs(): number {
		const time = this.options.slice(0, TIME_DIGITS).map(([first = '0']) => first);
		return parseInt(time.join(''), 16) * 1_000;
	}

	/**
	 * Whether a row of the history may be the message: to the same number, with the same text, and media in both or neither. A
	 * row that says nothing of media may have some, as §2.2 shows no field for it.
	 */
	isOf({ is_outbound: isOutbound, to, content, media_url: mediaUrl }: Message): boolean {
		const number = to === undefined ? undefined : toE164(to);
		if (isOutbound === false || number === undefined) return false;
		const mayHaveMedia = mediaUrl === undefined ? [true, false] : [Boolean(mediaUrl)];
		return mayHaveMedia.some((hasMedia) => this.isPrint(printOf(number, content, hasMedia)));
	}

	private isPrint(print: string): boolean {
		return this.options
			.slice(TIME_DIGITS)
			.every((digits, place) => digits.includes(print[place] ?? ''));
	}
}

function printOf(number: string, content: string | null | undefined, hasMedia: boolean): string {
	const said = JSON.stringify([number, keptText(content), hasMedia]);
	return createHash('sha256').update(said).digest('hex').slice(0, PRINT_DIGITS);
}
