const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const exact = new Intl.DateTimeFormat(undefined, {
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
	fractionalSecondDigits: 3,
});
const day = new Intl.DateTimeFormat(undefined, {
	weekday: 'long',
	day: 'numeric',
	month: 'long',
});

/** A moment as its time of day. */
export const timeOf = (iso) => time.format(new Date(iso));
/** A moment with its milliseconds. */
export const exactTimeOf = (iso) => exact.format(new Date(iso));
/** The day of a moment. */
export const dayOf = (iso) => day.format(new Date(iso));

const STATUSES = {
	QUEUED: 'Queued',
	SENT: 'Sent',
	DELIVERED: 'Delivered',
	RECEIVED: 'Received by the line',
	ERROR: 'Not sent',
};

/** What stands under a bubble. */
export const statusOf = (row) =>
	[
		row.service,
		row.error_message ? `${STATUSES[row.status]}: ${row.error_message}` : STATUSES[row.status],
		row.date_sent ? timeOf(row.date_sent) : null,
	]
		.filter(Boolean)
		.join(' · ');

const FAULTS = {
	pass: 'passes unharmed',
	'refuse-429': 'is refused: 429 with Retry-After',
	'refuse-429-bare': 'is refused: 429 without Retry-After',
	'status-409': 'is refused: 409',
	'status-500': 'ends in 500, nothing done',
	'status-500-after': 'ends in 500 although it was done',
	'status-503': 'ends in 503, nothing done',
	'status-503-after': 'ends in 503 although it was done',
	html: 'gets an HTML page (502), nothing done',
	'html-after': 'gets an HTML page although it was done',
	'truncated-after': 'gets half of its JSON, and was done',
	'reset-before': 'is cut off, nothing done',
	'reset-after': 'is cut off although it was done',
	'hang-before': 'gets no answer, nothing done',
	'hang-after': 'gets no answer although it was done',
	slow: 'is answered after three seconds',
};

/** What happens to a call with a fault. */
export const faultOf = (kind) => FAULTS[kind] ?? kind;

const CALLS = [
	[/\/v1\/send-message$/, 'Send a message'],
	[/\/v2\/messages$/, 'Read the history'],
	[/\/v1\/lines$/, 'List the lines'],
	[/\/v1\/me$/, 'Check the credential'],
	[/\/v1\/account\/webhooks$/, 'Register a webhook'],
	[/\/status$/, 'Ask for a status'],
	[/\/lookup$/, 'Look up a number'],
	[/\/media$/, 'Upload media'],
];

/** A call in plain words; the path itself where there are none. */
export const callName = (path) => CALLS.find(([pattern]) => pattern.test(path))?.[1] ?? path;

const EVENTS = {
	receive: 'A customer wrote',
	outbound: 'Message sent or failed',
	line_blocked: 'A line was blocked',
	line_unblocked: 'A block was lifted',
};

/** An event in plain words. */
export const eventName = (kind) => EVENTS[kind] ?? kind;

const DELIVERIES = {
	waiting: 'Waiting',
	sending: 'Sending',
	delivered: 'Delivered',
	failed: 'Given up',
	dropped: 'Endpoint disabled',
};

/** A delivery's state. */
export const deliveryState = (state) => DELIVERIES[state] ?? state;

/** JSON laid out for reading; any other text as it is. */
export const laidOut = (text) => {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
};
