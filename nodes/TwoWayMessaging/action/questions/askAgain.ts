import type { IWebhookFunctions } from 'n8n-workflow';
import type { SendRequest } from '../../contract';
import type { Message } from '../../message';
import type { ProcessMemory } from '../../processMemory';
import { Queue } from '../../queue';
import { reasonOf } from '../../reasonOf';
import { explain, refusalKind, toNodeError } from '../../service/errors';
import { connect } from '../../service/request';
import { Listeners } from '../../waiting/listeners';
import { WaitingList } from '../../waiting/waitingList';
import { deliver } from '../sending/deliver';
import { Ledger, newEntry } from '../sending/ledger';
import type { AskedQuestion } from './askedQuestion';
import { askAgainText } from './expected';

/** What came of asking again: `notUnderstood` means that it was asked as often as it may be. */
type AskedAgain = 'asked' | 'notUnderstood' | 'optedOut';

/**
 * Asks a customer again after a text that is not understood, in the same conversation.
 *
 * How often it was asked is saved before the text goes out. A text that comes here twice, as n8n ended while it was read,
 * asks once: the history tells whether it has.
 */
export async function askAgain(
	webhook: IWebhookFunctions,
	memory: ProcessMemory,
	{ expected, token, question: asked }: AskedQuestion,
	{ message_handle: name = '', line_handle: line = asked.line_handle, from }: Message,
): Promise<AskedAgain> {
	return await memory.part(Queue).inTurn(`asked again ${token}`, async () => {
		const waitingList = memory.part(WaitingList);
		const question = waitingList.find(token);
		if (!expected?.askAgain || !question) return 'notUnderstood';
		const { texts, atMs } = question.askedAgain ?? { texts: [], atMs: 0 };
		const isRepeated = name !== '' && texts.includes(name);
		if (!isRepeated && texts.length >= expected.askAgain.times) return 'notUnderstood';
		const request: SendRequest = {
			number: asked.to ?? from ?? '',
			content: askAgainText(expected),
			// From the line that the customer's text came to.
			...(line && { line_handle: line }),
		};
		const connection = await connect(webhook, memory);
		const ledger = memory.part(Ledger);
		const key = `asked again ${token} ${isRepeated ? texts.indexOf(name) : texts.length}`;
		const entry = ledger.find(key) ?? ledger.file(key, newEntry());
		if (entry.state === 'sent') return 'asked';
		if (!isRepeated) {
			waitingList.markAskedAgain(token, name);
			await memory.part(Listeners).save(question.account);
		} else if (entry.state === 'untried') {
			// The process that was asking ended, and whether it had asked only the history tells.
			const outcome = { kind: 'unanswered', code: 'n8n was started again' } as const;
			entry.lost = { sinceMs: atMs, outcome };
		}
		const sendsAgain = entry.lost !== undefined;
		try {
			const refusal = await deliver(connection, { request, entry, sendsAgain });
			if (refusal?.kind === 'answer' && refusalKind(refusal) === 'optedOut') return 'optedOut';
			if (refusal) {
				const words = explain(refusal, connection.settings.baseUrl, { line });
				throw toNodeError(connection, refusal, words);
			}
		} catch (thrown) {
			// The customer may answer all the same, as the first question has arrived.
			webhook.logger.warn(
				`${webhook.getNode().name}: could not ask a customer again: ${reasonOf(thrown)}`,
			);
		}
		return 'asked';
	});
}
