import { TestClock } from '../support/testClock';
import { startHistory } from './triggerHistory';
import { Process } from './triggerProcess';
import { derivedSecret } from './triggerWorkflow';

const START_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const SECRET = derivedSecret('secret_abc');

const at = (timeMs: number) => new Date(timeMs).toISOString();
const lineEvent = (type: string, blockedAt: string | null, createdMs: number) => ({
	id: `evt_${type}`,
	type,
	created_at: at(createdMs),
	data: { line: { line_handle: 'line_l1', number: '+15550100001', blocked_at: blockedAt } },
});

/** The end of a block, which goes by another name as soon as the block is known. */
const END = lineEvent('line_unblocked', null, START_MS + 2_000);
const BLOCK = lineEvent('line_blocked', at(START_MS + 1_000), START_MS + 1_000);

test.each([
	['soon after it has begun', 1_000],
	['long after it has begun', 10 * MINUTE_MS],
])('an event that comes again %s, under another name, is known by its ID', async (_, afterMs) => {
	let nowMs = START_MS + 3_000;
	const service = await startHistory();
	const database = { workflowId: `id-${afterMs}`, staticData: {} };
	const parameters = { events: ['line_blocked', 'line_unblocked'] };
	const clock = new TestClock(() => nowMs);
	const process = new Process(database, service.credential, parameters, clock);
	await process.activate('activate');
	const receive = async (body: object) => {
		await process.receive(body, SECRET, nowMs);
		return (await process.execute()).map(({ event }) => event);
	};

	expect(await receive(END)).toEqual(['line_unblocked']);
	nowMs += afterMs;
	expect(await receive(BLOCK)).toEqual(['line_blocked']);
	expect(await receive(END)).toEqual([]);
	await service.stop();
});
