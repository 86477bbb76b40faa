import type { IDataObject, INodeParameters, WorkflowActivateMode } from 'n8n-workflow';
import type { Clock } from '../../nodes/TwoWayMessaging/clock';
import { log } from '../support/log';
import { TestClock } from '../support/testClock';
import { HOUR_MS, MINUTE_MS } from '../support/times';
import { turns } from '../support/turns';
import { inbound, startHistory, type HistoryRow } from './triggerHistory';
import { Process, type Database } from './triggerProcess';
import { derivedSecret, receiveEvent } from './triggerWorkflow';

export { HOUR_MS, MINUTE_MS };

export const START_MS = Date.UTC(2026, 0, 1);

/** What the service signs with. */
export const SECRET = derivedSecret('secret_abc');

let worlds = 0;

/** A service whose content a test decides, and one n8n whose processes it starts and kills, in the test's own time. */
export class HistoryWorld {
	service!: Awaited<ReturnType<typeof startHistory>>;

	nowMs!: number;

	/** How far n8n's time is ahead of it. */
	aheadMs!: number;

	/** The time of n8n. */
	clock!: Clock;

	database!: Database;

	/** A new service, and an n8n that has saved nothing. */
	async begin(): Promise<void> {
		log.clear();
		this.nowMs = START_MS;
		this.aheadMs = 0;
		this.clock = new TestClock(() => this.nowMs + this.aheadMs);
		this.database = { workflowId: `world-${(worlds += 1)}`, staticData: {} };
		this.service = await startHistory();
	}

	async stop(): Promise<void> {
		await this.service.stop();
	}

	/** A process that has not begun to listen. */
	newProcess(parameters: INodeParameters = {}, credential = this.service.credential): Process {
		return new Process(this.database, credential, parameters, this.clock);
	}

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

	/** Customers text, each from a phone of their own and a second apart; returns the messages' IDs. Nothing is delivered yet. */
	texts(count: number, name = 'm', more: Partial<HistoryRow> = {}): string[] {
		return Array.from({ length: count }, (_, at) => {
			this.nowMs += 1_000;
			const from = `+1555123${1_000 + (at % 9_000)}`;
			this.rows(inbound(`${name}${at}`, this.nowMs, { from, ...more }));
			return `${name}${at}`;
		});
	}

	rows(...rows: HistoryRow[]): void {
		this.service.rows.push(...rows);
	}

	/** The service delivers texts to n8n, all at once, and each is answered 2xx. */
	async deliver(process: Process, ids: string[]): Promise<void> {
		const rows = this.service.rows.filter((row) => ids.includes(row.message_handle));
		const answers = rows.map(
			async (row) => await process.receive(eventOf(row), SECRET, this.clock.nowMs()),
		);
		expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
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
export const historyWorld = () => inEachTest(new HistoryWorld());

/** Begins a world anew in each test of a file. */
export function inEachTest<World extends HistoryWorld>(world: World): World {
	beforeEach(async () => await world.begin());
	afterEach(async () => await world.stop());
	return world;
}

/** The event that tells of a row of the history. */
export const eventOf = ({ message_handle: handle, ...row }: HistoryRow) => ({
	...receiveEvent(handle, { from: row.from, to: row.to, text: row.content }),
	created_at: row.date_sent,
});

export const handles = (items: IDataObject[]) => items.map((item) => item.message_handle);

/** Each of these messages has begun once, in whatever order. */
export const expectEach = (begun: IDataObject[], ids: string[]) =>
	expect(handles(begun).sort()).toEqual([...ids].sort());
