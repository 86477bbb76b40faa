import { PREFIXES } from '../contract';
import { bareHandle } from '../message';
import type { Happening } from './event';

/** What an event has to be to start the workflow; an empty list or text lets everything through. */
export type Filters = {
	/** Handles and numbers of lines, of which one has to be the event's. */
	lines: string[];
	/** Senders, as digits behind a plus. */
	from: string[];
	/** Lower case. */
	contains: string;
	ignoreOptOutWords: boolean;
};

/** assumption: these are the "STOP family" (§1.5), alone in a message, in any case. */
const OPT_OUT_WORDS = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'];

/** The filters as a person filled them in. */
export function readFilters(filled: Record<string, unknown>): Filters {
	const lines = Array.isArray(filled.lines) ? filled.lines.map(String) : [text(filled.lines)];
	return {
		lines: lines.flatMap((line) => words(line)),
		from: text(filled.from)
			.split(/[,;\n]/)
			.map((entry) => entry.trim())
			.filter((entry) => entry !== '')
			// What is no number at all matches nobody, rather than everybody.
			.map((entry) => plainNumber(entry) || entry),
		contains: text(filled.contains).trim().toLowerCase(),
		ignoreOptOutWords: filled.ignoreOptOutWords === true,
	};
}

/**
 * Whether the workflow wants to hear of it. Lines are asked of every event; sender and text only of what
 * customers send.
 */
export function passes(happening: Happening, filters: Filters): boolean {
	if (
		filters.lines.length > 0 &&
		!linesOf(happening).some((line) => filters.lines.includes(line))
	) {
		return false;
	}
	if (happening.kind !== 'receive') return true;
	const { from, content } = happening.message;
	const said = (content ?? '').toLowerCase();
	if (filters.from.length > 0 && !filters.from.includes(plainNumber(from ?? ''))) return false;
	if (!said.includes(filters.contains)) return false;
	return !(filters.ignoreOptOutWords && isOptOut(said));
}

/** Every name the event gives its line: the flat form tells only the number (§6.3). */
function linesOf(happening: Happening): string[] {
	if ('line' in happening) {
		return [happening.line.line_handle, happening.line.number].filter((name) => name !== undefined);
	}
	const { message, kind } = happening;
	const number = kind === 'receive' ? message.to : message.from;
	return [message.line_handle, number].filter((name) => name !== undefined);
}

/** Whether a text says nothing but that its sender wants no more of them (§1.5). */
export function isOptOut(said: string): boolean {
	const word = said
		.trim()
		.replace(/[.!]+$/, '')
		.toUpperCase();
	return OPT_OUT_WORDS.includes(word);
}

/** The number without what people put between digits. */
function plainNumber(number: string): string {
	return number.replace(/[^\d+]/g, '').replace(/^00/, '+');
}

function words(value: string): string[] {
	return value
		.split(/[\s,;]+/)
		.filter((word) => word !== '')
		.map((word) => bareHandle(word, PREFIXES.line));
}

function text(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
