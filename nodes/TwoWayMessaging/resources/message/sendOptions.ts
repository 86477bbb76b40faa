import { optionsField } from '../collectionFields';
import { waitOptions } from './followMessage';
import { ifOptedOutOption } from './ifOptedOutOption';
import { ifUnconfirmedOption } from './ifUnconfirmedOption';

/** The options of every operation that sends; `sendOnce` reads them. */
export const sendOptions = optionsField([
	ifUnconfirmedOption,
	ifOptedOutOption,
	...waitOptions({ name: 'Queued', description: 'The service has accepted it. No wait.' }),
]);
