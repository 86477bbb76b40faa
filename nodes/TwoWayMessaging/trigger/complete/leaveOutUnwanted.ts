import type { IExecuteFunctions } from 'n8n-workflow';
import { toMessage } from '../../message';
import type { MessageKind } from '../event';
import { judge } from '../filters';
import type { Arrival, Handover } from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { readEventSettings } from '../settings';

/**
 * Leaves out the events that turn out not to pass the filters, now that they say what a filter asks about: an event may
 * name its line only by the number (§6.3), and a filter only by the handle.
 */
export function leaveOutUnwanted(
	{ caller }: TriggerCall<IExecuteFunctions>,
	arrivals: Arrival[],
): Arrival[] {
	// n8n takes its time to read the fields, and hardly any event needs them.
	if (!arrivals.some(({ handover }) => isUnsaid(handover))) return arrivals;
	const { filters } = readEventSettings(caller);
	return arrivals.filter(({ handover }) => {
		if (!isUnsaid(handover)) return true;
		const { output } = handover;
		const content = { kind: output.event as MessageKind, message: toMessage(output) };
		return judge(content, filters) !== 'fails';
	});
}

function isUnsaid(
	handover: Handover | undefined,
): handover is Exclude<Handover, { kind: 'save' }> & { isUnsaid: true } {
	return handover !== undefined && handover.kind !== 'save' && handover.isUnsaid === true;
}
