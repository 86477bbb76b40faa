import type { IPollFunctions } from 'n8n-workflow';
import { reasonOf } from '../../reasonOf';
import { WaitingList } from '../../waiting/waitingList';
import { eventName, type ServiceEvent } from '../event';
import type { TriggerCall } from '../nodeMemory';
import { endReasonIn, isEndedBy } from './awaitedTexts';
import { passMessage } from './passMessage';

/** Ends the questions that could not be sent, as far as the rows of the history tell of them (§4.5). */
export async function endFailed(
	call: TriggerCall<IPollFunctions>,
	account: string,
	rows: Array<{ event: ServiceEvent }>,
): Promise<void> {
	const waitingList = call.processMemory.part(WaitingList);
	for (const { event } of rows) {
		if (!('message' in event) || endReasonIn(event) !== 'failed') continue;
		const { message } = event;
		const isMeant = isEndedBy({ ends: 'failed', message });
		if (!waitingList.isAnyAwaited(account, isMeant)) continue;
		try {
			await waitingList.passToAll(account, eventName(event), isMeant, async (question) => {
				return await passMessage(call, question, { message, ends: 'failed' });
			});
		} catch (thrown) {
			call.caller.logger.debug(`Ending a question that was not sent: ${reasonOf(thrown)}`);
		}
	}
}
