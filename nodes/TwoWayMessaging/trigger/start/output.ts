import type { IDataObject } from 'n8n-workflow';
import type { ServiceEvent } from '../event';

/** The fields that a person looks for. The editor shows a table, of which the first columns are in sight. */
const SHOWN_FIRST = ['from', 'to', 'content', 'number', 'label'];

/**
 * The fields that people work with: the event's, and those of its message (§2.2) or its line (§2.3).
 *
 * @param isRecovered whether a check found the event in place of a webhook
 */
export function toOutput(event: ServiceEvent, name: string, isRecovered: boolean): IDataObject {
	const facts = 'message' in event ? event.message : event.line;
	const createdAt = event.createdAt ?? ownTime(event);
	const first = Object.entries(facts).filter(([field]) => SHOWN_FIRST.includes(field));
	return {
		event: event.kind,
		...Object.fromEntries(first),
		// The same however the event came, so that people can tell a repetition by it.
		event_id: name,
		...(createdAt && { created_at: createdAt }),
		recovered: isRecovered,
		...facts,
	} as IDataObject;
}

/** The time of what the event is about, where the service did not say when it made the event. */
function ownTime(event: ServiceEvent): string | null | undefined {
	return 'message' in event ? event.message.date_sent : event.line.blocked_at;
}
