import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { TestClock } from '../support/testClock';
import { inbound, outbound, startHistory, type HistoryRow } from './triggerHistory';
import { Process, type Database } from './triggerProcess';
import { derivedSecret, receiveEvent } from './triggerWorkflow';
import { MINUTE_MS } from '../support/times';

const START_MS = Date.UTC(2026, 0, 1);
const SECRET = derivedSecret('secret_abc');
const PARAMETERS = { events: ['receive', 'outbound'], filters: { contains: 'please' } };

/** Runs of the property; a failing seed is printed by fast-check. */
const RUNS = Number(process.env.TRIGGER_RUNS ?? 60);

/** What happens to the webhook of an event. */
const fates = fc.constantFrom(
	'delivered',
	'lost',
	'later',
	'twice',
	'delivered and later' as const,
);

const steps = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			does: fc.constant('text' as const),
			fate: fates,
			dated: fc.constantFrom('now', 'now', 'late', 'undated', 'same second'),
			isWanted: fc.boolean(),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ does: fc.constant('send' as const) }) },
	{
		weight: 1,
		arbitrary: fc.record({
			does: fc.constant('settle' as const),
			fate: fates,
			status: fc.constantFrom('SENT', 'ERROR', 'DELIVERED'),
		}),
	},
	{ weight: 2, arbitrary: fc.record({ does: fc.constant('redeliver' as const) }) },
	{
		weight: 3,
		arbitrary: fc.record({ does: fc.constant('execute' as const), count: fc.nat({ max: 3 }) }),
	},
	{ weight: 3, arbitrary: fc.record({ does: fc.constant('check' as const) }) },
	{ weight: 2, arbitrary: fc.record({ does: fc.constant('kill' as const) }) },
	{ weight: 1, arbitrary: fc.record({ does: fc.constant('kill before the save' as const) }) },
	{ weight: 1, arbitrary: fc.record({ does: fc.constant('publish' as const) }) },
	{
		weight: 2,
		arbitrary: fc.record({ does: fc.constant('wait' as const), minutes: fc.nat({ max: 90 }) }),
	},
);
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

let workflows = 0;

/** One n8n and one service, in which everything goes wrong that can. */
class World {
	nowMs = START_MS;

	readonly begun: string[] = [];

	private readonly expected = new Set<string>();

	private readonly undelivered: object[] = [];

	private readonly database: Database;

	private process: Process;

	private messages = 0;

	constructor(private readonly service: Awaited<ReturnType<typeof startHistory>>) {
		this.database = { workflowId: `world-${(workflows += 1)}`, staticData: {} };
		this.process = this.newProcess();
	}

	async begin(): Promise<void> {
		const text = { content: 'please' };
		this.service.rows.push(inbound('before', this.nowMs, text), inbound('undated', null, text));
		await this.process.activate('activate');
	}

	async take(step: Step): Promise<void> {
		this.nowMs += 1_000;
		switch (step.does) {
			case 'text': {
				const handle = `in${(this.messages += 1)}`;
				const content = step.isWanted ? 'please' : 'no';
				this.service.rows.push(inbound(handle, this.dated(step.dated), { content }));
				if (step.isWanted) this.expected.add(`receive ${handle}`);
				return await this.meet(receiveEvent(handle, { text: content }), step.fate);
			}
			case 'send': {
				const handle = `out${(this.messages += 1)}`;
				this.service.rows.push(outbound(handle, 'QUEUED', null));
				return;
			}
			case 'settle': {
				const row = this.service.rows.find(({ status }) => status === 'QUEUED');
				if (!row) return;
				row.status = step.status;
				row.date_sent = new Date(this.nowMs).toISOString();
				this.expected.add(`outbound ${row.message_handle}`);
				return await this.meet(outboundEvent(row), step.fate);
			}
			case 'redeliver':
				for (const body of this.undelivered) await this.deliver(body);
				return;
			case 'execute':
				return await this.execute(step.count);
			case 'check':
				this.nowMs += 5 * MINUTE_MS;
				await this.process.check();
				return;
			case 'kill':
				return await this.restart();
			case 'kill before the save': {
				const before = structuredClone(this.database.staticData);
				this.nowMs += 5 * MINUTE_MS;
				await this.process.check();
				await this.execute();
				this.database.staticData = before;
				return await this.restart();
			}
			case 'publish':
				await this.process.release();
				return await this.process.activate('update');
			case 'wait':
				this.nowMs += step.minutes * MINUTE_MS;
		}
	}

	/** Lets all executions end, restarts n8n, and delivers every late event once more. */
	async end(): Promise<void> {
		for (let rest = 0; rest < 3; rest += 1) {
			this.nowMs += 6 * MINUTE_MS;
			await this.process.check();
			await this.execute();
		}
		await this.restart();
		for (const body of this.undelivered) await this.deliver(body);
		await this.execute();
		this.nowMs += 6 * MINUTE_MS;
		await this.process.check();
		await this.execute();
	}

	get wanted(): string[] {
		return [...this.expected].sort();
	}

	private newProcess(): Process {
		const clock = new TestClock(() => this.nowMs);
		return new Process(this.database, this.service.credential, PARAMETERS, clock);
	}

	private async restart(): Promise<void> {
		this.process = this.newProcess();
		await this.process.activate('init');
	}

	private async execute(count?: number): Promise<void> {
		for (const item of await this.process.execute(count)) this.begun.push(named(item));
	}

	private dated(how: string): number | null {
		if (how === 'undated') return null;
		if (how === 'same second') return Math.floor(this.nowMs / 60_000) * 60_000;
		// A phone that was offline gives its own time, but none from before the workflow listened.
		if (how === 'late') return START_MS + 1 + Math.floor((this.nowMs - START_MS) / 2);
		return this.nowMs;
	}

	private async meet(body: object, fate: string): Promise<void> {
		if (fate.includes('later')) this.undelivered.push(body);
		if (fate.includes('delivered')) await this.deliver(body);
		if (fate === 'twice') await Promise.all([this.deliver(body), this.deliver(body)]);
	}

	private async deliver(body: object): Promise<void> {
		const status = await this.process.receive(body, SECRET, this.nowMs);
		if (status !== 200) throw new Error(`An event was answered ${status}`);
	}
}

const named = (item: IDataObject) => `${String(item.event)} ${String(item.message_handle)}`;

const outboundEvent = (row: HistoryRow) => ({
	id: `evt_${row.message_handle}`,
	type: 'outbound',
	created_at: row.date_sent,
	data: { message: { message_handle: `msg_${row.message_handle}`, status: row.status } },
});

test('every event begins exactly once, whatever is lost, late, delivered twice or killed', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 30 }), async (taken) => {
			const service = await startHistory();
			try {
				const world = new World(service);
				await world.begin();
				for (const step of taken) await world.take(step);
				await world.end();
				expect([...world.begun].sort()).toEqual(world.wanted);
			} finally {
				await service.stop();
			}
		}),
		{ numRuns: RUNS, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: false },
	);
}, 300_000);
