import { NodeOperationError } from 'n8n-workflow';
import { readCollection, textValue } from '../../parameterValues';
import { refusalWords } from '../../transport/errors';
import { linesOfList } from '../lineField';
import type { Run } from '../run';
import { readUsesAnotherLine } from './anotherLine';

/** How long what the service said of its lines counts: a line that was blocked a while ago may send again. */
const FRESH_MS = 60_000;

/**
 * Refuses an item of a list whose line cannot send, before the first message of the list leaves, in the words for the
 * service's own refusal. The service itself refuses a single message.
 *
 * A blocked line is no reason where another one may send, nor with Only Once For: most of such a list may have been sent
 * before, and what is left is sent by the next execution.
 *
 * @throws NodeOperationError with the item's number where the line is blocked or not active
 */
export async function refuseUnusableLine(
	run: Run,
	lineHandle: string | undefined,
	itemIndex: number,
): Promise<void> {
	if (lineHandle === undefined) return;
	const { lines, readAtMs } = await run.once('freshLines', async () => ({
		lines: await linesOfList(run, itemIndex),
		readAtMs: run.clock.nowMs(),
	}));
	const line = lines?.find(({ line_handle: known }) => known === lineHandle);
	if (!line || run.clock.nowMs() - readAtMs > FRESH_MS) return;
	const options = readCollection(run.caller, 'options', itemIndex);
	const mayBeBlocked =
		readUsesAnotherLine(run, options, itemIndex) || textValue(options.onlyOnceFor).trim() !== '';
	const isInactive = line.is_active === false;
	if (!isInactive && (!line.blocked_at || mayBeBlocked)) return;
	const node = run.caller.getNode();
	const kind = isInactive ? 'unknownLine' : 'lineBlocked';
	const { message, description } = refusalWords(kind, node.parameters.operation);
	throw new NodeOperationError(node, `${message} [item ${itemIndex}]`, { description, itemIndex });
}
