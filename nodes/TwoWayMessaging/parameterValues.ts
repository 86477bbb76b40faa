/**
 * What a field of the panel holds, read. A person may put an expression into any field, so a value may be of any
 * type, whatever the field's own type is.
 */

/** The value as text; an empty text where there is none. */
export function textValue(value: unknown): string {
	return value === undefined || value === null ? '' : String(value);
}

/** The value as an amount; the fallback where it is no number from zero up. A text of digits counts. */
export function amountValue(value: unknown, fallback: number): number {
	const isGiven = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
	const amount = isGiven ? Number(value) : Number.NaN;
	return Number.isFinite(amount) && amount >= 0 ? amount : fallback;
}
