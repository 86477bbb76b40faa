/** One line of a bench's result. */
export type Line = {
	what: string;
	value: string;
	/** The limit of the value; empty for a line that only informs. */
	mustBe: string;
	/** Whether the value is within its limit; undefined for a line that only informs. */
	isReached?: boolean;
};

/** A bench, and the conditions under which it measures. */
export type Bench = { conditions: string[]; run: () => Promise<Line[]> };

const rounded = (value: number) => String(Number(value.toFixed(3)));

/** A line whose value must not be lower than `least`. */
export const atLeast = (what: string, value: number, least: number): Line => ({
	what,
	value: rounded(value),
	mustBe: `≥ ${rounded(least)}`,
	isReached: value >= least,
});

/** A line whose value must not be higher than `most`. */
export const atMost = (what: string, value: number, most: number): Line => ({
	what,
	value: rounded(value),
	mustBe: `≤ ${rounded(most)}`,
	isReached: value <= most,
});

/** A line whose value must be exactly this one. */
export const exactly = (what: string, value: string | number, wanted: string | number): Line => ({
	what,
	value: String(value),
	mustBe: String(wanted),
	isReached: String(value) === String(wanted),
});

/** A line that only informs. */
export const info = (what: string, value: string): Line => ({ what, value, mustBe: '' });

const VERDICTS = new Map([
	[true, 'pass'],
	[false, 'FAIL'],
]);

/** Formats lines as a table for a terminal. */
export function formatTable(lines: Array<Line & { bench: string }>): string {
	const rows = [
		['bench', 'what', 'value', 'must be', ''],
		...lines.map(({ bench, what, value, mustBe, isReached }) => [
			bench,
			what,
			value,
			mustBe,
			isReached === undefined ? '' : VERDICTS.get(isReached)!,
		]),
	];
	const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
	return rows
		.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  '))
		.map((row) => row.trimEnd())
		.join('\n');
}
