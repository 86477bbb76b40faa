import { comparableNumber } from '../phoneNumber';

/** A question to a customer whose execution waits for a text, as it is kept until the answer. */
export type Question = {
	/** The key pair it was asked with. */
	account: string;
	/** Who was asked, in international format. */
	number: string;
	/** The line that asked, by both of its names; absent when any line may have been used (§1.7). */
	line?: { handle: string; number?: string };
	/** The signed URL that lets the execution continue. One execution waits for one answer at a node. */
	resumeUrl: string;
	/** Tells this question from the next one that the same node of the same execution asks. */
	token: string;
	askedAtMs: number;
	/** When n8n stops waiting; absent when it never does. */
	untilMs?: number;
};

/** What of a customer's text tells which question it answers. */
export type CustomerText = {
	from?: string;
	/** The line's number. */
	to?: string;
	lineHandle?: string;
	/** When it was sent; absent where nothing says so. */
	saidAtMs?: number;
};

/** How far the clocks of n8n, the service and a phone may differ. */
const CLOCK_SKEW_MS = 120_000;

/** Whether a text can be the answer: from the one who was asked, to the line that asked, and not before. */
export function isAnswerTo(question: Question, text: CustomerText): boolean {
	if (!isSameNumber(text.from ?? '', question.number)) return false;
	const { saidAtMs } = text;
	if (saidAtMs !== undefined && saidAtMs < question.askedAtMs - CLOCK_SKEW_MS) return false;
	const { line } = question;
	if (!line) return true;
	// The envelope names the line by its handle (§6.2), the flat form by its number (§6.3).
	if (text.lineHandle !== undefined) return text.lineHandle === line.handle;
	if (line.number === undefined || text.to === undefined) return true;
	return isSameNumber(text.to, line.number);
}

/** Whether n8n has stopped waiting. */
export function isOver({ untilMs }: Question, nowMs: number): boolean {
	return untilMs !== undefined && untilMs <= nowMs;
}

function isSameNumber(one: string, other: string): boolean {
	return comparableNumber(one) === comparableNumber(other);
}
