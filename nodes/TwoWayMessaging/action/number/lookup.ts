import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { PATHS, SERVICES } from '../../contract';
import {
	numberCountryOption,
	phoneNumberField,
	readPhoneNumber,
} from '../../fields/phoneNumberField';
import { optionsField, readAmount, readCollection, waitAtMostOption } from '../../fields/readField';
import { serviceName, truth } from '../../message';
import { saidAs } from '../../service/answers';
import { toNodeError } from '../../service/errors';
import { retryAfterMs, type Outcome } from '../../service/outcome';
import { retry } from '../../service/pause';
import { askInTurn, isSuccess, isUnknownPath, prefixesOf } from '../../service/ask';
import { sendRequest, type Connection } from '../../service/request';
import type { Operation } from '../operation';

/** Pauses before each further question about a number; the last one repeats. */
const PAUSES_MS = [500, 1_000, 2_000, 3_000, 5_000];

const checkAtMostOption: INodeProperties = {
	...waitAtMostOption,
	default: 30,
	typeOptions: { minValue: 0 },
	description:
		'How long to wait while the service checks. The field service stays empty if it takes longer.',
};

/**
 * Predicts the channel of a number (§4.6). However many items hold a number, the service is asked about it once: it allows 20
 * questions a minute (§8.1). The first questions about all numbers come in the items' turns, before the second about any.
 */
export const lookup: Operation = {
	value: 'lookup',
	name: 'Look Up',
	action: 'Look up channel of phone number',
	subtitle: 'Look up channel',
	description: 'Find out whether a phone number can be reached by iMessage or by SMS',
	fields: [
		{
			...phoneNumberField,
			description: 'Whose channel to predict, with a plus and the country code',
		},
		optionsField([numberCountryOption, checkAtMostOption]),
	],

	fieldsOfFailed: async ({ context, itemIndex }) => ({
		...context.getInputData()[itemIndex]?.json,
	}),

	async read(item) {
		const number = readPhoneNumber(item);
		const options = readCollection(item, 'options');
		const atMostMs = readAmount(item, checkAtMostOption, options) * 1_000;
		return async () => {
			const toOutputs = (outcome: Outcome) => [
				{ json: { number, ...predictionOf(item, outcome) } },
			];
			const ask = async () => await askOnce(item, number);
			const first = await item.once(`look-up of ${number}`, ask);
			const askedMs = (outcome: Outcome) => askedPauseMs(outcome, item.clock.nowMs());
			if (askedMs(first) === undefined) {
				const outputs = toOutputs(first);
				return async () => outputs;
			}
			return async () => {
				// Counts from when all numbers have been asked about once: the wait for a limit is not the service's check.
				const untilMs = item.clock.nowMs() + atMostMs;
				const schedule = { pausesMs: PAUSES_MS, untilMs, askedMs };
				const askOn = async () => await retry(item, first, ask, schedule);
				return toOutputs(await item.once(`channel of ${number}`, askOn));
			};
		};
	},
};

const PENDING = /pending|progress|processing|running|checking/i;

async function askOnce(connection: Connection, number: string): Promise<Outcome> {
	const request = { method: 'GET', query: { number } } as const;
	return await askInTurn(
		connection,
		PATHS.lookup,
		prefixesOf(connection),
		async (prefix) => await sendRequest(connection, { ...request, path: prefix + PATHS.lookup }),
		// A page without prefix may be of something else.
		(answer) =>
			isUnknownPath(answer) ||
			(answer.status < 300 && !isPending(answer) && findChannel(answer) === undefined),
	);
}

/** How long the service asks to wait until it may know more; undefined where it will not. */
function askedPauseMs(outcome: Outcome, nowMs: number): number | undefined {
	if (outcome.kind === 'unsent' || findChannel(outcome) !== undefined) return undefined;
	if (outcome.kind !== 'answer') return 0;
	// assumption: a 503 is inconclusive (§4.6: its condition is not shown).
	const isOpen = isPending(outcome) || outcome.status >= 500 || typeof outcome.body === 'string';
	return isOpen ? (retryAfterMs(outcome, nowMs) ?? 0) : undefined;
}

/** What the last answer says: the channel, null where the service still checks, or the answer whose words nobody knows. */
function predictionOf(connection: Connection, outcome: Outcome): IDataObject {
	const service = findChannel(outcome);
	if (service !== undefined) return { service };
	if (isPending(outcome)) return { service: null };
	if (outcome.kind === 'answer' && isSuccess(outcome)) return { raw: outcome.body as IDataObject };
	const status = outcome.kind === 'answer' ? outcome.status : undefined;
	if (status !== 503) throw toNodeError(connection, outcome);
	throw toNodeError(connection, outcome, {
		message: 'The service could not find out the channel of this number',
		description:
			'You can send to the number all the same, as the service chooses the channel. Or look the number up again later.',
	});
}

/** §4.6: 202 means that a live check is running, and so may a word. */
function isPending(outcome: Outcome): boolean {
	if (outcome.kind !== 'answer') return false;
	const states = saidAs(outcome.body, /^(status|state)$/i).map(String);
	return outcome.status === 202 || states.some((state) => PENDING.test(state));
}

/**
 * The channel that an answer names.
 *
 * assumption: the body is not shown (§4.6), so any text that is a channel counts, and a truth value that iMessage names.
 */
function findChannel(outcome: Outcome): string | undefined {
	if (!isSuccess(outcome)) return undefined;
	const { body } = outcome;
	const isChannel = (name: string) => SERVICES.some((known) => known === name);
	const names = [/^(?!.*(fallback|default)).*(service|channel)/i, /^(?!.*(fallback|default))/i];
	const texts = names
		.flatMap((name) => saidAs(body, name))
		.filter((value) => typeof value === 'string');
	const named = texts.map(serviceName).find(isChannel);
	if (named !== undefined) return named;
	const [isPredicted] = saidAs(body, /imessage/i).flatMap((value) => truth(value) ?? []);
	return isPredicted === undefined ? undefined : isPredicted ? 'iMessage' : 'SMS';
}
