import { createHash, randomBytes } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../../clock';
import type { SendRequest } from '../../contract';
import type { Message } from '../../message';
import { readRunIndex } from '../../n8n/linkedItems';
import { toolCallOf } from '../../n8n/agentTools';
import { Queue } from '../../queue';
import type { Outcome } from '../../service/outcome';
import { redactAll } from '../../service/redact';
import type { Connection, Item } from '../../service/request';
import type { Moment } from '../../service/account';

/** Digits of what identifies the row of a message. */
const PRINT_DIGITS = 12;

/** How many messages a process remembers, of some hundred bytes each, and by how many names at most. */
export const MOST_KEPT = 50_000;
const NAMES_OF_EACH = 3;

/** Longer than any run that waits for its limits, also where the service asks to wait for days. */
export const KEPT_MS = 8 * 24 * 60 * 60 * 1_000;

/** A request whose answer is missing since a moment: the service may have accepted it. */
export type LostAnswer = Moment & { outcome: Outcome };

/** What is known of one message. */
export type Entry = {
	/** Names the message in the URL of a question. A second try asks with the URL that the first has sent. */
	readonly token: string;
	/** `refused` means that it is certainly not sent; `open`, that an answer is missing and the history has not shown it. */
	state: 'untried' | 'onItsWay' | 'open' | 'sent' | 'refused';
	/** Who gets it, as soon as that is known. */
	to?: string;
	/** What is sent. A second run sends the same, also where the text contains the time of day. */
	request?: SendRequest;
	/** What the service said of it; present once it is sent. */
	message?: Message;
	/** The first answer that is missing. It is never taken back: a later refusal says nothing about an earlier request. */
	lost?: LostAnswer;
	/** Whether it was sent a second time, as its option allows. */
	isSentAgain: boolean;
	/** Why it was not sent, on purpose. */
	skipped?: 'opted out' | 'sent before';
	/** Whether it left from another line than was chosen, as that is blocked. */
	isMoved?: boolean;
	/** How it was begun in the list of the messages that are sent only once, and its name here. */
	once?: { name: string; note: string; key: string };
};

/**
 * Everything that this process knows of messages that it has sent or may have sent. A second try of Retry On Fail, an
 * agent's call with the same words, a search in the history and another execution find a message by one of its names.
 */
export class Ledger {
	/** The entries by their names; the name that was filed longest ago comes first. */
	private readonly named = new Map<string, { entry: Entry; sinceMs: number }>();

	/** The entries of calls by AI agents; each ages out with n8n's own object of the call. */
	private readonly calls = new WeakMap<object, Entry>();

	constructor(private readonly clock: Clock) {}

	/** The message of an item in one run of the node in one execution, as an earlier try left it. */
	async entryOf({ context, itemIndex, once }: Item): Promise<Entry> {
		const call = toolCallOf(context);
		if (call) {
			const entry = this.calls.get(call) ?? newEntry();
			this.calls.set(call, entry);
			return entry;
		}
		// Stryker disable next-line StringLiteral: any name will do that nothing else in a run has
		const runIndex = await once('run index', async () => readRunIndex(context, itemIndex));
		const name = `item ${nodeInExecution(context)} ${runIndex} ${itemIndex}`;
		return this.find(name) ?? this.file(name, newEntry());
	}

	/** The entry with a name, as long as it is remembered. */
	find(name: string): Entry | undefined {
		const filed = this.named.get(name);
		return filed && this.clock.nowMs() - filed.sinceMs < KEPT_MS ? filed.entry : undefined;
	}

	/** Lets an entry be found by one more name. */
	file(name: string, entry: Entry): Entry {
		const nowMs = this.clock.nowMs();
		this.named.delete(name);
		this.named.set(name, { entry, sinceMs: nowMs });
		for (const [oldest, { sinceMs }] of this.named) {
			if (this.named.size <= MOST_KEPT * NAMES_OF_EACH && nowMs - sinceMs < KEPT_MS) break;
			this.named.delete(oldest);
		}
		return entry;
	}

	forget(name: string): void {
		this.named.delete(name);
	}

	/** Remembers that the service has accepted a message. No other message has its handle from then on. */
	markSent(entry: Entry, message: Message): void {
		// The answer to a send does not name the line (§2.2).
		const { line_handle } = entry.request ?? {};
		entry.message = line_handle === undefined ? message : { line_handle, ...message };
		entry.state = 'sent';
		entry.request = undefined;
		if (message.message_handle !== undefined) this.file(`handle ${message.message_handle}`, entry);
	}

	/** When this process learned that the message with a handle was accepted; undefined where it did not. */
	sentAtMs(handle: string | undefined): number | undefined {
		return this.named.get(`handle ${handle}`)?.sinceMs;
	}
}

/** A message that was not tried yet. */
export function newEntry(): Entry {
	return { token: randomBytes(9).toString('base64url'), state: 'untried', isSentAgain: false };
}

export function nodeInExecution(context: IExecuteFunctions): string {
	const { id, name } = context.getNode();
	// n8n has let workflows have two nodes of one ID.
	return `${context.getExecutionId()} ${id} ${name}`;
}

/**
 * A text as any service may keep it: without spaces around it, in one Unicode form, with one kind of line end.
 *
 * assumption: a service changes a text in no other way (§2.2 shows `content` as sent).
 */
export function keptText(content: string | null | undefined): string {
	return (content ?? '').normalize('NFC').replace(/\r\n?/g, '\n').trim();
}

/** What identifies the row of a message: its number, its text without the secrets that no answer shows, and whether it has media. */
export function printOf({ settings }: Connection, { content, ...request }: SendRequest): string {
	return print({ ...request, content: redactAll(content ?? '', settings.secrets) });
}

/** The service may serve media from a URL of its own, so that only its presence counts. */
export function print(said: Pick<Message, 'content' | 'media_url'> & { number: string }): string {
	const names = JSON.stringify([said.number, keptText(said.content), Boolean(said.media_url)]);
	return createHash('sha256').update(names).digest('hex').slice(0, PRINT_DIGITS);
}

/**
 * Lets sends and searches of messages that the history cannot tell apart go one after the other: a row that is found may
 * be the answer to another one. Its rows may say nothing of media (§2.2).
 */
export async function inTurnOfAlike<Result>(
	{ memory, settings: { accountId } }: Connection,
	{ number, content }: SendRequest,
	work: () => Promise<Result>,
): Promise<Result> {
	const key = JSON.stringify(['alike', accountId, number, keptText(content)]);
	return await memory.part(Queue).inTurn(key, work);
}
