import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { MINUTE_MS, SECOND_MS } from '../support/times';
import { HistoryWorld, START_MS, SECRET } from './historyWorld';
import { inbound, outbound, type HistoryRow } from './triggerHistory';
import type { Process } from './triggerProcess';
import { receiveEvent } from './triggerWorkflow';
import { step } from './scriptSteps';
import { VirtualTime } from './virtualTime';

/** Runs of the property; a failing seed is printed by fast-check. */
const RUNS = Number(process.env.TRIGGER_RUNS ?? 100);

/** What happens to the webhook of an event. */
const fate = fc.constantFrom('delivered', 'lost', 'later', 'twice', 'delivered and later' as const);

const steps = fc.oneof(
	step(6, 'text', {
		fate,
		from: fc.constantFrom('+15551230001', '+15551230002'),
		dated: fc.constantFrom('now', 'now', 'late', 'undated', 'same second'),
		isWanted: fc.boolean(),
	}),
	step(1, 'send'),
	step(1, 'settle', { fate, status: fc.constantFrom('SENT', 'ERROR', 'DELIVERED') }),
	step(2, 'redeliver'),
	step(3, 'execute', { count: fc.nat({ max: 3 }) }),
	step(3, 'check'),
	step(2, 'kill'),
	step(1, 'kill before the save'),
	step(1, 'publish'),
	step(2, 'pass', { ms: fc.nat({ max: 12 * SECOND_MS }) }),
	step(2, 'pass', { ms: fc.nat({ max: 90 * MINUTE_MS }) }),
);
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** One n8n and one service, in which everything goes wrong that can. */
class Script {
	private readonly begun: string[] = [];

	private readonly wanted = new Set<string>();

	private readonly undelivered: object[] = [];

	private process!: Process;

	private messages = 0;

	constructor(
		private readonly world: HistoryWorld,
		private readonly parameters: INodeParameters,
	) {
		world.clock = new VirtualTime(world);
	}

	async begin(): Promise<void> {
		const { world } = this;
		const text = { content: 'please' };
		world.rows(inbound('before', world.nowMs, text), inbound('undated', null, text));
		this.process = await world.started(this.parameters);
	}

	async take(taken: Step): Promise<void> {
		const { world } = this;
		await world.pass(SECOND_MS);
		switch (taken.does) {
			case 'text': {
				const handle = `in${(this.messages += 1)}`;
				const { from } = taken;
				const content = taken.isWanted ? 'please' : 'no';
				world.rows(inbound(handle, this.dated(taken.dated), { content, from }));
				if (taken.isWanted) this.wanted.add(`receive ${handle}`);
				return await this.meet(receiveEvent(handle, { text: content, from }), taken.fate);
			}
			case 'send':
				return world.rows(outbound(`out${(this.messages += 1)}`, 'QUEUED', null));
			case 'settle': {
				const row = world.service.rows.find(({ status }) => status === 'QUEUED');
				if (!row) return;
				row.status = taken.status;
				row.date_sent = new Date(world.nowMs).toISOString();
				this.wanted.add(`outbound ${row.message_handle}`);
				return await this.meet(outboundEvent(row), taken.fate);
			}
			case 'redeliver':
				return await this.redeliver();
			case 'execute':
				return await this.execute(taken.count);
			case 'check':
				await world.pass(5 * MINUTE_MS);
				return void (await this.process.check());
			case 'kill':
				return await this.restart();
			case 'kill before the save': {
				const before = structuredClone(world.database.staticData);
				await this.checkAndExecute();
				world.database.staticData = before;
				return await this.restart();
			}
			case 'publish':
				return await world.publishAgain(this.process);
			case 'pass':
				return await world.pass(taken.ms);
		}
	}

	/** Lets all executions end, restarts n8n, and delivers every late event once more. */
	async end(): Promise<void> {
		for (let rest = 0; rest < 3; rest += 1) await this.checkAndExecute();
		await this.restart();
		await this.redeliver();
		await this.world.pass(MINUTE_MS);
		await this.execute();
		await this.checkAndExecute();
		// What still waits in a process that was killed would wait for ever.
		await this.world.pass(60 * MINUTE_MS);
		expect(this.begun.sort()).toEqual([...this.wanted].sort());
	}

	private async restart(): Promise<void> {
		this.process.kill();
		this.process = await this.world.restarted(this.parameters);
	}

	private async execute(count?: number): Promise<void> {
		for (const item of await this.process.execute(count)) {
			const { messages = [item] } = item as { messages?: IDataObject[] };
			this.begun.push(
				...messages.map((one) => `${String(item.event)} ${String(one.message_handle)}`),
			);
		}
	}

	private async checkAndExecute(): Promise<void> {
		await this.world.pass(6 * MINUTE_MS);
		await this.process.check();
		await this.execute();
	}

	private async redeliver(): Promise<void> {
		for (const body of this.undelivered) await this.deliver(body);
	}

	private dated(how: string): number | null {
		const { nowMs } = this.world;
		if (how === 'undated') return null;
		if (how === 'same second') return Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
		// A phone that was offline gives its own time, but none from before the workflow listened.
		if (how === 'late') return START_MS + 1 + Math.floor((nowMs - START_MS) / 2);
		return nowMs;
	}

	private async meet(body: object, how: string): Promise<void> {
		if (how.includes('later')) this.undelivered.push(body);
		if (how.includes('delivered')) await this.deliver(body);
		if (how === 'twice') await Promise.all([this.deliver(body), this.deliver(body)]);
	}

	private async deliver(body: object): Promise<void> {
		expect(await this.process.receive(body, SECRET, this.world.nowMs)).toBe(200);
	}
}

const outboundEvent = (row: HistoryRow) => ({
	id: `evt_${row.message_handle}`,
	type: 'outbound',
	created_at: row.date_sent,
	data: { message: { message_handle: `msg_${row.message_handle}`, status: row.status } },
});

test('every event begins exactly once, whatever is lost, late, delivered twice or killed', async () => {
	const scripts = fc.array(steps, { minLength: 5, maxLength: 30 });
	await fc.assert(
		fc.asyncProperty(scripts, fc.constantFrom(0, 5), async (script, combineSeconds) => {
			const world = await HistoryWorld.start();
			try {
				const filters = { contains: 'please' };
				const played = new Script(world, {
					...{ events: ['receive', 'outbound'], filters, options: { combineSeconds } },
				});
				await played.begin();
				for (const taken of script) await played.take(taken);
				await played.end();
			} finally {
				world.nowMs += 60 * MINUTE_MS;
				await world.service.stop();
			}
		}),
		{ numRuns: RUNS, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: false },
	);
}, 300_000);
