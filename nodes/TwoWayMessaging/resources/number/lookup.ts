import { PATHS } from '../../contract';
import { isFields, serviceName } from '../../message';
import { toNodeError } from '../../transport/errors';
import { pause } from '../../transport/pause';
import { isSuccess } from '../../transport/read';
import { ask, type Connection, type Outcome } from '../../transport/request';
import { retryAfterMs } from '../../transport/pacing';
import { phoneNumber } from '../phoneNumber';
import type { Operation } from '../run';

/** Pauses while the service finds out; the last one repeats. */
const LOOK_PAUSES_MS = [500, 1_000, 2_000, 3_000, 5_000];

/** How often an answer that nobody can read is asked for again. */
const MOST_UNREADABLE = 2;

/** What came of a look-up: the channel, null while it is not known, or what went wrong. */
type Prediction = { service: string | null } | { failed: Outcome };

/** Predicts the channel of a number (§4.6). */
export const lookup: Operation = {
	value: 'lookup',
	name: 'Look Up',
	action: 'Look up a phone number',
	description: 'Find out whether a phone number can be reached by iMessage or by SMS',
	fields: [
		{
			displayName: 'Phone Number',
			name: 'number',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. +15551230001',
			description: 'Whose channel to predict, with a plus and the country code',
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [
				{
					displayName: 'Wait at Most (Seconds)',
					name: 'waitSeconds',
					type: 'number',
					default: 30,
					typeOptions: { minValue: 0 },
					description:
						'How long to wait while the service checks. The field service stays empty if it takes longer.',
				},
			],
		},
	],

	async run(run, itemIndex) {
		const { caller } = run;
		const typed = caller.getNodeParameter('number', itemIndex, '');
		const number = phoneNumber(caller.getNode(), typed, itemIndex);
		const { waitSeconds = 30 } = caller.getNodeParameter('options', itemIndex, {}) as {
			waitSeconds?: number;
		};
		const connection = await run.connection();
		// However many items hold a number, it is asked once: 20 look-ups a minute are soon used up (§8.1).
		const prediction = await run.once(
			`lookup ${number}`,
			async () => await predict(connection, number, waitSeconds),
		);
		if ('failed' in prediction) throw inconclusive(connection, prediction.failed, itemIndex);
		return [{ number, service: prediction.service }];
	},
};

/** Asks until the channel is known, or the time is over. */
async function predict(
	connection: Connection,
	number: string,
	waitSeconds: number,
): Promise<Prediction> {
	const { pathPrefix } = connection.settings;
	const untilMs = Date.now() + waitSeconds * 1_000;
	let unreadable = 0;
	for (let look = 0; ; look += 1) {
		const outcome = await ask(connection, {
			method: 'GET',
			path: pathPrefix + PATHS.lookup,
			query: { number },
			lane: 'lookup',
		});
		const service = isSuccess(outcome) ? serviceOf(outcome.body) : undefined;
		if (service) return { service };
		const leftMs = untilMs - Date.now();
		const isBroken = outcome.kind === 'answer' && typeof outcome.body === 'string';
		if (!isOpen(outcome) && !(isBroken && ++unreadable <= MOST_UNREADABLE)) {
			return { failed: outcome };
		}
		if (leftMs <= 0) return isPending(outcome) ? { service: null } : { failed: outcome };
		const usualMs = LOOK_PAUSES_MS[Math.min(look, LOOK_PAUSES_MS.length - 1)] ?? 0;
		const askedMs = outcome.kind === 'answer' ? retryAfterMs(outcome, Date.now()) : undefined;
		await pause(connection.caller, Math.min(Math.max(askedMs ?? 0, usualMs), leftMs));
	}
}

/** §4.6: 202 means that a live check is running. */
function isPending(outcome: Outcome): boolean {
	return outcome.kind === 'answer' && outcome.status === 202;
}

/**
 * Whether asking again may help.
 *
 * assumption: a 503 is inconclusive (§4.6: its condition is not shown).
 */
function isOpen(outcome: Outcome): boolean {
	if (outcome.kind !== 'answer') return outcome.kind === 'unanswered';
	return isPending(outcome) || outcome.status >= 500;
}

/**
 * The channel that an answer names.
 *
 * assumption: the body is not shown (§4.6), so every usual name is read.
 */
function serviceOf(body: unknown): string | undefined {
	for (const place of [body, isFields(body) && body.data]) {
		if (!isFields(place)) continue;
		const channel = place.service ?? place.channel;
		if (typeof channel === 'string' && channel !== '') return serviceName(channel);
		if (typeof place.is_imessage === 'boolean') return place.is_imessage ? 'iMessage' : 'SMS';
	}
	return undefined;
}

function inconclusive(connection: Connection, outcome: Outcome, itemIndex: number) {
	if (outcome.kind !== 'answer' || outcome.status !== 503) {
		return toNodeError(connection, outcome, itemIndex);
	}
	return toNodeError(connection, outcome, itemIndex, {
		message: 'The service could not find out the channel of this number',
		description:
			'It was asked several times. You can send all the same, as the service chooses the channel by itself, or look the number up again later.',
	});
}
