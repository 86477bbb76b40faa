import { isOutbound, type Message } from '../../message';
import { SIGNED_RESUME_URL } from '../questions/resumeUrl';
import { serviceTimeMs } from '../../serviceTime';

/** What a file is called, by the ending of its URL. */
const KINDS: Array<[RegExp, string]> = [
	[/\.(jpe?g|png|gif|webp|heic|heif|bmp|svg|tiff?)$/i, 'picture'],
	[/\.(mp4|mov|m4v|3gp|webm)$/i, 'video'],
	[/\.(mp3|m4a|aac|ogg|opus|wav|caf|amr)$/i, 'audio'],
];

/** A message without the links by which its question is answered, as an AI agent may repeat what it reads. */
export function withoutAnswerLinks(message: Message): Message {
	const content = message.content?.replace(SIGNED_RESUME_URL, '[answer link]');
	return content === undefined ? message : { ...message, content };
}

/** Every character that ends a line somewhere. */
const LINE_ENDS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/**
 * Writes a conversation as a text that a person or a model can read. Every message begins a line, and only messages and days
 * do: the further lines of a text are indented, so that no text can look like several messages:
 *
 *     Monday, 2 March 2026
 *     Customer, 9:04: Open today?
 *     Us, 9:05: Until 6 pm.
 *
 * @param messages oldest first
 */
export function writeTranscript(messages: Message[], timeZone: string): string {
	const clock = new Intl.DateTimeFormat('en-GB', {
		...{ timeZone, hourCycle: 'h23', hour: 'numeric', minute: '2-digit' },
		...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
	});
	const lines: string[] = [];
	let present: string | undefined;
	for (const message of messages) {
		const { day, time } = readClock(clock, message.date_sent);
		const whose = isOutbound(message) === true ? 'Us' : 'Customer';
		if (day !== undefined && day !== present) lines.push(day);
		present = day ?? present;
		const about = [whose, time, trouble(message)].filter(Boolean).join(', ');
		lines.push(`${about}: ${said(message)}`);
	}
	return lines.join('\n');
}

/** What a reader has to know of a message that has not left. */
function trouble({ status, error_message: reason }: Message): string | undefined {
	if (status === 'QUEUED') return 'not sent yet';
	if (status !== 'ERROR') return undefined;
	return reason ? `could not be sent (${indented(reason)})` : 'could not be sent';
}

function said({ content, media_url: mediaUrl }: Message): string {
	const parts = [content ? indented(content.trim()) : '', mediaUrl ? mediaNote(mediaUrl) : ''];
	return parts.filter((part) => part !== '').join(' ');
}

function mediaNote(url: string): string {
	const [path = ''] = url.split(/[?#]/);
	const kind = KINDS.find(([ending]) => ending.test(path))?.[1] ?? 'file';
	return `[${kind}: ${url.replace(/[\s\u0085]+/g, '')}]`;
}

function indented(text: string): string {
	return text.split(LINE_ENDS).join('\n  ');
}

/** The day and the time of a date, in the words of the transcript. */
function readClock(
	clock: Intl.DateTimeFormat,
	date: string | null | undefined,
): { day?: string; time?: string } {
	const dateMs = serviceTimeMs(date);
	if (Number.isNaN(dateMs)) return {};
	const parts = new Map(clock.formatToParts(dateMs).map(({ type, value }) => [type, value]));
	const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
	return {
		day: `${part('weekday')}, ${part('day')} ${part('month')} ${part('year')}`,
		time: `${Number(part('hour'))}:${part('minute').padStart(2, '0')}`,
	};
}
