import type { IHookFunctions, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { isPublishedAgain, isStartOfN8n } from '../n8n/activation';
import { entriesThatMatchNobody } from './filters';
import { filledFilters } from './settings';

/**
 * Tells a person who publishes or tests the workflow that a number in its filters can be nobody's. When n8n starts, or
 * the workflow is published again, a throw would stop a workflow that listens: the log tells it then.
 *
 * @throws NodeOperationError when the workflow does not listen yet
 */
export function refuseFiltersThatMatchNobody(caller: IHookFunctions | IPollFunctions): void {
	const [entry] = entriesThatMatchNobody(filledFilters(caller));
	if (entry === undefined) return;
	const message = `No message can come from “${entry.slice(0, 40)}”. Enter the numbers under 'Filters' with a plus and the country code, for example +15551230001.`;
	if (isStartOfN8n(caller) || isPublishedAgain(caller)) {
		caller.logger.warn(`${caller.getNode().name}: ${message}`);
		return;
	}
	throw new NodeOperationError(caller.getNode(), message);
}
