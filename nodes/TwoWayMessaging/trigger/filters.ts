import { PREFIXES } from '../contract';
import { bareHandle } from '../message';
import { comparableNumber } from '../phoneNumber';
import type { EventContent } from './event';
import { isOptOut } from './optOut';

/** What an event has to be like to start the workflow; an empty list or text lets every event through. */
export type Filters = {
	/** Handles and numbers of lines. The event's line has to be one of them. */
	lines: string[];
	/** Senders, as digits. */
	from: string[];
	/** In lower case. */
	contains: string;
	ignoreOptOutWords: boolean;
};

/** The filters as a person filled them in. */
export function readFilters(filled: Record<string, unknown>): Filters {
	const lines = Array.isArray(filled.lines) ? filled.lines.map(String) : [text(filled.lines)];
	return {
		lines: lines.flatMap(splitLineNames),
		from: text(filled.from)
			.split(/[,;\n]/)
			.map((entry) => entry.trim())
			.filter((entry) => entry !== '')
			// An entry without digits stays as it is, and equals no sender's digits.
			.map((entry) => comparableNumber(entry) || entry),
		contains: text(filled.contains).trim().toLowerCase(),
		ignoreOptOutWords: filled.ignoreOptOutWords === true,
	};
}

/** Whether an event passes. The lines are compared for every event, sender and text only for customers' messages. */
export function passesFilters(event: EventContent, filters: Filters): boolean {
	if (!passesLines(event, filters.lines)) return false;
	switch (event.kind) {
		case 'receive': {
			const { from, content } = event.message;
			const said = (content ?? '').toLowerCase();
			// A row of the history may lack its sender (§2.6). It passes, as it must not be lost.
			const isFromOther = from !== undefined && !filters.from.includes(comparableNumber(from));
			if (filters.from.length > 0 && isFromOther) return false;
			if (!said.includes(filters.contains)) return false;
			return !(filters.ignoreOptOutWords && isOptOut(said));
		}
		case 'outbound':
		case 'line_blocked':
		case 'line_unblocked':
			return true;
	}
}

function passesLines(event: EventContent, lines: string[]): boolean {
	if (lines.length === 0) return true;
	const names = lineNames(event);
	return lines.some((line) => names.includes(line));
}

/** Every name that the event gives its line: the flat form has only the number (§6.3). */
function lineNames(event: EventContent): Array<string | undefined> {
	switch (event.kind) {
		case 'receive':
			return [event.message.line_handle, event.message.to];
		case 'outbound':
			return [event.message.line_handle, event.message.from];
		case 'line_blocked':
		case 'line_unblocked':
			return [event.line.line_handle, event.line.number];
	}
}

/** A value of the list contains the handle and the number of a line, and a person may type several lines. */
function splitLineNames(value: string): string[] {
	return value
		.split(/[\s,;]/)
		.filter((name) => name !== '')
		.map((name) => bareHandle(name, PREFIXES.line));
}

function text(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
