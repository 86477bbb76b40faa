import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { log } from '../support/log';
import { TestClock } from '../support/testClock';
import { HOUR_MS, MINUTE_MS } from '../support/times';
import { startHistory } from './triggerHistory';
import { Process, type Database } from './triggerProcess';
import { derivedSecret } from './triggerWorkflow';

export { HOUR_MS, MINUTE_MS };

export const START_MS = Date.UTC(2026, 0, 1);

/** What the service signs with. */
export const SECRET = derivedSecret('secret_abc');

let worlds = 0;

/** A service whose content a test decides, and one n8n whose processes it starts and kills, in the test's own time. */
export class HistoryWorld {
	/** The service's time. */
	nowMs = START_MS;

	/** The time of n8n. */
	clock = new TestClock(() => this.nowMs);

	/** What n8n has saved. */
	readonly database: Database = { workflowId: `world-${(worlds += 1)}`, staticData: {} };

	private constructor(readonly service: Awaited<ReturnType<typeof startHistory>>) {}

	static async start(): Promise<HistoryWorld> {
		log.clear();
		return new HistoryWorld(await startHistory());
	}

	/** A process that has not begun to listen. */
	newProcess(parameters: INodeParameters = {}, credential = this.service.credential): Process {
		return new Process(this.database, credential, parameters, this.clock);
	}

	/** A person publishes the workflow. */
	async started(...setUp: Parameters<HistoryWorld['newProcess']>): Promise<Process> {
		const process = this.newProcess(...setUp);
		await process.activate('activate');
		return process;
	}

	/** n8n was killed and comes back: what was in memory is gone. */
	async restarted(...setUp: Parameters<HistoryWorld['newProcess']>): Promise<Process> {
		const process = this.newProcess(...setUp);
		await process.activate('init');
		return process;
	}

	/** A check, a while after the last one, and the executions that it starts; returns their items. */
	async check(process: Process, afterMs = 5 * MINUTE_MS): Promise<IDataObject[]> {
		this.nowMs += afterMs;
		await process.check();
		return await process.execute();
	}
}

/** The messages of items, by their handles. */
export const handles = (items: IDataObject[]) => items.map((item) => item.message_handle);
