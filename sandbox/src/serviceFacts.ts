import type { Line, MESSAGE_STATUSES, Service } from '../../nodes/TwoWayMessaging/contract';

/*
 * What the service alone says and does, beside the words that it shares with the nodes.
 */

export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Requests per minute and scope (§8.1). */
export const REQUEST_LIMITS = { all: 300, sendMessage: 60, media: 30, lookup: 20 } as const;

/** How events are delivered (§6.4, §3.3). */
export const DELIVERY = {
	timeoutSeconds: 5,
	maxAttempts: 6,
	maxBackoffHours: 12,
	failuresUntilDisabled: 10,
} as const;

/** Body of a 201 from POST /v1/send-message (§2.2). */
export type SendResponse = {
	status: MessageStatus;
	message_handle: string;
	to: string;
	content: string;
	service: Service | null;
	is_outbound: boolean;
	error_message: string | null;
	date_sent: string | null;
};

/** Body of GET /v1/lines (§4.3). */
export type LinesResponse = { status: 'ok'; lines: Line[] };

/** What every event travels in (§2.5). */
export type EventEnvelope = { id: string; type: string; created_at: string; data: object };
