import type { IDataObject } from 'n8n-workflow';
import { derivedFields } from './derivedFields';
import type { ServiceEvent } from './event';

/** The fields that a person looks for. The editor shows a table, of which the first columns are in sight. */
const SHOWN_FIRST = ['date_sent', 'from', 'to', 'content', 'status', 'number', 'label'];

/**
 * The fields that people work with: those of the event's message (§2.2) or its line (§2.3), the event's own, and those
 * that n8n's AI nodes look for.
 *
 * @param isRecovered whether a check found the event in place of a webhook
 */
export function toOutput(event: ServiceEvent, name: string, isRecovered: boolean): IDataObject {
	const facts = ('message' in event ? event.message : event.line) as IDataObject;
	const createdAt = event.createdAt ?? ownTime(event);
	// Field by field, as objects that are spread take several times as long: a check may make thousands of items at once.
	const output: IDataObject = {};
	for (const field in facts) if (SHOWN_FIRST.includes(field)) output[field] = facts[field];
	output.event = event.kind;
	if (createdAt) output.created_at = createdAt;
	output.recovered = isRecovered;
	if (event.kind === 'receive') Object.assign(output, derivedFields(event.message));
	Object.assign(output, facts);
	// The same however the event came, so that people can tell a repetition by it.
	output.event_id = name;
	return output;
}

/** The time of what the event is about, where the service did not say when it made the event. */
function ownTime(event: ServiceEvent): string | null | undefined {
	return 'message' in event ? event.message.date_sent : event.line.blocked_at;
}
