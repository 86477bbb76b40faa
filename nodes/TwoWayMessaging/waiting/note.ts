import { createHmac } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { isFields } from '../message';
import type { Question } from './question';

/** Header of a note from one node of this package to another: the service never sends it. */
export const NOTE_HEADER = 'two-way-messaging-note';

/** What a trigger answers to a note. */
export type NoteAnswer = {
	/** Whether the question had been saved before the note came. */
	isKept: boolean;
};

/** What notes are signed with: only whoever has the key pair can make it. */
export function noteSecret({ apiSecret }: ICredentialDataDecryptedObject): string {
	const secret = String(apiSecret ?? '').trim();
	if (secret === '') return '';
	return createHmac('sha256', secret).update('two-way-messaging note').digest('hex');
}

/** A question as a request, signed as the service signs events (§6.4). */
export function signedNote(
	question: Question,
	secret: string,
	nowMs: number,
): { body: Buffer; headers: Record<string, string> } {
	const body = Buffer.from(JSON.stringify({ question }));
	const seconds = Math.floor(nowMs / 1_000);
	const digest = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
	return {
		body,
		headers: {
			'content-type': 'application/json',
			[NOTE_HEADER]: `t=${seconds},v1=${digest}`,
		},
	};
}

/** The question in the body of a note; undefined when there is none. */
export function readNote(body: unknown): Question | undefined {
	return isFields(body) && isQuestion(body.question) ? body.question : undefined;
}

/** Whether a value from outside this process is a question. */
export function isQuestion(value: unknown): value is Question {
	return (
		isFields(value) &&
		['account', 'number', 'resumeUrl', 'token'].every((name) => typeof value[name] === 'string') &&
		typeof value.askedAtMs === 'number'
	);
}
