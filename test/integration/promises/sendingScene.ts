import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Clock } from '../../../nodes/TwoWayMessaging/clock';
import { ProcessMemory } from '../../../nodes/TwoWayMessaging/processMemory';
import type { Run } from '../../support/engine';
import { SEND, type ActionRun, type TestService } from '../../support/service';
import { SkippingClock } from '../../support/testClock';

/** A process of n8n. Those with the same workflow share n8n's table, and nothing else. */
export function startProcess(
	service: TestService,
	{
		workflowId = 'promises',
		clock = new SkippingClock(Date.now()),
		parameters = SEND,
	}: { workflowId?: string; clock?: Clock; parameters?: INodeParameters } = {},
) {
	const startedMs = clock.nowMs();
	const engine = service.engineWith(service.credential(), new ProcessMemory(clock), workflowId);
	return {
		/** How long the process runs by its own clock. */
		ranMs: () => clock.nowMs() - startedMs,
		/** One execution; another one is *Retry* in the list of executions as well. */
		send: async (items: IDataObject[], more: Partial<ActionRun> = {}): Promise<Run> =>
			await service.run({ parameters, items, ...more }, engine),
	};
}

/** Retry On Fail, as the node's settings have it. */
export const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
