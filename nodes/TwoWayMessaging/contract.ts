/**
 * The service's own words: paths, headers, states, messages and record shapes, in the wire's spelling.
 * There are no functions here: behaviour is in the folders that import these words.
 */

/** Paths relative to the base URL (§4, §9). `status`, `lookup` and `media` may have a prefix (§4.9). */
export const PATHS = {
	sendMessage: '/v1/send-message',
	me: '/v1/me',
	lines: '/v1/lines',
	status: '/status',
	messages: '/v2/messages',
	lookup: '/lookup',
	webhooks: '/v1/account/webhooks',
	media: '/media',
} as const;

/** Header names in lower case, as Node reports them (§5.1, §6.4, §8.1). */
export const HEADERS = {
	apiKey: 'x-api-key',
	apiSecret: 'x-api-secret',
	signature: 'service-signature',
	rateLimit: 'x-ratelimit-limit',
	rateRemaining: 'x-ratelimit-remaining',
	retryAfter: 'retry-after',
} as const;

/** Message states (§3.1). */
export const MESSAGE_STATUSES = ['QUEUED', 'SENT', 'DELIVERED', 'RECEIVED', 'ERROR'] as const;

/** Channels a message can travel by (§1.3, §2.2). */
export const SERVICES = ['iMessage', 'SMS', 'RCS'] as const;
export type Service = (typeof SERVICES)[number];

/** Kinds of events an endpoint can subscribe to (§2.4, §6.1). */
export const EVENT_KINDS = ['receive', 'outbound', 'line_blocked', 'line_unblocked'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** The service's own sentences for refusals (§7). */
export const REFUSALS = {
	unauthenticated: 'Unauthenticated.',
	nothingToSend: 'content or media_url required',
	unknownLine: 'Unknown or inactive line',
	optedOut: 'Contact has opted out of messages',
	lineBlocked: 'Line is blocked',
	tooManyAttempts: 'Too Many Attempts.',
} as const;

/** Prefixes that events put before the identifiers of the REST side (§2.5, §6.2). */
export const PREFIXES = { event: 'evt_', message: 'msg_', line: 'line_' } as const;

/** Body of POST /v1/send-message (§2.1). */
export type SendRequest = {
	number: string;
	content?: string;
	media_url?: string | null;
	line_handle?: string;
};

/** Element of `lines` in GET /v1/lines (§2.3). */
export type Line = {
	line_handle: string;
	number: string;
	label: string;
	is_active: boolean;
	blocked_at: string | null;
	block_reason: string | null;
	/** Cap on new conversations and what is left of it (§8.2). */
	limits: Record<'hourly' | 'daily', { limit: number; remaining: number }>;
};
