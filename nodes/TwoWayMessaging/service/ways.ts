import type { Connection, Outcome } from './request';

/** The prefixes that /status, /lookup and /media may have, each its own (§4.9): the credential's, else the usual ones. */
export const prefixesOf = ({ settings: { pathPrefix } }: Connection): string[] =>
	pathPrefix === '' ? ['', '/v1', '/v2'] : [pathPrefix];

/**
 * Asks in one way after the other until the service understands one, which is remembered for the account:
 *
 * ```ts
 * await askInTurn(connection, PATHS.media, prefixesOf(connection), async (prefix) => await sendRequest(…));
 * ```
 *
 * @param isWrong which status says that the service does not know the way
 * @returns the answer to the first way where the service knows none
 */
export async function askInTurn<Way>(
	{ foundWays, settings }: Connection,
	what: string,
	ways: readonly Way[],
	askIn: (way: Way) => Promise<Outcome>,
	isWrong: (status: number) => boolean = (status) => status === 404,
): Promise<Outcome> {
	const { accountId, pathPrefix, statusStyle } = settings;
	const key = [accountId, pathPrefix, statusStyle, what].join(' ');
	const outcomes: Outcome[] = [];
	for (const way of foundWays.has(key) ? [foundWays.get(key) as Way] : ways) {
		const outcome = await askIn(way);
		if (outcome.kind === 'answer' && outcome.status < 300) foundWays.set(key, way);
		if (outcome.kind !== 'answer' || !isWrong(outcome.status)) return outcome;
		outcomes.push(outcome);
	}
	return outcomes[0]!;
}
