import { loadavg } from 'node:os';
import { startStub } from '../test/support/stub';
import { median, spread } from './measure';
import { EVENTS_AT_ONCE, EVENTS_PER_CHECK, MeasuredTrigger } from './measuredTrigger';
import { inOwnProcess, offer } from './ownProcess';
import { atMost, exactly, info, type Bench } from './table';
import { size } from './size';

const FEW = size(1_000, 100);
const MANY = size(1_000_000, 2_000);
/** How many events each cost is measured with. */
const MEASURED = size(1_000, 50);
const ROUNDS = size(11, 1);
const ENOUGH_TO_BE_FULL = size(100_000, 2_000);

/** The processor time of an event in milliseconds, by round, and what else was measured. */
type Result = {
	few: number[];
	many: number[];
	/** Memory in use after a garbage collection, in bytes. */
	heap: { before: number; few: number; full: number; many: number };
	/** How many entries the durable list has. */
	recorded: number;
	/** How many measured events started no execution. */
	lost: number;
	/** How many repeated events started another execution. */
	twice: number;
};

/**
 * What an event costs after a million others, compared with an event after a thousand. n8n-core calls webhook() and
 * runs the execution, a hundred at the same time, and the durable list is written. In each round a trigger that has just
 * had its first thousand events and the one that has had a million take turns.
 *
 * The million events before also pass webhook() and execute() of the node, in contexts that contain only what the node
 * asks for. The cost is processor time, so that waiting for other events of a group does not count.
 */
export const eventCost: Bench = {
	conditions: [
		`${ROUNDS} rounds of ${MEASURED} events each in one process, ${EVENTS_AT_ONCE} at once, a check every ${EVENTS_PER_CHECK} events`,
	],
	async run() {
		const stub = await startStub(() => ({ body: { messages: [] } }));
		const result = await inOwnProcess<Result>(__filename, 'measureCosts', { baseUrl: stub.url });
		await stub.stop();
		const { few, many, heap, recorded } = result;
		const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
		const ratios = many.map((cost, round) => cost / few[round]!);
		return [
			atMost(`an event after ${MANY} ÷ an event after ${FEW}`, median(ratios), 1.1),
			info('  each round', spread(ratios, 2)),
			info('  an event', `${median(few).toFixed(3)} ms, ${median(many).toFixed(3)} ms`),
			atMost(
				`memory after ${MANY} ÷ after ${ENOUGH_TO_BE_FULL}`,
				(heap.many - heap.before) / (heap.full - heap.before),
				1.1,
			),
			info(
				`  held after ${FEW}, ${ENOUGH_TO_BE_FULL}, ${MANY}`,
				[heap.few, heap.full, heap.many].map((bytes) => megabytes(bytes - heap.before)).join(', '),
			),
			info('  entries of the durable list', String(recorded)),
			exactly('  events that started no execution', result.lost, 0),
			exactly('  events that started a second one', result.twice, 0),
			info('  load at the end', loadavg()[0]!.toFixed(1)),
		];
	},
};

function heapInUse(): number {
	if (!global.gc) throw new Error('Measuring needs --expose-gc');
	global.gc();
	return process.memoryUsage().heapUsed;
}

offer(module, {
	async measureCosts({ baseUrl }: { baseUrl: string }): Promise<Result> {
		const result: Result = {
			few: [],
			many: [],
			heap: { before: 0, few: 0, full: 0, many: 0 },
			recorded: 0,
			lost: 0,
			twice: 0,
		};
		const cost = async (trigger: MeasuredTrigger): Promise<number> => {
			const events = Array.from({ length: MEASURED }, () => trigger.makeEvent());
			// Collects the garbage of earlier work, which does not belong to this cost.
			heapInUse();
			const before = process.cpuUsage();
			const begun = await trigger.runEvents(events);
			const { user, system } = process.cpuUsage(before);
			result.lost += MEASURED - begun;
			result.twice += await trigger.runEvents([trigger.makeEvent(1), trigger.makeEvent(MEASURED)]);
			return (user + system) / 1_000 / MEASURED;
		};
		const startFew = async (round: number) => {
			const trigger = new MeasuredTrigger(`few-${round}`, baseUrl);
			await trigger.activate();
			await trigger.passEvents(FEW);
			return trigger;
		};
		await cost(await startFew(-1));

		const many = new MeasuredTrigger('many', baseUrl);
		await many.activate();
		result.heap.before = heapInUse();
		await many.passEvents(FEW);
		result.heap.few = heapInUse();
		await many.passEvents(ENOUGH_TO_BE_FULL - FEW);
		result.heap.full = heapInUse();
		await many.passEvents(MANY - ENOUGH_TO_BE_FULL);
		result.heap.many = heapInUse();
		result.recorded = await many.countEntries();

		for (let round = 0; round < ROUNDS; round += 1) {
			const few = await startFew(round);
			if (round % 2 === 0) result.few.push(await cost(few));
			result.many.push(await cost(many));
			if (round % 2 === 1) result.few.push(await cost(few));
		}
		return result;
	},
});
