import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { SERVICES } from '../../../nodes/TwoWayMessaging/contract';
import { isE164 } from '../fields';
import { Place } from './place';
import type { ContactSeed, KeyPair, LineSeed, MessageSeed, Seed, SeedTime } from './seed';
import { SeedRefusal, USUAL_BLOCK_REASON, USUAL_LINES } from './seed';

/**
 * Reads a seed file (YAML or JSON): the lines, contacts, conversations and key pairs with which a sandbox begins.
 *
 * @throws SeedRefusal that names the file, the line and the field, where something in it cannot be used
 * @example
 * const sandbox = createSandbox({ seed: readSeedFile('shop.yaml') });
 */
export const readSeedFile = (path: string): Seed => {
	try {
		return readSeed(readFileSync(path, 'utf8'), basename(path));
	} catch (cause) {
		if (cause instanceof SeedRefusal) throw cause;
		const { code = '', message } = cause as NodeJS.ErrnoException;
		const why = UNREADABLE[code] ?? message;
		throw new SeedRefusal(`The seed file ${path} cannot be read: ${why}.`, { cause });
	}
};

const UNREADABLE: Record<string, string> = {
	ENOENT: 'there is no such file',
	EISDIR: 'this is a folder',
	EACCES: 'you may not read it',
};

const MOST_MESSAGES = 100_000;

/** Reads the text of a seed file; `name` is what refusals call the file. Throws as `readSeedFile` does. */
export const readSeed = (text: string, name: string): Seed => {
	const lines = new LineCounter();
	const document = parseDocument(text, {
		lineCounter: lines,
		prettyErrors: false,
		// Every value is read as the text that stands there, so that +15551230001 and YES stay what they are.
		schema: 'failsafe',
	});
	const file = { name, document, lines };
	const [broken] = document.errors;
	if (broken) {
		const why = `This is no valid YAML. The parser says: ${broken.message}`;
		new Place(file, null, '', broken.pos[0]).refuse(why);
	}

	const root = new Place(file, document.contents, '', 0);
	const fields = root.fields(['key_pairs', 'lines', 'contacts', 'conversations']);
	const keyPairs = uniqueBy(fields.key_pairs?.entries() ?? [], keyPairIn, ['key']);
	const ownLines = uniqueBy(fields.lines?.entries() ?? [], lineIn, ['number', 'handle', 'label']);
	const known = ownLines.length > 0 ? ownLines : USUAL_LINES;
	const readContact = (place: Place) => contactIn(place, known);
	const contacts = uniqueBy(fields.contacts?.entries() ?? [], readContact, ['number']);
	const messages: MessageSeed[] = [];
	for (const conversation of fields.conversations?.entries() ?? []) {
		for (const message of messagesIn(conversation, known)) messages.push(message);
		if (messages.length > MOST_MESSAGES) {
			conversation.refuse(`A seed has at most ${MOST_MESSAGES.toLocaleString('en')} messages.`);
		}
	}
	return { keyPairs, lines: ownLines, contacts, messages };
};

const keyPairIn = (place: Place): KeyPair => {
	const { key, secret, admin, revoked } = place.fields(['key', 'secret', 'admin', 'revoked']);
	return {
		key: place.need(key, 'key').text(),
		secret: place.need(secret, 'secret').text(),
		admin: admin?.text() ?? 'admin',
		isRevoked: revoked?.boolean() ?? false,
	};
};

const lineIn = (place: Place): LineSeed => {
	const { number, label, line_handle, limits, is_active, blocked } = place.fields([
		'number',
		'label',
		'line_handle',
		'limits',
		'is_active',
		'blocked',
	]);
	const { hourly, daily } = limits?.fields(['hourly', 'daily']) ?? {};
	const ownNumber = numberIn(place.need(number, 'number'));
	return {
		handle: line_handle?.text() ?? handleOf(ownNumber),
		number: ownNumber,
		label: label?.text() ?? ownNumber,
		hourlyLimit: hourly?.wholeNumber() ?? 50,
		dailyLimit: daily?.wholeNumber() ?? 200,
		isActive: is_active?.boolean() ?? true,
		blockReason: blocked ? blockReasonIn(blocked) : null,
	};
};

const blockReasonIn = (place: Place): string | null => {
	const text = place.text();
	if (text === 'false') return null;
	return text === 'true' ? USUAL_BLOCK_REASON : text;
};

const contactIn = (place: Place, lines: LineSeed[]): ContactSeed => {
	const { number, imessage, service, opted_out } = place.fields([
		'number',
		'imessage',
		'service',
		'opted_out',
	]);
	const hasIMessage = imessage?.boolean() ?? true;
	const usedService = service?.choice(SERVICES) ?? null;
	if (!hasIMessage && usedService === 'iMessage') {
		service!.refuse('A customer without iMessage has not used it.');
	}
	return {
		number: customerNumberIn(place.need(number, 'number'), lines),
		hasIMessage,
		service: usedService,
		isOptedOut: opted_out?.boolean() ?? null,
	};
};

const messagesIn = (place: Place, lines: LineSeed[]): MessageSeed[] => {
	const { customer, line, messages } = place.fields(['customer', 'line', 'messages']);
	const contactNumber = customerNumberIn(place.need(customer, 'customer'), lines);
	const named = line?.text();
	const found = lines.find(({ number, label, handle }) =>
		[number, label, handle].includes(named ?? lines[0]!.number),
	);
	if (!found) {
		const known = lines.map(({ number, label }) => `${label} (${number})`).join(', ');
		return line!.refuse(`There is no line ${named}. There are ${known}.`);
	}
	return place
		.need(messages, 'messages')
		.entries()
		.map((message) => ({
			contactNumber,
			lineNumber: found.number,
			...messageIn(message),
		}));
};

/** How a message of the line can have ended. */
const ENDS = ['DELIVERED', 'SENT', 'ERROR'] as const;

const messageIn = (place: Place): Omit<MessageSeed, 'contactNumber' | 'lineNumber'> => {
	const { ago, at, customer, line, media_url, service, status, error_message } = place.fields([
		'ago',
		'at',
		'customer',
		'line',
		'media_url',
		'service',
		'status',
		'error_message',
	]);
	if (customer && line) place.refuse('Either the customer or the line writes a message.');
	const text = customer ?? line;
	if (!text) {
		return place.refuse(
			"A message needs the field customer or line: what they write; customer: '' or line: '' for media alone.",
		);
	}
	const content = text.textOrEmpty();
	const mediaUrl = media_url ? urlIn(media_url) : null;
	if (content === '' && !mediaUrl) place.refuse('A message needs a text or media_url.');
	if (customer && status) status.refuse('What a customer writes is always RECEIVED.');
	if (customer) error_message?.refuse('Only a message of the line can have one.');
	const end = status?.choice(ENDS) ?? (error_message ? 'ERROR' : 'DELIVERED');
	if (error_message && end !== 'ERROR')
		error_message.refuse('Only a message with status ERROR has one.');
	return {
		isOutbound: line !== undefined,
		content,
		mediaUrl,
		service: service?.choice(SERVICES) ?? null,
		status: line ? end : 'RECEIVED',
		errorMessage:
			end === 'ERROR' ? (error_message?.text() ?? 'The message could not be sent') : null,
		time: timeIn(place, ago, at),
	};
};

const UNIT_MS: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };

/** A hundred years. */
const MOST_DAYS_AGO = 36_500;

const timeIn = (message: Place, ago: Place | undefined, at: Place | undefined): SeedTime => {
	if (at && ago) at.refuse('A message has either ago or at.');
	if (at) {
		const text = at.text();
		const atMs = isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
		if (Number.isNaN(atMs))
			at.refuse(`This must be a time such as 2026-01-05T09:30:00Z, not ${text}.`);
		return { atMs };
	}
	const place = message.need(ago, 'ago');
	const text = place.text();
	if (!/^\d{1,5}[dhms](?: \d{1,5}[dhms])*$/.test(text)) {
		place.refuse(`This must be a time before now such as "2d 3h" or "5m 20s", not ${text}.`);
	}
	const parts = text.split(' ').map((part) => Number.parseInt(part, 10) * UNIT_MS[part.at(-1)!]!);
	const agoMs = parts.reduce((sum, ms) => sum + ms, 0);
	if (agoMs > MOST_DAYS_AGO * UNIT_MS['d']!)
		place.refuse(`This must be at most ${MOST_DAYS_AGO}d.`);
	return { agoMs };
};

/** Whether this is a day of the calendar, such as 2026-01-05; `Date.parse` makes March 2 of February 30. */
const isDay = (text: string): boolean => {
	const time = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text) : null;
	return time !== null && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
};

const numberIn = (place: Place): string => {
	// People write numbers with spaces and dashes.
	const text = place.text().replace(/[\s().-]/g, '');
	if (isE164(text)) return text;
	return place.refuse('This must be a phone number with a leading +, such as +15551230001.');
};

const customerNumberIn = (place: Place, lines: LineSeed[]): string => {
	const number = numberIn(place);
	const isLine = lines.some((line) => line.number === number);
	return isLine ? place.refuse('This is the number of a line.') : number;
};

const urlIn = (place: Place): string => {
	const text = place.text();
	if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
	return place.refuse('This must be an http or https URL.');
};

/** Reads entries and refuses one that has the same value in one of these fields as an entry before it. */
const uniqueBy = <Entry>(
	places: Place[],
	read: (place: Place) => Entry,
	names: ReadonlyArray<keyof Entry>,
): Entry[] => {
	const entries: Entry[] = [];
	for (const place of places) {
		const entry = read(place);
		for (const name of names) {
			if (!entries.some((other) => other[name] === entry[name])) continue;
			place.refuse(`${String(entry[name])} stands above already.`);
		}
		entries.push(entry);
	}
	return entries;
};

/** The handle of a line whose seed names none: in UUID form (§2.3), and the same at every start. */
const handleOf = (number: string): string => {
	const hex = createHash('sha256').update(`line ${number}`).digest('hex');
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
