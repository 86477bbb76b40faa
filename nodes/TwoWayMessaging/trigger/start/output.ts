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
	const first = Object.entries(facts).filter(([field]) => SHOWN_FIRST.includes(field));
	return {
		event: event.kind,
		...Object.fromEntries(first),
		// Always there, so that people can tell events apart: the name where the service gave no ID.
		event_id: event.eventId ?? name,
		...(event.createdAt && { created_at: event.createdAt }),
		recovered: isRecovered,
		...facts,
	} as IDataObject;
}
