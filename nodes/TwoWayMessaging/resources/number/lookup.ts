import type { NodeApiError } from 'n8n-workflow';
import { PATHS } from '../../contract';
import { isFields, serviceName } from '../../message';
import { readCollection } from '../../parameterValues';
import { toNodeError } from '../../transport/errors';
import { retryAfterMs } from '../../transport/lane';
import { isSuccess } from '../../transport/readJson';
import { ask, type Connection, type Outcome } from '../../transport/request';
import { optionsField } from '../collectionFields';
import { lookUntil } from '../lookUntil';
import { phoneNumberField, readPhoneNumber } from '../phoneNumberField';
import type { Operation } from '../run';
import { readWaitAtMostMs, waitAtMostOption } from '../waitAtMostOption';

/** Pauses before each time the service is asked; the last one repeats. */
const PAUSES_MS = [0, 500, 1_000, 2_000, 3_000, 5_000];

/** How long to wait for the channel unless the option says otherwise. */
const LOOKUP_WAIT_SECONDS = 30;

/** How often the service is asked again after an answer that is not JSON. */
const MOST_UNREADABLE = 2;

/** What a look-up has shown: the channel, null while it is not known, or the outcome that ended the look-up. */
type Prediction = { service: string | null } | { failed: Outcome };

/** Predicts the channel of a number (§4.6). */
export const lookup: Operation = {
	value: 'lookup',
	name: 'Look Up',
	action: 'Look up the channel of a phone number',
	description: 'Find out whether a phone number can be reached by iMessage or by SMS',
	fields: [
		{
			...phoneNumberField,
			description: 'Whose channel to predict, with a plus and the country code',
		},
		optionsField([
			{
				...waitAtMostOption,
				default: LOOKUP_WAIT_SECONDS,
				typeOptions: { minValue: 0 },
				description:
					'How long to wait while the service checks. The field service stays empty if it takes longer.',
			},
		]),
	],

	async run(run, itemIndex) {
		const number = readPhoneNumber(run, itemIndex);
		const options = readCollection(run.caller, 'options', itemIndex);
		const waitMs = readWaitAtMostMs(options, LOOKUP_WAIT_SECONDS);
		const connection = await run.connection();
		// However many items contain a number, the service is asked once: it allows 20 look-ups a minute (§8.1).
		const prediction = await run.once(
			`lookup ${number}`,
			async () => await predictChannel(connection, number, waitMs),
		);
		if ('failed' in prediction) throw lookupError(connection, prediction.failed, itemIndex);
		return [{ number, service: prediction.service }];
	},
};

/** Asks until the channel is known, or the time is over. */
async function predictChannel(
	connection: Connection,
	number: string,
	waitMs: number,
): Promise<Prediction> {
	let whenTimeIsOver: Prediction = { service: null };
	let unreadable = 0;
	const prediction = await lookUntil<Prediction>(
		connection,
		{ pausesMs: PAUSES_MS, atMostMs: waitMs },
		async () => {
			const outcome = await ask(connection, {
				method: 'GET',
				path: connection.settings.pathPrefix + PATHS.lookup,
				query: { number },
				lane: 'lookup',
			});
			const service = isSuccess(outcome) ? findChannel(outcome.body) : undefined;
			if (service) return { found: { service } };
			const isUnreadable = outcome.kind === 'answer' && typeof outcome.body === 'string';
			if (!isInconclusive(outcome) && !(isUnreadable && ++unreadable <= MOST_UNREADABLE)) {
				return { found: { failed: outcome } };
			}
			whenTimeIsOver = isPending(outcome) ? { service: null } : { failed: outcome };
			if (outcome.kind !== 'answer') return {};
			return { askedPauseMs: retryAfterMs(outcome, connection.clock.nowMs()) };
		},
	);
	return prediction ?? whenTimeIsOver;
}

/** §4.6: 202 means that a live check is running. */
function isPending(outcome: Outcome): boolean {
	return outcome.kind === 'answer' && outcome.status === 202;
}

/**
 * Whether the service may know the channel when it is asked again.
 *
 * assumption: a 503 is inconclusive (§4.6: its condition is not shown).
 */
function isInconclusive(outcome: Outcome): boolean {
	switch (outcome.kind) {
		case 'answer':
			return isPending(outcome) || outcome.status >= 500;
		case 'unanswered':
			return true;
		case 'unsent':
			return false;
	}
}

/**
 * The channel that an answer names.
 *
 * assumption: the body is not shown (§4.6), so every usual name is read.
 */
function findChannel(body: unknown): string | undefined {
	for (const place of [body, isFields(body) && body.data]) {
		if (!isFields(place)) continue;
		const channel = place.service ?? place.channel;
		if (typeof channel === 'string' && channel !== '') return serviceName(channel);
		if (typeof place.is_imessage === 'boolean') return place.is_imessage ? 'iMessage' : 'SMS';
	}
	return undefined;
}

function lookupError(connection: Connection, outcome: Outcome, itemIndex: number): NodeApiError {
	if (outcome.kind !== 'answer' || outcome.status !== 503) {
		return toNodeError(connection, outcome, itemIndex);
	}
	return toNodeError(connection, outcome, itemIndex, {
		message: 'The service could not find out the channel of this number',
		description:
			'The service was asked several times. You can send to the number without knowing its channel, as the service chooses the channel, or look the number up again later.',
	});
}
