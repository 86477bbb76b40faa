import { optionsField } from '../collectionFields';
import { ifLineBlockedOption } from './anotherLine';
import { waitOptions } from './followMessage';
import { ifOptedOutOption } from './ifOptedOutOption';
import { ifUnconfirmedOption } from './ifUnconfirmedOption';
import { onlyOnceForOption } from './onlyOnceForOption';

/** The options of every operation that sends; `sendOnce` reads them. */
export const sendOptions = optionsField([
	ifLineBlockedOption,
	ifUnconfirmedOption,
	ifOptedOutOption,
	onlyOnceForOption,
	...waitOptions({ name: 'Queued', description: 'The service has accepted it. No wait.' }),
]);
