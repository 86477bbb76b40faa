import type { SendRequest } from '../../contract';
import { InFlight } from './inFlight';
import { keptText } from './keptText';

/**
 * The messages of this process that are on their way to the service (`keyOfSend`). A row of the history may be one of them
 * as well as a message whose answer was lost, if both say the same to the same number.
 */
export class SendsInFlight extends InFlight {}

/** What two messages have in common that the history cannot tell apart; its rows may say nothing of media (§2.2). */
export function keyOfSend(accountId: string, { number, content }: SendRequest): string {
	return JSON.stringify([accountId, number, keptText(content)]);
}
