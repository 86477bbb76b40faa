import type { NodeApiError } from 'n8n-workflow';
import { readCollection } from '../../parameterValues';
import { toNodeError } from '../../transport/errors';
import type { Connection, Outcome } from '../../transport/request';
import { optionsField } from '../collectionFields';
import { phoneNumberField, readPhoneNumber } from '../phoneNumberField';
import type { ListOperation } from '../run';
import { readWaitAtMostMs, waitAtMostOption } from '../waitAtMostOption';
import { ChannelLookUps, type Prediction } from './channelLookUps';

/** How long to wait for the channel unless the option says otherwise. */
const LOOKUP_WAIT_SECONDS = 30;

/** Predicts the channel of a number (§4.6). */
export const lookup: ListOperation = {
	value: 'lookup',
	name: 'Look Up',
	action: 'Look up the channel of a phone number',
	subtitle: 'Look up the channel',
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

	sends: false,
	keepsFieldsOfFailed: true,

	async read(run, itemIndex) {
		const number = readPhoneNumber(run, itemIndex);
		const options = readCollection(run.caller, 'options', itemIndex);
		const atMostMs = readWaitAtMostMs(run, options, itemIndex, LOOKUP_WAIT_SECONDS);
		return async () => {
			const connection = await run.connection();
			const lookUps = await run.once('look-ups', async () => new ChannelLookUps(connection));
			const toOutputs = (prediction: Prediction) => {
				if ('failed' in prediction) throw lookupError(connection, prediction.failed, itemIndex);
				return [{ number, service: prediction.service }];
			};
			const first = await lookUps.begin(number, atMostMs);
			if (first) {
				const outputs = toOutputs(first);
				return async () => outputs;
			}
			return async () => toOutputs(await lookUps.end(number));
		};
	},
};

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
