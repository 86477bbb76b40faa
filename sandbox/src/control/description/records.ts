import {
	EVENT_KINDS,
	MESSAGE_STATUSES,
	SERVICES,
} from '../../../../nodes/TwoWayMessaging/contract';
import { FAULT_KINDS } from '../../faults';
import { REDELIVERIES } from '../../webhooks/attempt';
import { DELIVERY_STATES } from '../../webhooks/deliveries';
import {
	bool,
	count,
	countOrNull,
	listOf,
	oneOf,
	oneOfOrNull,
	orNull,
	record,
	ref,
	text,
	textOrNull,
	time,
	timeOrNull,
	type Schema,
} from './schema';

const window = record({ limit: count, remaining: count });

/** What control calls answer with, by name. */
export const records: Record<string, Schema> = {
	Refusal: {
		type: 'object',
		properties: { message: text, errors: { type: 'object' } },
		required: ['message'],
	},
	Message: record({
		message_handle: text,
		conversation_handle: text,
		line_handle: text,
		from: text,
		to: text,
		content: text,
		media_url: textOrNull,
		service: oneOfOrNull(SERVICES),
		status: oneOf(MESSAGE_STATUSES),
		is_outbound: bool,
		error_message: textOrNull,
		created_at: time,
		date_sent: timeOrNull,
	}),
	RefusedSend: record({
		id: text,
		at: time,
		conversation_handle: textOrNull,
		line_handle: textOrNull,
		line_label: textOrNull,
		to: text,
		content: text,
		media_url: textOrNull,
		reason: text,
	}),
	Line: record({
		line_handle: text,
		number: text,
		label: text,
		is_active: bool,
		blocked_at: timeOrNull,
		block_reason: textOrNull,
		limits: record({ hourly: window, daily: window }),
	}),
	Contact: record({
		number: text,
		imessage: bool,
		service: oneOfOrNull(SERVICES),
		opted_out: bool,
		fail_next: textOrNull,
	}),
	Webhook: record({
		id: text,
		url: text,
		events: listOf(oneOf(EVENT_KINDS)),
		status: oneOf(['enabled', 'disabled']),
		created_at: time,
		failures: count,
	}),
	Fault: record({
		path: text,
		kind: oneOf(FAULT_KINDS),
		times: countOrNull,
		probability: { type: ['number', 'null'] },
	}),
	Attempt: record({
		at: time,
		by: oneOfOrNull(REDELIVERIES),
		headers: { type: 'object' },
		status: countOrNull,
		reason: textOrNull,
		answer: text,
		duration_ms: { type: 'number' },
	}),
	Delivery: record({
		id: text,
		event_id: text,
		event: oneOf(EVENT_KINDS),
		created_at: time,
		url: text,
		state: oneOf(DELIVERY_STATES),
		next_attempt_at: timeOrNull,
		body: { type: 'string', description: 'The exact text that is signed and sent' },
		attempts: listOf(ref('Attempt')),
	}),
	Call: record({
		id: text,
		at: time,
		method: text,
		path: text,
		request: record({ headers: { type: 'object' }, body: textOrNull, is_cut: bool }),
		fault: oneOfOrNull(FAULT_KINDS),
		answer: orNull(
			record({ status: count, headers: { type: 'object' }, body: textOrNull, is_cut: bool }),
		),
		duration_ms: { type: ['number', 'null'] },
	}),
};

/** A line with the number of new conversations that wait for its limit. */
export const heldLine = record({ ...records['Line']!.properties, held_conversations: count });
