import { comparableText } from '../comparableText';
import { PREFIXES } from '../contract';
import { bareHandle, isFields, serviceName, type Message } from '../message';
import { choiceValue, shownValue, textValue } from '../parameterValues';
import { comparableNumber, phoneNumber, toE164 } from '../phoneNumber';
import { consentWordIn, STOP_WORDS, wordOf } from '../waiting/consent';
import { outcomeOf, type EventContent } from './event';

const OPT_OUT_WORDS = ['ignore', 'include', 'only'] as const;
const OUTCOMES = ['any', 'sent', 'failed'] as const;

/** What an event has to be like to start the workflow; an empty list lets every event through. */
export type Filters = ReturnType<typeof readFilters>;

/** The filters as a person filled them in. A value of any type filters as its text does, a list as its entries. */
export function readFilters(filled: Record<string, unknown>) {
	return {
		/** The names of each line: its handle, its number as digits, or both. The event's line has to be one of them. */
		lines: splitEntries(filled.lines).map(readLine),
		/** Senders, as digits. */
		from: readNumbers(filled.from),
		notFrom: readNumbers(filled.notFrom),
		contains: readTexts(filled.contains).map(comparableText),
		textIs: splitEntries(filled.textIs).map((entry) => wordOf(comparableText(entry))),
		optOutWords: choiceValue(filled.optOutWords, OPT_OUT_WORDS, 'ignore') ?? 'ignore',
		/** In upper case. */
		stopWords: readStopWords(filled.stopWords),
		channel: splitEntries(filled.channel).map(serviceName),
		outcome: choiceValue(filled.outcome, OUTCOMES, 'any') ?? 'any',
	};
}

/**
 * What the filters say of an event. One that does not say what a filter asks about is `unsaid`: it may start the workflow, as it
 * must not be lost for that, unless more becomes known of it.
 */
export function judge(event: EventContent, filters: Filters): 'passes' | 'fails' | 'unsaid' {
	const { channel, from, lines, notFrom, outcome } = filters;
	const answers: Answer[] = [];
	if (lines.length > 0) answers.push(passesLines(event, lines));
	if ('message' in event) {
		const { kind, message } = event;
		const { service } = message;
		if (channel.length > 0) answers.push(service ? channel.includes(service) : undefined);
		if (kind === 'receive') {
			if (from.length + notFrom.length > 0) answers.push(passesSender(message, filters));
			answers.push(passesText(message, filters));
		} else if (outcome !== 'any') {
			const ended = outcomeOf(message);
			answers.push(ended && ended === outcome);
		}
	}
	if (answers.includes(false)) return 'fails';
	return answers.includes(undefined) ? 'unsaid' : 'passes';
}

/** What a filter says; undefined where the event does not say what it asks about. */
type Answer = boolean | undefined;

/** Why the filters as a person filled them in let nobody through; undefined where they may let somebody. */
export function refusalOfFilters(filled: Record<string, unknown>): string | undefined {
	const { optOutWords, outcome, ...texts } = filled;
	const noFilters = entriesOf(Object.values(texts)).filter(isFields) as unknown[];
	if (!choiceValue(optOutWords, OPT_OUT_WORDS, 'ignore')) noFilters.push(optOutWords);
	if (!choiceValue(outcome, OUTCOMES, 'any')) noFilters.push(outcome);
	if (noFilters.length > 0) {
		return `“${shownValue(noFilters[0])}” cannot be a filter. Give each field under 'Filters' a text, a number, a list of these, or one of its choices.`;
	}
	const nobody = splitEntries([texts.from, texts.notFrom]).find((entry) => !isSender(entry));
	return nobody === undefined
		? undefined
		: `No message can come from “${nobody.slice(0, 40)}”. Enter the numbers under 'Filters' with a plus and the country code, for example +15551230001.`;
}

/** Whether a message can come from a number: one with its country code, or a carrier's short code. */
function isSender(entry: string): boolean {
	const digits = comparableNumber(entry);
	if (/[a-z]/i.test(entry) || !/^[1-9]/.test(digits)) return false;
	return /^\d{3,6}$/.test(digits) || typeof phoneNumber(`+${digits}`) === 'string';
}

function passesSender({ from }: Message, filters: Filters): Answer {
	// A row of the history may lack its sender (§2.6).
	if (from === undefined) return undefined;
	const sender = comparableNumber(from);
	if (filters.notFrom.includes(sender)) return false;
	return filters.from.length === 0 || filters.from.includes(sender);
}

function passesText({ content, media_url: mediaUrl }: Message, filters: Filters): Answer {
	const { contains, optOutWords, stopWords, textIs } = filters;
	// A message has a text or media, so that one without either leaves something out.
	if (content === undefined || (!content && !mediaUrl)) {
		return contains.length === 0 && textIs.length === 0 && optOutWords === 'include'
			? true
			: undefined;
	}
	// A sentence that asks to be left alone starts the workflow, as the service may not have opted the customer out.
	const isWord = consentWordIn(content, stopWords) !== undefined;
	if (optOutWords === (isWord ? 'ignore' : 'only')) return false;
	if (textIs.length === 0 && contains.length === 0) return true;
	const said = comparableText(content ?? '');
	if (textIs.length > 0 && !textIs.includes(wordOf(said))) return false;
	return contains.length === 0 || contains.some((text) => said.includes(text));
}

/** An emptied field has the usual words: nobody wants to answer STOP. */
function readStopWords(filled: unknown): readonly string[] {
	const words = splitEntries(filled).map((entry) => wordOf(entry).toUpperCase());
	return words.length > 0 ? words : STOP_WORDS;
}

function passesLines(event: EventContent, lines: string[][]): Answer {
	const { line_handle: handle } = 'message' in event ? event.message : event.line;
	const number = lineNumberOf(event);
	// The flat form has only the number (§6.3).
	const said = { handle, number: number && (comparableNumber(number) || number) };
	const answers = lines.map((names) => isSameLine(names, said));
	return answers.includes(true) || (answers.includes(undefined) ? undefined : false);
}

/** Whether a line is the event's; undefined where one has only its handle and the other only its number. */
function isSameLine(
	names: string[],
	{ handle, number }: { handle?: string; number?: string },
): Answer {
	if (names.some((name) => name === handle || name === number)) return true;
	if (handle !== undefined && number !== undefined) return false;
	if (handle !== undefined && names.some((name) => HANDLE.test(name))) return false;
	return number !== undefined && names.some((name) => NUMBER.test(name)) ? false : undefined;
}

function lineNumberOf(event: EventContent): string | undefined {
	if ('line' in event) return event.line.number;
	return event.kind === 'receive' ? event.message.to : event.message.from;
}

/** Digits, as many as a line's number has. */
const NUMBER = /^\d{7,}$/;

/** A handle has letters; fewer digits can be a handle or a short code. */
const HANDLE = /\D/;

/** The names of a line: an entry of the list has its handle and its number. */
function readLine(entry: string): string[] {
	return toE164(entry) === undefined ? entry.split(/\s+/).map(lineName) : [comparableNumber(entry)];
}

/** A handle without its prefix, or the digits of a number. */
function lineName(name: string): string {
	return /^\+?\d+$/.test(name) ? comparableNumber(name) : bareHandle(name, PREFIXES.line);
}

function readNumbers(filled: unknown): string[] {
	// An entry without digits stays as it is, and equals no sender's digits.
	return splitEntries(filled).map((entry) => comparableNumber(entry) || entry);
}

/** What a person typed with commas, semicolons or line ends in between. */
function splitEntries(filled: unknown): string[] {
	return readTexts(filled)
		.flatMap((text) => text.split(/[,;\n]/))
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/** The texts of a value, without those that are empty. An object has one that matches nothing. */
function readTexts(filled: unknown): string[] {
	return entriesOf(filled)
		.map((entry) => textValue(entry).trim())
		.filter((text) => text !== '');
}

function entriesOf(filled: unknown): unknown[] {
	return Array.isArray(filled) ? filled.flatMap(entriesOf) : [filled];
}
