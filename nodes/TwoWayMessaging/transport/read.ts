import type { NodeApiError } from 'n8n-workflow';
import { isFields, type Fields } from '../message';
import { toNodeError } from './errors';
import { pause } from './pause';
import { ask, type Answer, type Connection, type Outcome, type ServiceRequest } from './request';

/** Pauses before a request is repeated. */
const REPEAT_PAUSES_MS = [500, 2_000];

/**
 * Makes a request that no customer notices, so that it may be repeated, until it is answered with JSON,
 * whatever the status below 500.
 *
 * @returns the last outcome, which may still be none of that
 */
export async function askAgain(connection: Connection, request: ServiceRequest): Promise<Outcome> {
	for (const pauseMs of REPEAT_PAUSES_MS) {
		const outcome = await ask(connection, request);
		if (outcome.kind === 'unsent' || isReadable(outcome)) return outcome;
		await pause(connection, pauseMs);
	}
	return await ask(connection, request);
}

/**
 * Reads JSON from the service.
 *
 * @returns the body of a 2xx: an object or an array
 * @throws NodeApiError with the item's number, for anything else
 */
export async function read(
	connection: Connection,
	request: Omit<ServiceRequest, 'method'>,
	itemIndex?: number,
): Promise<Fields | unknown[]> {
	const outcome = await askAgain(connection, { ...request, method: 'GET' });
	if (!isSuccess(outcome)) throw toNodeError(connection, outcome, itemIndex);
	return outcome.body;
}

/** What is thrown for a success whose body lacks what it should hold. */
export function notUnderstood(
	connection: Connection,
	body: unknown,
	itemIndex?: number,
): NodeApiError {
	return toNodeError(connection, { kind: 'answer', status: 200, headers: {}, body }, itemIndex);
}

/** Whether the service did what was asked and said so in JSON. */
export function isSuccess(outcome: Outcome): outcome is Answer & { body: Fields | unknown[] } {
	return isReadable(outcome) && outcome.status >= 200 && outcome.status < 300;
}

function isReadable(outcome: Outcome): outcome is Answer {
	if (outcome.kind !== 'answer' || outcome.status >= 500) return false;
	// Only a broken success is worth another question; a refusal stands, however it is worded.
	return outcome.status >= 300 || isFields(outcome.body) || Array.isArray(outcome.body);
}
