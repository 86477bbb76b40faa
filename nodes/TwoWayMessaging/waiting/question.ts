import type { Message } from '../message';
import { isSameNumber } from '../phoneNumber';
import { earliestDateMs } from '../service/account';

/** A question to a customer. An execution waits for the text that answers it. */
export type Question = {
	/** The key pair it was asked with. */
	account: string;
	/** Who was asked, in international format. */
	number: string;
	/** The line that asked, by its ID and its number; absent when any line may have asked (§1.7). */
	line?: { handle: string; number?: string };
	/** The signed URL that lets the execution continue. */
	resumeUrl: string;
	/** The name of the question in its URL, which no other question has. */
	token: string;
	/** Set when the customer answers by the buttons of a page, so that no text is an answer. */
	isByButtons?: true;
	/** How often it was asked again, and after which texts, as a text that is offered twice asks once. */
	askedAgain?: { texts: Array<{ name: string; content?: string }>; atMs: number };
	/** Why a text of the customer has not answered it, as the log has said. */
	notAnsweredAs?: string;
	/** When the request went out that sent it, by n8n's clock. */
	askedAtMs: number;
	/** How far the service's clock was ahead then; absent where no answer had told the service's time. */
	serviceOffsetMs?: number;
	/** How long n8n waits; absent when it waits without a limit. */
	waitMs?: number;
};

/** The parts of a customer's text by which its question is found, and when it was sent, as far as the service says. */
export type CustomerText = Pick<Message, 'from' | 'to' | 'line_handle'> & { saidAtMs?: number };

/** Whether a text can be the answer: it comes from the customer who was asked, to the line that asked, and not before. */
export function isAnswerTo(question: Question, text: CustomerText): boolean {
	const { line } = question;
	if (question.isByButtons || !isFromAsked(question, text)) return false;
	if (!line) return true;
	// The envelope names the line by its handle (§6.2), the flat form by its number (§6.3).
	if (text.line_handle !== undefined) return text.line_handle === line.handle;
	return !line.number || !text.to || isSameNumber(text.to, line.number);
}

/**
 * How much older than the question the text that answers it may seem: dates tell whole seconds. What a customer wrote a few
 * seconds before is no answer, and may be why the question was asked.
 */
const ANSWER_TOLERANCE_MS = 2_000;

/** Whether a text comes from the customer who was asked, on any line, and not from before the question. */
export function isFromAsked(
	{ number, askedAtMs, serviceOffsetMs }: Question,
	{ from, saidAtMs = Number.NaN }: CustomerText,
): boolean {
	const earliestMs =
		serviceOffsetMs === undefined
			? earliestDateMs({ sinceMs: askedAtMs })
			: askedAtMs + serviceOffsetMs - ANSWER_TOLERANCE_MS;
	return isSameNumber(from, number) && !(saidAtMs < earliestMs);
}

/** What the customer has written so far that was not understood, but for a text that comes once more. */
export function writtenBefore({ askedAgain }: Question, name?: string): string[] {
	const others = askedAgain?.texts.filter((text) => text.name !== name) ?? [];
	return others.flatMap(({ content }) => content || []);
}

/** How much later than its request n8n begins to wait: it saves the execution first. */
const WAITS_AFTER_MS = 60_000;

/** Whether n8n has certainly stopped waiting. */
export function isOver({ askedAtMs, waitMs }: Question, nowMs: number): boolean {
	return waitMs !== undefined && askedAtMs + waitMs + WAITS_AFTER_MS <= nowMs;
}
