const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const exact = new Intl.DateTimeFormat(undefined, {
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
	fractionalSecondDigits: 3,
});
const shortDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, {
	weekday: 'long',
	day: 'numeric',
	month: 'long',
});

/** The time of day. */
export const timeOf = (iso) => time.format(new Date(iso));
/** The time of day for today, and the day for any other day. */
export const whenOf = (iso, nowIso) => {
	const [at, now] = [new Date(iso), new Date(nowIso)];
	if (at.toDateString() === now.toDateString()) return time.format(at);
	return (at.getFullYear() === now.getFullYear() ? shortDay : dayOfYear).format(at);
};
/** When a message was sent, or where it was not, when it was written. */
export const messageTime = ({ date_sent: sent, created_at: written }) => sent ?? written ?? null;
/** The time of day with milliseconds. */
export const exactTimeOf = (iso) => exact.format(new Date(iso));
/** The day. */
export const dayOf = (iso) => day.format(new Date(iso));

const STATUSES = {
	QUEUED: 'Queued',
	SENT: 'Sent',
	DELIVERED: 'Delivered',
	RECEIVED: 'Received by the line',
	ERROR: 'Not sent',
};

/** The text under a bubble. */
export const messageStatus = (row) =>
	[
		row.service,
		row.error_message ? `${STATUSES[row.status]}: ${row.error_message}` : STATUSES[row.status],
		messageTime(row) ? timeOf(messageTime(row)) : null,
	]
		.filter(Boolean)
		.join(' · ');

const FAULTS = {
	pass: 'is answered as usual',
	'refuse-429': 'is refused with 429 and Retry-After',
	'refuse-429-bare': 'is refused with 429 without Retry-After',
	'status-409': 'is refused with 409',
	'status-500': 'is answered 500 and not carried out',
	'status-500-after': 'is answered 500 although it was carried out',
	'status-503': 'is answered 503 and not carried out',
	'status-503-after': 'is answered 503 although it was carried out',
	html: 'gets an HTML page (502) and is not carried out',
	'html-after': 'gets an HTML page although it was carried out',
	'truncated-after': 'gets half of its JSON although it was carried out',
	'reset-before': 'is cut off and not carried out',
	'reset-after': 'is cut off although it was carried out',
	'hang-before': 'gets no answer and is not carried out',
	'hang-after': 'gets no answer although it was carried out',
	slow: 'is answered after three seconds',
};

/** What happens to a call with this kind of fault. */
export const faultText = (kind) => FAULTS[kind];

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

/** A call in plain words; the path where it is not known. */
export const callName = (path) => CALLS.find(([pattern]) => pattern.test(path))?.[1] ?? path;

const EVENTS = {
	receive: 'A customer wrote',
	outbound: 'Message sent or failed',
	line_blocked: 'A line was blocked',
	line_unblocked: 'A line was unblocked',
};

/** An event in plain words. */
export const eventName = (kind) => EVENTS[kind];

/** Who and what an event is about, in whichever form it is; nothing where it does not say. */
export const eventContent = (body) => {
	const { data = {}, ...flat } = JSON.parse(body);
	const { line, message = line ?? data } = data;
	const {
		from,
		to,
		text,
		content = text,
		number,
		is_outbound: isOutbound,
		...rest
	} = {
		...flat,
		...message,
	};
	const isOurs = isOutbound || rest.direction === 'outbound';
	return [number ?? (isOurs ? to : from), content && `“${content}”`].filter(Boolean).join(' ');
};

const DELIVERIES = {
	waiting: 'Waiting',
	sending: 'Sending',
	delivered: 'Delivered',
	failed: 'Failed',
	dropped: 'Endpoint disabled',
};

/** The state of a delivery in plain words. */
export const deliveryState = (state) => DELIVERIES[state];

/** The characters that the service can have, each with what it does. */
export const CHARACTERS = {
	literal: 'sends what its document shows and not a field more.',
	generous: 'sends more fields than its document shows, and a date with everything.',
	awkward:
		'does what its document leaves open in another way than one would expect: its clock is four minutes behind, texts are trimmed, rows are out of order.',
};

/** JSON laid out for reading; any other text unchanged. */
export const laidOut = (text) => {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
};
