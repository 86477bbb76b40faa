import type { IDataObject, IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { isPublishedAgain, isStartOfN8n } from '../n8n/activation';
import { shownValue } from '../parameterValues';
import { entriesThatMatchNobody, valuesThatAreNoFilter } from './filters';
import { filledFilters } from './settings';

/**
 * Tells a person who publishes or tests the workflow that a value in its filters is no filter, or a number in them can be
 * nobody's. When n8n starts, or the workflow is published again, a throw would stop a workflow that listens: the log tells
 * it then.
 *
 * @throws NodeOperationError when the workflow does not listen yet
 */
export function refuseFiltersThatMatchNobody(context: IHookFunctions | ITriggerFunctions): void {
	const message = whatIsWrong(filledFilters(context));
	if (message === undefined) return;
	if (isStartOfN8n(context) || isPublishedAgain(context)) {
		context.logger.warn(`${context.getNode().name}: ${message}`);
		return;
	}
	throw new NodeOperationError(context.getNode(), message);
}

function whatIsWrong(filled: IDataObject): string | undefined {
	const [value] = valuesThatAreNoFilter(filled);
	if (value !== undefined) {
		return `“${shownValue(value)}” cannot be a filter. Give each field under 'Filters' a text, a number, a list of these, or one of its choices.`;
	}
	const [entry] = entriesThatMatchNobody(filled);
	return entry === undefined
		? undefined
		: `No message can come from “${entry.slice(0, 40)}”. Enter the numbers under 'Filters' with a plus and the country code, for example +15551230001.`;
}
