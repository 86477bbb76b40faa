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

/** A line as people are told of it. */
export const lineName = ({ label, number }) => `${label} · ${number}`;

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

/** What the service does, as the end of "The service …". */
const FAULTS = {
	pass: 'answers as usual',
	'refuse-429': 'is too busy: works when tried again (429)',
	'refuse-429-bare': 'is too busy, and says not for how long (429)',
	'status-409': 'says that this contradicts something (409)',
	'status-500': 'breaks down and does nothing (500)',
	'status-500-after': 'does it, then breaks down and does not say so (500)',
	'status-503': 'is out of order and does nothing (503)',
	'status-503-after': 'does it, but says that it is out of order (503)',
	html: 'does nothing and answers with a web page (502)',
	'html-after': 'does it, but answers with a web page (502)',
	'truncated-after': 'does it, but its answer breaks off in the middle',
	'reset-before': 'hangs up and does nothing',
	'reset-after': 'does it, but hangs up without an answer',
	'hang-before': 'does nothing and never answers',
	'hang-after': 'does it, but never answers',
	slow: 'does it, and answers three seconds later',
};

/** What the service does to a call with this kind of fault. */
export const faultText = (kind) => FAULTS[kind];

/** A pending fault as a sentence. */
export const faultSentence = ({ path, kind, times, probability = null }) => {
	const when =
		times === null ? 'Each time' : times === 1 ? 'The next time' : `The next ${times} times`;
	const chance =
		probability === null ? '' : `, by chance in ${Math.round(probability * 100)} of 100 cases`;
	return `${when} a workflow wants to ${lowerFirst(callName(path))}, the service ${faultText(kind)}${chance}.`;
};

const lowerFirst = (text) => text[0].toLowerCase() + text.slice(1);

/** Why the service refuses to send, by its sentence (§7). */
const REFUSALS = {
	'content or media_url required': 'it has no text and no picture',
	'Unknown or inactive line': 'the line is off, or there is none like it',
	'Contact has opted out of messages': 'the customer has texted STOP',
	'Line is blocked': 'the line is blocked',
};

const REASONS = {
	...REFUSALS,
	'Unauthenticated.': 'the key or the secret is wrong',
	'Too Many Attempts.': 'too many calls in a minute',
};

/** Why the service refuses something, in words that fit behind a colon. */
const reasonText = (sentence) => REASONS[sentence] ?? sentence;

/**
 * The text under a message that the service refused to send. Where another line than the conversation's was to send,
 * `lineLabel` says which.
 */
export const refusalText = (reason, lineLabel) =>
	`The shop’s message was refused: ${reasonText(reason)}${lineLabel ? ` (${lineLabel})` : ''}`;

const ANSWERS = {
	200: 'Answered',
	201: 'Accepted',
	202: 'Not known yet',
	400: 'Not understood',
	401: 'Key pair not accepted',
	404: 'Not found',
	409: 'There is one already',
	413: 'Too large',
	422: 'Refused',
	429: 'Too many calls, try again',
	500: 'The service broke down',
	502: 'Answered with a web page',
	503: 'The service is out of order',
};

/** What the service's answer to a call means: the words for its status, and why it refuses. */
export const answerText = ({ status, body }) => {
	const words = ANSWERS[status] ?? (status < 300 ? 'Done' : 'Refused');
	if (status !== 422) return words;
	const { error_message: refusal, message } = jsonIn(body);
	return refusal || message ? `${words}: ${reasonText(refusal || message)}` : words;
};

const RECEIVERS = {
	401: 'turned it away as not signed rightly',
	403: 'turned it away',
	404: 'has no such webhook any more',
	429: 'is too busy',
	500: 'broke down',
	502: 'cannot be reached',
	503: 'is too busy',
	504: 'took too long',
};

/** What the receiver of an event did, as the end of "n8n …"; `null` is no answer at all. */
export const receiverText = (status) => {
	if (status === null) return 'did not answer';
	return RECEIVERS[status] ?? (status < 300 ? 'has it' : 'did not take it');
};

const SEND = /\/v1\/send-message$/;

const CALLS = [
	[SEND, 'Send a message'],
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

/** The object in a text of JSON; empty for anything else. */
const jsonIn = (text) => {
	try {
		return Object(JSON.parse(text));
	} catch {
		return {};
	}
};

/** Whom a send is to and what it says; nothing for any other call. */
export const callContent = (path, body) => {
	if (!SEND.test(path)) return '';
	const { number, content, media_url: media } = jsonIn(body);
	const said = content ? `“${content}”` : media && 'a picture';
	return [number, said].filter(Boolean).join(' ');
};

/** Who could not do what, where the service has not accepted the key pair. */
export const turnedAwayText = (path, body) => {
	const content = callContent(path, body);
	const who = SEND.test(path) ? 'A workflow' : 'n8n';
	const wanted = content ? `text ${content}` : lowerFirst(callName(path));
	return `${who} tried to ${wanted}: the key or the secret in its credential is not right.`;
};

/** Who and what an event is about, in whichever form it is; nothing where it does not say. */
export const eventContent = (body) => {
	const { data = {}, ...flat } = jsonIn(body);
	const { line, message = line ?? data } = data;
	const {
		from,
		to,
		text,
		content = text,
		media_url: mediaUrl,
		number,
		is_outbound: isOutbound,
		...rest
	} = {
		...flat,
		...message,
	};
	const isOurs = isOutbound || rest.direction === 'outbound';
	const said = content ? `“${content}”` : mediaUrl && 'Attachment';
	return [number ?? (isOurs ? to : from), said].filter(Boolean).join(' ');
};

const DELIVERIES = {
	waiting: 'Waiting',
	sending: 'Sending',
	delivered: 'Received by n8n',
	failed: 'Failed',
	dropped: 'The service has given up',
};

/** The state of a delivery in plain words. */
export const deliveryState = (state) => DELIVERIES[state];

/** What has become of a workflow's webhook that the service has given up, and what to do. */
export const GIVEN_UP =
	'Ten deliveries failed, so the service calls this webhook no more. Publish the workflow, which registers it again.';

/** Why n8n answers 404. */
export const UNPUBLISHED = 'n8n has no such webhook any more (404): usual after Unpublish.';

/** That several workflows have got a text. */
export const severalListen = (count) =>
	count === 2
		? 'Two workflows listen to this line, so both got this text.'
		: `${count} workflows listen to this line, so each got this text.`;

/** Why n8n starts nothing for an event that it has, as it says in its answer; undefined where it does not say. */
export const whyNothing = (answer) => /starts nothing: ([^"]+)/.exec(answer ?? '')?.[1];

/** That a text may answer a question, where n8n says so in its answer; undefined where it does not. */
export const meansAnswer = (answer) =>
	answer?.includes('it may be the answer to a question that waits')
		? 'It may be the answer that a workflow waits for.'
		: undefined;

/** What a receiver's answer says: of n8n's JSON, which may be cut, the message alone, as the rest is for programmers. */
export const answerSaid = (answer) => {
	const [, message] = /^\{.*?"message":\s*("(?:[^"\\]|\\.)*")/s.exec(answer) ?? [];
	return jsonIn(`{"message":${message}}`).message ?? answer;
};

/** The characters that the service can have, each with what it does. */
export const CHARACTERS = {
	literal: 'sends what its document shows and not a field more.',
	generous: 'sends more fields than its document shows, and a date with everything.',
	awkward:
		'does what its document leaves open in another way than one would expect: its clock is four minutes behind, texts are trimmed, rows are out of order.',
	foreign:
		'sends words of its own wherever its document shows none: other names, numbers without a plus, 1 and 0 for yes and no.',
};

/** JSON laid out for reading; any other text unchanged. */
export const laidOut = (text) => {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
};
