import type { IWebhookFunctions } from 'n8n-workflow';
import type { Clock } from '../../../clock';
import type { SendRequest } from '../../../contract';
import type { Message } from '../../../message';
import { comparableNumber } from '../../../phoneNumber';
import { refusalKind, toNodeError } from '../../../transport/errors';
import { readLines } from '../../../transport/readLines';
import { connect, type Connection } from '../../../transport/request';
import type { ProcessMemory } from '../../../processMemory';
import { reasonOf } from '../../../reasonOf';
import { saveWithTriggers } from '../../../waiting/announceToAll';
import { WaitingList } from '../../../waiting/waitingList';
import type { Asker } from '../../run';
import { deliverMessage } from '../deliverMessage';
import { AgingMap, KEPT_OF_SENDING } from '../agingMap';
import type { Attempt } from '../sendAttempts';
import type { AskedQuestion } from './askedQuestion';
import { withChoices, type ExpectedAnswer } from './expectedAnswer';

/** What came of asking again: `enough` means that it was asked as often as it may be. */
export type AskedAgain = 'asked' | 'enough' | 'optedOut';

/** What is asked again, and after which text. */
class SecondTries {
	private readonly running = new Map<string, Promise<AskedAgain>>();

	private readonly attempts: AgingMap<Attempt>;

	constructor(clock: Clock) {
		this.attempts = new AgingMap(clock, KEPT_OF_SENDING);
	}

	/** Lets a text that is passed once more while it is still answered have the same result. */
	async runOnce(key: string, run: () => Promise<AskedAgain>): Promise<AskedAgain> {
		const running = this.running.get(key) ?? run();
		this.running.set(key, running);
		try {
			return await running;
		} finally {
			this.running.delete(key);
		}
	}

	/** The attempt of this process to ask again after a text; undefined when there was none. */
	attemptOf(key: string): Attempt | undefined {
		return this.attempts.get(key);
	}

	begin(key: string, attempt: Attempt): Attempt {
		this.attempts.set(key, attempt);
		return attempt;
	}
}

/**
 * Asks a customer again after a text that is not understood, in the same conversation.
 *
 * How often it was asked is saved before the text goes out; by a trigger that polls, while it goes out. A text that comes
 * here twice, as n8n ended while it was read, asks once: the history tells whether it has.
 */
export async function askAgain(
	webhook: IWebhookFunctions,
	memory: ProcessMemory,
	asked: AskedQuestion,
	message: Message,
): Promise<AskedAgain> {
	const key = `${asked.token} ${message.message_handle ?? ''}`;
	return await memory
		.part(SecondTries)
		.runOnce(key, async () => await askOnceMore(webhook, memory, asked, message, key));
}

async function askOnceMore(
	webhook: IWebhookFunctions,
	memory: ProcessMemory,
	asked: AskedQuestion,
	message: Message,
	key: string,
): Promise<AskedAgain> {
	const { expected, token } = asked;
	const waitingList = memory.part(WaitingList);
	const question = waitingList.find(token);
	const name = message.message_handle ?? '';
	const before = question?.askedAgain;
	const isRepeated = name !== '' && before?.texts.includes(name) === true;
	if (!expected?.askAgain || !question) return 'enough';
	if (!isRepeated && (before?.texts.length ?? 0) >= expected.askAgain.times) return 'enough';
	const connection = await connect(webhook, memory);
	const asker: Asker = {
		caller: webhook,
		clock: memory.clock,
		memory,
		connection: async () => connection,
	};
	const secondTries = memory.part(SecondTries);
	const known = isRepeated ? secondTries.attemptOf(key) : undefined;
	const attempt = known ?? secondTries.begin(key, { token, sentAgain: false });
	if (attempt.accepted) return 'asked';
	if (isRepeated) {
		// The process that was asking ended, and whether it had asked only the history tells.
		attempt.lost ??= {
			sinceMs: before?.atMs ?? 0,
			outcome: { kind: 'unanswered', code: 'n8n was started again' },
		};
	} else {
		waitingList.markAskedAgain(token, name);
		await saveWithTriggers(asker, question);
	}
	return await send(asker, await requestOf(connection, asked, expected, message), attempt);
}

async function send(asker: Asker, request: SendRequest, attempt: Attempt): Promise<AskedAgain> {
	const { caller } = asker;
	const connection = await asker.connection();
	try {
		const refusal = await deliverMessage(asker, {
			request,
			attempt,
			ifUnconfirmed: attempt.lost ? 'sendAgain' : 'fail',
			itemIndex: 0,
		});
		if (refusal?.kind === 'answer' && refusalKind(refusal) === 'optedOut') return 'optedOut';
		if (refusal) throw toNodeError(connection, refusal, 0);
	} catch (thrown) {
		// The customer may answer all the same, as the first question has arrived.
		caller.logger.warn(
			`${caller.getNode().name}: could not ask a customer again: ${reasonOf(thrown)}`,
		);
	}
	return 'asked';
}

/** The second try goes to the customer from the line that the customer's text came to. */
async function requestOf(
	connection: Connection,
	{ question, lineHandle }: AskedQuestion,
	expected: ExpectedAnswer,
	message: Message,
): Promise<SendRequest> {
	const line = lineHandle ?? message.line_handle ?? (await lineOf(connection, message.to));
	return {
		number: question.to ?? message.from ?? '',
		content: withChoices(expected.askAgain?.text ?? '', expected),
		...(line && { line_handle: line }),
	};
}

async function lineOf(
	connection: Connection,
	number: string | undefined,
): Promise<string | undefined> {
	if (number === undefined) return undefined;
	const lines = await readLines(connection);
	const isSame = (other: unknown) =>
		typeof other === 'string' && comparableNumber(other) === comparableNumber(number);
	return lines.find((line) => isSame(line.number))?.line_handle;
}
