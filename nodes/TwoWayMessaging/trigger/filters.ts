import { PREFIXES } from '../contract';
import { bareHandle, serviceName, type Message } from '../message';
import { comparableNumber } from '../phoneNumber';
import { consentIn, wordOf } from './consent';
import type { EventContent } from './event';

/** What an event has to be like to start the workflow; an empty list or text lets every event through. */
export type Filters = {
	/** Handles and numbers of lines. The event's line has to be one of them. */
	lines: string[];
	/** Senders, as digits. */
	from: string[];
	/** Senders who start nothing, as digits. */
	notFrom: string[];
	/** In lower case. */
	contains: string;
	/** In lower case, without marks behind them. */
	textIs: string[];
	optOutWords: 'ignore' | 'include' | 'only';
	/** Channels in the service's spelling. */
	channel: string[];
	outcome: 'any' | 'sent' | 'failed';
};

/** The filters as a person filled them in. */
export function readFilters(filled: Record<string, unknown>): Filters {
	const lines = Array.isArray(filled.lines) ? filled.lines.map(String) : [text(filled.lines)];
	return {
		lines: lines.flatMap(splitLineNames),
		from: readNumbers(filled.from),
		notFrom: readNumbers(filled.notFrom),
		contains: text(filled.contains).trim().toLowerCase(),
		textIs: splitEntries(filled.textIs).map((entry) => wordOf(entry).toLowerCase()),
		optOutWords: oneOf(filled.optOutWords, ['include', 'only'], 'ignore'),
		channel: Array.isArray(filled.channel)
			? filled.channel.map((name) => serviceName(String(name)))
			: [],
		outcome: oneOf(filled.outcome, ['sent', 'failed'], 'any'),
	};
}

/** Whether an event passes. What it does not say lets it pass: it must not be lost for that. */
export function passesFilters(event: EventContent, filters: Filters): boolean {
	if (!passesLines(event, filters.lines)) return false;
	switch (event.kind) {
		case 'receive':
			return (
				passesChannel(event.message, filters) &&
				passesSender(event.message, filters) &&
				passesText(event.message, filters)
			);
		case 'outbound':
			return passesChannel(event.message, filters) && passesOutcome(event.message, filters);
		case 'line_blocked':
		case 'line_unblocked':
			return true;
	}
}

/** The entries of **From** and **Not From** that no sender can have, as a person typed them. */
export function entriesThatMatchNobody(filled: Record<string, unknown>): string[] {
	return [...splitEntries(filled.from), ...splitEntries(filled.notFrom)].filter(
		(entry) => !SENDER.test(comparableNumber(entry)) || /[a-z]/i.test(entry),
	);
}

/** A number with its country code, or a carrier's short code: neither begins with a zero. */
const SENDER = /^[1-9]\d{2,14}$/;

function passesChannel({ service }: Message, { channel }: Filters): boolean {
	return channel.length === 0 || !service || channel.includes(service);
}

function passesSender({ from }: Message, filters: Filters): boolean {
	// A row of the history may lack its sender (§2.6).
	if (from === undefined) return true;
	const sender = comparableNumber(from);
	if (filters.notFrom.includes(sender)) return false;
	return filters.from.length === 0 || filters.from.includes(sender);
}

function passesText({ content }: Message, filters: Filters): boolean {
	const isConsent = consentIn(content) !== undefined;
	if (isConsent ? filters.optOutWords === 'ignore' : filters.optOutWords === 'only') return false;
	const said = (content ?? '').toLowerCase();
	if (filters.textIs.length > 0 && !filters.textIs.includes(wordOf(said))) return false;
	return said.includes(filters.contains);
}

/** assumption: a message that failed says `ERROR` or the reason (§2.2, §3.1). */
function passesOutcome({ status, error_message: reason }: Message, { outcome }: Filters): boolean {
	if (outcome === 'any' || (status === undefined && !reason)) return true;
	const isFailed = status === 'ERROR' || Boolean(reason);
	return isFailed === (outcome === 'failed');
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

function readNumbers(filled: unknown): string[] {
	// An entry without digits stays as it is, and equals no sender's digits.
	return splitEntries(filled).map((entry) => comparableNumber(entry) || entry);
}

/** What a person typed with commas, semicolons or line ends in between. */
function splitEntries(filled: unknown): string[] {
	return text(filled)
		.split(/[,;\n]/)
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

function oneOf<Choice extends string, Default extends string>(
	value: unknown,
	choices: Choice[],
	fallback: Default,
): Choice | Default {
	return choices.find((choice) => choice === value) ?? fallback;
}

function text(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
