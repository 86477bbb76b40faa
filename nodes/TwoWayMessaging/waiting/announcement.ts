import { createHmac } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { isFields } from '../message';
import { textValue } from '../parameterValues';
import type { Question } from './question';

/**
 * Header of an announcement: the request by which an execution announces a question to a trigger, before it asks.
 * The service never sends it.
 */
export const ANNOUNCEMENT_HEADER = 'two-way-messaging-question';

/** What a trigger answers to an announcement. */
export type AnnouncementAnswer = {
	/** Whether the question had been saved, as it is announced, before this announcement came. */
	isKept: boolean;
};

/** The secret that signs announcements. It is derived from the key pair, so that only its owner can sign. */
export function announcementSecret({ apiSecret }: ICredentialDataDecryptedObject): string {
	const secret = textValue(apiSecret).trim();
	if (secret === '') return '';
	return createHmac('sha256', secret).update('two-way-messaging question').digest('hex');
}

/** The request that announces a question, signed as the service signs events (§6.4). */
export function signAnnouncement(
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
			[ANNOUNCEMENT_HEADER]: `t=${seconds},v1=${digest}`,
		},
	};
}

/** The question in an announcement's body; undefined when there is none. */
export function readAnnouncement(body: unknown): Question | undefined {
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
