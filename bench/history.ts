import axios from 'axios';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { HEADERS, PATHS } from '../nodes/TwoWayMessaging/contract';
import { TwoWayMessaging } from '../nodes/TwoWayMessaging/TwoWayMessaging.node.js';
import { NO_REQUEST_LIMITS } from '../sandbox/src';
import { measure, median, spread, type Measured } from './measure';
import { runAction, startN8n, type Account } from './n8n';
import { inOwnProcess, offer } from './ownProcess';
import { startService } from './service';
import { atMost, exactly, info, type Bench } from './table';
import { size } from './size';

const MANY = size(100_000, 4_000);
const FEW = size(10_000, 1_000);
const PAGE_ROWS = 500;
const RUNS = size(7, 1);
const GET_MANY = { resource: 'message', operation: 'getMany', returnAll: true };

/** What one reading of a history costs; the result is its number of rows. */
type Cost = Measured<number>;

/** The account whose history is read, and one with a shorter history that warms the process up. */
type Reading = { account: Account; warmUp: Account };

/**
 * Reads 100,000 rows of a history (§4.5) with message: getMany, Return All and the default of every other field. It is
 * compared with an axios loop that collects the rows of the same pages, and with the node's own reading of 10,000 rows.
 * The node's time and memory are those of a whole execution and include n8n's own work.
 *
 * The pages come from the sandbox in the bench's process, so all times include its work and no network. Each reader has
 * its own process, which loads the same modules and has read the shorter history before. They take turns and are
 * compared turn by turn. Memory is the peak resident set of the process. "growth alone" leaves out what it held before
 * the reading, so that the memory of Node and n8n does not improve the ratio.
 *
 * A bare node only collects the rows that n8n's request function returns. It shows what n8n itself adds to the loop: a
 * connection for every request, credentials and settings.
 */
export const history: Bench = {
	conditions: [
		`pages of ${PAGE_ROWS} rows from the sandbox; medians of ${RUNS} processes each, in turns`,
	],
	async run() {
		const [many, few] = [await startHistory(MANY), await startHistory(FEW)];
		const read = async (contender: 'n8n' | 'axiosLoop' | 'bareNode', from = many) =>
			await inOwnProcess<Cost>(__filename, contender, {
				account: from.account,
				warmUp: few.account,
			} satisfies Reading);
		const node: Cost[] = [];
		const loop: Cost[] = [];
		const nodeFew: Cost[] = [];
		const bareNode: Cost[] = [];
		for (let run = 0; run < RUNS; run += 1) {
			node.push(await read('n8n'));
			loop.push(await read('axiosLoop'));
			bareNode.push(await read('bareNode'));
			nodeFew.push(await read('n8n', few));
		}
		await many.close();
		await few.close();

		const ratio = (costs: Cost[], over: Cost[], of: keyof Omit<Cost, 'result'>) =>
			median(costs.map((cost, run) => cost[of] / over[run]![of]));
		const rowsRead = new Set([...node, ...loop].map(({ result }) => result));
		return [
			exactly('rows read, by the node and by the loop', [...rowsRead].join(', '), MANY),
			atMost('time ÷ axios loop', ratio(node, loop, 'wallMs'), 1.15),
			info('  a bare node ÷ axios loop', ratio(bareNode, loop, 'wallMs').toFixed(3)),
			info('  processor time ÷ axios loop', ratio(node, loop, 'cpuMs').toFixed(3)),
			atMost('peak memory ÷ axios loop', ratio(node, loop, 'peakBytes'), 1.5),
			info('  growth alone ÷ axios loop', ratio(node, loop, 'peakGrowthBytes').toFixed(3)),
			atMost(`time of ${MANY} rows ÷ ${FEW}`, ratio(node, nodeFew, 'wallMs'), 11),
			info(`  node, ${MANY} rows`, described(node)),
			info(`  axios loop, ${MANY} rows`, described(loop)),
			info(`  a bare node, ${MANY} rows`, described(bareNode)),
			info(`  node, ${FEW} rows`, described(nodeFew)),
		];
	},
};

const described = (costs: Cost[]): string => {
	const ms = costs.map(({ wallMs }) => wallMs);
	const megabytes = costs.map(({ peakBytes }) => peakBytes / 2 ** 20);
	return `${spread(ms)} ms; ${spread(megabytes)} MB`;
};

/** Starts a service with so many messages of 1,000 customers in its history. */
async function startHistory(rows: number) {
	// The other ways to read need a page that names the next cursor.
	const service = await startService({ requestLimits: NO_REQUEST_LIMITS, character: 'generous' });
	for (let at = 0; at < rows; at += 1) {
		await service.receive(
			`+1555123${String(at % 1_000).padStart(4, '0')}`,
			`Is order ${at} ready? I would like to pick it up today, or else tomorrow.`,
		);
	}
	return service;
}

type Page = { messages: IDataObject[]; before: string | null };

/** Measures a way to read a history, in a warm process. */
async function measureReading(
	read: (account: Account) => Promise<unknown[]>,
	{ account, warmUp }: Reading,
): Promise<Cost> {
	await read(warmUp);
	const { result, ...cost } = await measure(async () => await read(account));
	return { result: result.length, ...cost };
}

/** Only collects the rows of all pages with n8n's request function. */
class BareNode extends TwoWayMessaging {
	override execute = async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { baseUrl } = await this.getCredentials<Account>('twoWayMessagingApi');
		const items: INodeExecutionData[] = [];
		const pairedItem = { item: 0 };
		let before: string | null | undefined;
		while (before !== null) {
			const page = (await this.helpers.httpRequestWithAuthentication.call(
				this,
				'twoWayMessagingApi',
				{ url: baseUrl + PATHS.messages, qs: { limit: PAGE_ROWS, before }, json: true },
			)) as Page;
			for (const json of page.messages) items.push({ json, pairedItem });
			before = page.before;
		}
		return [items];
	};
}

offer(module, {
	async n8n(reading: Reading): Promise<Cost> {
		return await measureReading(
			async (account) => await runAction(startN8n(account), GET_MANY, [{}]),
			reading,
		);
	},
	async bareNode(reading: Reading): Promise<Cost> {
		return await measureReading(
			async (account) => await runAction(startN8n(account, [new BareNode()]), GET_MANY, [{}]),
			reading,
		);
	},
	async axiosLoop(reading: Reading): Promise<Cost> {
		return await measureReading(async ({ baseUrl, apiKey, apiSecret }) => {
			const headers = { [HEADERS.apiKey]: apiKey, [HEADERS.apiSecret]: apiSecret };
			const rows: IDataObject[] = [];
			let before: string | null | undefined;
			while (before !== null) {
				const { data } = await axios.get<Page>(baseUrl + PATHS.messages, {
					headers,
					params: { limit: PAGE_ROWS, before },
				});
				for (const message of data.messages) rows.push(message);
				before = data.before;
			}
			return rows;
		}, reading);
	},
});
