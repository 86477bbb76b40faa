import type { IExecuteFunctions } from 'n8n-workflow';
import { judge } from '../filters';
import type { Arrival } from '../handover';
import type { TriggerCall } from '../nodeMemory';
import { readEventSettings } from '../settings';

/**
 * Leaves out the events that turn out not to pass the filters, now that they say what a filter asks about: an event may
 * name its line only by the number (§6.3), and a filter only by the handle.
 */
export function leaveOutUnwanted(
	{ caller, whyEmpty }: TriggerCall<IExecuteFunctions>,
	arrivals: Arrival[],
): Arrival[] {
	// n8n takes its time to read the fields, and hardly any event needs them.
	if (arrivals.every((arrival) => unsaidIn(arrival) === undefined)) return arrivals;
	const { filters } = readEventSettings(caller);
	return arrivals.filter((arrival) => {
		const content = unsaidIn(arrival);
		if (content === undefined || judge(content, filters) !== 'fails') return true;
		whyEmpty.add('unwanted');
		return false;
	});
}

function unsaidIn({ handover }: Arrival) {
	return handover === undefined || handover.kind === 'save' ? undefined : handover.unsaid;
}
