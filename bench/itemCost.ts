import { startStub } from '../test/support/stub';
import { acceptedSend } from './acceptedSend';
import { median, spread } from './measure';
import { runAction, SEND, sendItems, startN8n, type Account } from './n8n';
import { inOwnProcess, offer } from './ownProcess';
import { atMost, info, type Bench } from './table';
import { size } from './size';

const FEW = size(1_000, 20);
const MANY = size(10_000, 100);
const ROUNDS = size(5, 1);

/** What an item costs in an execution, in milliseconds of processor time and of wall-clock time. */
type ItemCost = { cpuMs: number; wallMs: number };

type Round = { few: ItemCost[]; many: ItemCost };

/**
 * What an item costs in an execution of 10,000 sends, compared with one of 1,000. The service is a server in the bench's
 * process that answers 201 at once and names no limit; a warm n8n runs in its own process. A round is a small execution,
 * the large one and a small one again, so that a slower machine slows both.
 *
 * The cost is processor time, because there is nothing to wait for and other programs do not count. The wall-clock time
 * is shown as well, and would reveal hidden waiting.
 */
export const itemCost: Bench = {
	conditions: [
		`${ROUNDS} rounds in one warm n8n: ${FEW} sends, ${MANY}, ${FEW}; a server that answers 201 at once`,
	],
	async run() {
		const server = await startAcceptingServer();
		const account: Account = { baseUrl: server.url, apiKey: 'key', apiSecret: 'secret' };
		const rounds = await inOwnProcess<Round[]>(__filename, 'n8n', account);
		await server.stop();

		const ratios = (of: keyof ItemCost) =>
			rounds.map(({ few, many }) => many[of] / median(few.map((cost) => cost[of])));
		const each = (costs: ItemCost[]) => `${median(costs.map(({ cpuMs }) => cpuMs)).toFixed(2)} ms`;
		const few = each(rounds.flatMap((round) => round.few));
		const many = each(rounds.map((round) => round.many));
		return [
			atMost(`an item of ${MANY} ÷ an item of ${FEW}`, median(ratios('cpuMs')), 1.1),
			info('  each round', spread(ratios('cpuMs'), 2)),
			info('  each round, wall clock', spread(ratios('wallMs'), 2)),
			info(`  an item of ${FEW}, of ${MANY}`, `${few}, ${many}`),
		];
	},
};

/** Starts a server that accepts every message at once, each with its own handle. */
async function startAcceptingServer() {
	let accepted = 0;
	const server = await startStub(({ body }) => {
		// The stub would keep every request in memory.
		server.requests.length = 0;
		// A list begins with a look at the lines.
		if (body.length === 0) return { body: { status: 'ok', lines: [] } };
		accepted += 1;
		const send = JSON.parse(body.toString()) as { number: string; content: string };
		const handle = `00000000-0000-4000-8000-${String(accepted).padStart(12, '0')}`;
		return { status: 201, body: acceptedSend(send, handle) };
	});
	return server;
}

offer(module, {
	async n8n(account: Account): Promise<Round[]> {
		const n8n = startN8n(account);
		const costOf = async (count: number): Promise<ItemCost> => {
			const items = sendItems(count);
			const startedMs = performance.now();
			const before = process.cpuUsage();
			await runAction(n8n, SEND, items);
			const { user, system } = process.cpuUsage(before);
			return {
				cpuMs: (user + system) / 1_000 / count,
				wallMs: (performance.now() - startedMs) / count,
			};
		};
		await costOf(FEW);
		const rounds: Round[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			const before = await costOf(FEW);
			const many = await costOf(MANY);
			rounds.push({ few: [before, await costOf(FEW)], many });
		}
		return rounds;
	},
});
