import { startStub } from '../test/support/stub';
import { median, spread } from './measure';
import { runAction, SEND, sendItems, startN8n, type Account } from './n8n';
import { inOwnProcess, offer } from './ownProcess';
import { atMost, note, type Bench } from './table';

const FEW = 1_000;
const MANY = 10_000;
const ROUNDS = 5;

/** What an item cost in a run, in milliseconds: of the processor, and by the clock on the wall. */
type ItemCost = { cpuMs: number; wallMs: number };

type Round = { few: ItemCost[]; many: ItemCost };

/**
 * What an item costs in a run of 10,000 sends, against a run of 1,000. The service is a server in the bench's
 * process that answers 201 at once and names no limit; n8n runs in a process of its own, warmed up. A round is
 * a small run, the large one and a small one again, so that what slows the machine down slows both.
 *
 * Cost is the processor's time, as there is nothing to wait for and other programs do not count in it; the
 * wall clock's stands beside it, to show that no waiting hides there.
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
			note('  each round', spread(ratios('cpuMs'), 2)),
			note('  each round, wall clock', spread(ratios('wallMs'), 2)),
			note(`  an item of ${FEW}, of ${MANY}`, `${few}, ${many}`),
		];
	},
};

/** A server that accepts every message at once, each with a handle of its own. */
async function startAcceptingServer() {
	let accepted = 0;
	const server = await startStub(({ body }) => {
		// What came is of no interest, and would only fill the memory.
		server.requests.length = 0;
		accepted += 1;
		const { number, content } = JSON.parse(body.toString()) as Record<string, string>;
		return {
			status: 201,
			body: {
				status: 'QUEUED',
				message_handle: `00000000-0000-4000-8000-${String(accepted).padStart(12, '0')}`,
				to: number,
				content,
				service: null,
				is_outbound: true,
				error_message: null,
				date_sent: null,
			},
		};
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
