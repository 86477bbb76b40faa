import type { IDataObject, INodeParameters, WorkflowActivateMode } from 'n8n-workflow';
import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { log } from '../support/log';
import { TestClock } from '../support/testClock';
import { HOUR_MS, MINUTE_MS } from '../support/times';
import { turns } from '../support/turns';
import { inbound, startHistory, type HistoryRow } from './triggerHistory';
import { Process, type Database } from './triggerProcess';
import { derivedSecret } from './triggerWorkflow';

export { HOUR_MS, MINUTE_MS };

export const START_MS = Date.UTC(2026, 0, 1);

/** What the service signs with. */
export const SECRET = derivedSecret('secret_abc');

let worlds = 0;

/** A service whose content a test decides, and one n8n whose processes it starts and kills, in the test's own time. */
export class HistoryWorld {
	service!: Awaited<ReturnType<typeof startHistory>>;

	/** The service's time. */
	nowMs!: number;

	/** How far n8n's time is ahead of it. */
	aheadMs!: number;

	/** The time of n8n. */
	clock!: Clock;

	/** What n8n has saved. */
	database!: Database;

	static async start(): Promise<HistoryWorld> {
		const world = new HistoryWorld();
		await world.begin();
		return world;
	}

	/** A new service, and an n8n that has saved nothing. */
	async begin(): Promise<void> {
		log.clear();
		this.nowMs = START_MS;
		this.aheadMs = 0;
		this.clock = new TestClock(() => this.nowMs + this.aheadMs);
		this.database = { workflowId: `world-${(worlds += 1)}`, staticData: {} };
		this.service = await startHistory();
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

	/** A person publishes the workflow once more: at once after a change, or a while after a stop. */
	async publishAgain(
		process: Process,
		activation: WorkflowActivateMode = 'update',
		{ parameters = process.parameters, afterMs = 0 } = {},
	): Promise<void> {
		await process.release();
		this.nowMs += afterMs;
		process.parameters = parameters;
		await process.activate(activation);
	}

	/** Time passes, and whoever waits for it goes on. */
	async pass(durationMs: number): Promise<void> {
		this.nowMs += durationMs;
		await turns();
	}

	/** Customers text, a second from now, and no webhook brings it. */
	text(...named: string[]): void {
		for (const handle of named) this.service.rows.push(inbound(handle, this.nowMs + 1_000));
	}

	/** Rows come into the history. */
	rows(...rows: HistoryRow[]): void {
		this.service.rows.push(...rows);
	}

	/** A webhook brings an event; returns the messages of the executions that start. */
	async receive(process: Process, event: unknown, secret = SECRET): Promise<unknown[]> {
		expect(await process.receive(event, secret, this.clock.nowMs())).toBe(200);
		return handles(await process.execute());
	}

	/** A check, a while after the last one, and the executions that it starts; returns their items. */
	async check(process: Process, afterMs = 5 * MINUTE_MS): Promise<IDataObject[]> {
		this.nowMs += afterMs;
		await process.check();
		return await process.execute();
	}

	/** Does the same, and returns the messages of the items. */
	async found(...check: Parameters<HistoryWorld['check']>): Promise<unknown[]> {
		return handles(await this.check(...check));
	}

	/** The executions that wait; returns the messages of their items. */
	async begun(process: Process): Promise<unknown[]> {
		return handles(await process.execute());
	}
}

/** The world of a file: a new one in each of its tests. */
export function historyWorld(): HistoryWorld {
	const world = new HistoryWorld();
	beforeEach(async () => await world.begin());
	afterEach(async () => await world.service.stop());
	return world;
}

/** The messages of items, by their handles. */
export const handles = (items: IDataObject[]) => items.map((item) => item.message_handle);
