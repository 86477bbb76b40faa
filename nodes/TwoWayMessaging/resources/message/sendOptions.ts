import { optionsField } from '../collectionFields';
import { ifLineBlockedOption } from './anotherLine';
import { waitOptions } from './followMessage';
import { ifUnconfirmedOption } from './ifUnconfirmedOption';
import { onlyOnceForOption } from './onlyOnceForOption';

/** The options of every operation that sends; `sendOnce` reads them. */
export const sendOptions = optionsField([
	ifLineBlockedOption,
	ifUnconfirmedOption,
	{
		displayName: 'If Opted Out',
		name: 'ifOptedOut',
		type: 'options',
		default: 'fail',
		description: 'What to do when the customer has replied STOP',
		options: [
			{
				name: 'Skip',
				value: 'skip',
				description: 'Send nothing, and output an item with the status SKIPPED',
			},
			{
				name: 'Stop and Say Why',
				value: 'fail',
				description: 'Treat it like every other refusal',
			},
		],
	},
	onlyOnceForOption,
	...waitOptions({ name: 'Queued', description: 'The service has accepted it. No wait.' }),
]);
