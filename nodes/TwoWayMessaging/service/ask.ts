import { isFields, type Fields } from '../message';
import type { Answer, Outcome } from './outcome';
import { retry } from './pause';
import { sendRequest, type Connection, type ServiceRequest } from './request';

const REPEAT_PAUSES_MS = [500, 2_000];

/**
 * Repeats a request until the service answers it with JSON, or a location, and a status below 500. Only for requests that no
 * customer notices, as the service may act on every one of them.
 *
 * @returns the last outcome, which may still be no such answer
 */
export async function askUntilReadable(
	connection: Connection,
	request: ServiceRequest,
): Promise<Outcome> {
	const tryOnce = async () => await sendRequest(connection, request);
	const isFinal = (outcome: Outcome) =>
		outcome.kind === 'answer'
			? outcome.headers.location !== undefined || isReadable(outcome)
			: outcome.kind === 'unsent';
	return await retry(connection, await tryOnce(), tryOnce, {
		pausesMs: REPEAT_PAUSES_MS,
		askedMs: (outcome) => (isFinal(outcome) ? undefined : 0),
	});
}

/** Whether the service answered with a 2xx and JSON. */
export function isSuccess(outcome: Outcome): outcome is Answer & { body: Fields | unknown[] } {
	return isReadable(outcome) && outcome.status >= 200 && outcome.status < 300;
}

function isReadable(outcome: Outcome): outcome is Answer {
	if (outcome.kind !== 'answer' || outcome.status >= 500) return false;
	// A refusal is final, whatever its body is; a success without JSON may be readable the next time.
	return outcome.status >= 300 || isFields(outcome.body) || Array.isArray(outcome.body);
}

/** What services and gateways say of a path or method that they do not have. */
export const isUnknownPath = ({ status }: Answer) => [403, 404, 405, 410, 501].includes(status);

/** The prefixes that /status, /lookup and /media may have; the three may differ (§4.9): the credential's, else the usual ones. */
export const prefixesOf = ({ settings: { pathPrefix } }: Connection): string[] =>
	pathPrefix === '' ? ['', '/v1', '/v2'] : [pathPrefix];

/**
 * Asks in one way after the other until the service understands one, which is remembered for the account (§4.9).
 *
 * @param isWrong which answer says that the service does not know the way
 * @returns the answer to the first way where the service knows none, but a success before a refusal
 */
export async function askInTurn<Way>(
	{ account: { foundWays }, settings: { pathPrefix } }: Connection,
	what: string,
	ways: readonly Way[],
	askIn: (way: Way) => Promise<Outcome>,
	isWrong: (answer: Answer) => boolean = isUnknownPath,
): Promise<Outcome> {
	const key = `${pathPrefix} ${what}`;
	const outcomes: Outcome[] = [];
	for (const way of foundWays.has(key) ? [foundWays.get(key) as Way] : ways) {
		const outcome = await askIn(way);
		if (outcome.kind !== 'answer' || !isWrong(outcome)) {
			if (isSuccess(outcome)) foundWays.set(key, way);
			return outcome;
		}
		outcomes.push(outcome);
	}
	return outcomes.find(isSuccess) ?? outcomes[0]!;
}
