import { tryToParseDateTime } from 'n8n-workflow';
import { isFields } from './message';

/*
 * How the values of a node's fields are read. A person may put an expression into any field, so a value may be of any
 * type, whatever the field's own type is.
 */

/** The value as text; an empty text where there is no value. */
export function textValue(value: unknown): string {
	return String(value ?? '');
}

/** Whether a field as n8n saved it is an expression. n8n-workflow's own function is younger than the oldest n8n. */
export function isExpression(field: unknown): field is string {
	return typeof field === 'string' && field.startsWith('=');
}

/** Characters of a value that a message shows. */
const MOST_SHOWN = 40;

/** The beginning of a value, for a message; objects and lists as JSON. */
export function shownValue(value: unknown): string {
	const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
	return Array.from(shown).slice(0, MOST_SHOWN).join('');
}

/** The value as an amount; the fallback where the value is not a number from zero up. A text of digits counts. */
export function amountValue(value: unknown, fallback: number): number {
	const isGiven = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
	const amount = isGiven ? Number(value) : Number.NaN;
	return Number.isFinite(amount) && amount >= 0 ? amount : fallback;
}

/**
 * The value as one of the choices, in upper or lower case; the fallback where there is no value.
 *
 * @returns undefined where the value is none of the choices
 */
export function choiceValue<Choice extends string>(
	value: unknown,
	choices: readonly Choice[],
	fallback: Choice,
): Choice | undefined {
	if (value === undefined || value === null) return fallback;
	if (typeof value !== 'string') return undefined;
	const written = value.trim().toLowerCase();
	if (written === '') return fallback;
	for (const choice of choices) if (choice.toLowerCase() === written) return choice;
	return undefined;
}

/**
 * Whether the value says that something is switched on; the fallback where there is no value. A text that says `true` or
 * `false` counts, as n8n's variables are texts.
 *
 * @returns undefined where the value says neither
 */
export function switchValue(value: unknown, fallback: boolean): boolean | undefined {
	const written = typeof value === 'boolean' ? String(value) : value;
	const choice = choiceValue(written, ['true', 'false'], `${fallback}`);
	return choice === undefined ? undefined : choice === 'true';
}

/** A time that does not count in the workflow's zone: it ends with an offset. */
const NAMES_ZONE = /(Z|[+-]\d{2}:?\d{2})$/i;

/**
 * The value as a time, in milliseconds. A time that names no zone counts in the workflow's zone:
 *
 * ```ts
 * timeValueMs('2026-01-01T09:00:00', 'Europe/Berlin') === Date.parse('2026-01-01T08:00:00Z');
 * ```
 *
 * @returns undefined where there is no value, NaN where the value is not a time
 */
export function timeValueMs(value: unknown, workflowZone: string): number | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	try {
		const time = tryToParseDateTime(value);
		const isZoned = isFields(value) || NAMES_ZONE.test(String(value));
		return (isZoned ? time : time.setZone(workflowZone, { keepLocalTime: true })).toMillis();
	} catch {
		return Number.NaN;
	}
}
