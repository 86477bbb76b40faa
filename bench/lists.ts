import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { PATHS } from '../nodes/TwoWayMessaging/contract';
import { REQUEST_LIMITS } from '../sandbox/src/serviceFacts';
import { runAction, SEND, sendItems, startN8n, type Account } from './n8n';
import { inOwnProcess, offer } from './ownProcess';
import { startService } from './service';
import { atLeast, atMost, exactly, info, type Bench, type Line } from './table';
import '../test/support/deduplication';
import { size } from './size';

const WINDOW_MS = 2_000;
const SENT_AFTER_MS = size(3_000, 100);
const DELIVERED_AFTER_MS = size(2_000, 100);
const FEW = size(120, 6);
const SOME = size(300, 8);
const MANY = size(1_000, 12);
const HUNDRED = size(100, 5);
const NUMBERS = size(100, 5);
const KNOWN_AFTER_MS = size(2_000, 100);

/** How many messages a process sends before its memory is watched. */
const WARM_UP = size(5, 1);

/** How often it is looked how much memory a waiting list needs. */
const LOOK_EVERY_MS = 250;

/** What a list took. */
type Took = { wallMs: number; megabytes: number; statuses: string[] };

/** The most memory that a list needed, without what can be collected. */
type Peak = { peakBytes: number };

/**
 * Lists of items. The limits count in windows of 2 s, which are 60 s in the document (§8.1); the sandbox is in the bench's
 * process, and each list in a process of its own.
 *
 * The ideal client of the look-ups asks two questions a number, 20 in a window, without taking any time: its 200 questions
 * take 9 windows of waiting.
 */
export const lists: Bench = {
	conditions: [
		`${REQUEST_LIMITS.sendMessage} sends and ${REQUEST_LIMITS.lookup} look-ups per ${WINDOW_MS / 1_000} s; one run of each`,
		`a message is SENT ${SENT_AFTER_MS / 1_000} s after it was accepted, and DELIVERED ${DELIVERED_AFTER_MS / 1_000} s later; the channel of a number is known ${KNOWN_AFTER_MS / 1_000} s after the first question`,
		"n8n's table of processed data is in memory: its database is not measured",
	],
	async run() {
		return [
			...(await measureWait()),
			...(await measureRequests()),
			...(await measureProportion()),
			...(await measureLookUps()),
			...(await measureOnce()),
		];
	},
};

async function measureWait(): Promise<Line[]> {
	const without = await sendList<Took>(FEW, {});
	const waiting = await sendList<Took>(FEW, { waitFor: 'sent' });
	return [
		info(`${FEW} sends without a wait`, `${inSeconds(without.wallMs)} s`),
		atMost(
			`${FEW} sends, Wait For: Sent: seconds more`,
			(waiting.wallMs - without.wallMs) / 1_000,
			6,
		),
		exactly('  of them SENT or DELIVERED', waiting.statuses.filter(hasLeft).length, FEW),
	];
}

async function measureRequests(): Promise<Line[]> {
	const { statuses, others } = await sendList<Took>(SOME, { waitFor: 'delivered' });
	return [
		atMost(`${SOME} sends, Wait For: Delivered: other requests`, others, 60),
		exactly('  of them DELIVERED', statuses.filter((one) => one === 'DELIVERED').length, SOME),
	];
}

async function measureProportion(): Promise<Line[]> {
	const waiting = { waitFor: 'delivered' };
	const hundred = await sendList<Took & Peak>(HUNDRED, waiting, 'sendWatched');
	const many = await sendList<Took & Peak>(MANY, waiting, 'sendWatched');
	const requests = [hundred.others / HUNDRED, many.others / MANY] as const;
	const bytes = [hundred.peakBytes / HUNDRED, many.peakBytes / MANY] as const;
	return [
		info(
			`Wait For: Delivered, ${HUNDRED} and ${MANY} items: other requests an item`,
			requests.map((one) => one.toFixed(3)).join(' and '),
		),
		atMost('  at the larger number, times the smaller', requests[1] / requests[0], 1),
		info('  kilobytes an item', bytes.map((one) => (one / 1_000).toFixed(1)).join(' and ')),
		atMost('  at the larger number, times the smaller', bytes[1] / bytes[0], 1.2),
		exactly(
			'  of them DELIVERED',
			[...hundred.statuses, ...many.statuses].filter((one) => one === 'DELIVERED').length,
			HUNDRED + MANY,
		),
	];
}

async function measureLookUps(): Promise<Line[]> {
	const service = await startService({ windowMs: WINDOW_MS, lookupAfterMs: KNOWN_AFTER_MS });
	const took = await inOwnProcess<Took>(__filename, 'lookUp', service.account);
	await service.close();
	const asked = service.answered.filter(({ path }) => path === PATHS.lookup);
	const refused = asked.filter(({ status }) => status === 429).length;
	const windows = Math.ceil((2 * NUMBERS) / REQUEST_LIMITS.lookup) - 1;
	return [
		atLeast(
			`look-ups of ${NUMBERS} new numbers: share of the ideal`,
			(windows * WINDOW_MS) / took.wallMs,
			0.9,
		),
		info('  questions, 429', `${asked.length - refused}, ${refused}`),
		exactly('  items that say the channel', took.statuses.length, NUMBERS),
	];
}

async function measureOnce(): Promise<Line[]> {
	const without = await sendList<Took>(MANY, {});
	const once = await sendList<Took>(MANY, { onlyOnceFor: '={{ $json.content }}' });
	return [
		info(`${MANY} sends without a name`, `${inSeconds(without.wallMs)} s`),
		atMost(`${MANY} sends, Send Only Once Per: times that`, once.wallMs / without.wallMs, 1.1),
		info('  megabytes more', (once.megabytes - without.megabytes).toFixed(1)),
		exactly('  accepted', once.statuses.length, MANY),
	];
}

const hasLeft = (status: string) => status === 'SENT' || status === 'DELIVERED';

const inSeconds = (durationMs: number) => (durationMs / 1_000).toFixed(1);

/** Sends a list; `others` counts the requests to the service that are not sends. */
async function sendList<Result extends Took>(
	count: number,
	options: INodeParameters,
	task = 'send',
): Promise<Result & { others: number }> {
	const service = await startService({
		windowMs: WINDOW_MS,
		sentAfterMs: SENT_AFTER_MS,
		deliveredAfterMs: DELIVERED_AFTER_MS,
		lines: [
			{
				handle: randomUUID(),
				number: '+15550100001',
				label: 'Front desk',
				// Every message begins a conversation, and the line would hold those beyond its limits (§8.2).
				hourlyLimit: MANY,
				dailyLimit: MANY,
			},
		],
	});
	const list = { account: service.account, count, options };
	const took = await inOwnProcess<Result>(__filename, task, list);
	await service.close();
	const others = service.answered.filter(({ path }) => path !== PATHS.sendMessage).length;
	return { ...took, others };
}

type List = { account: Account; count: number; options: INodeParameters };

async function send({ account, count, options }: List): Promise<Took> {
	return await measure(account, { ...SEND, options }, sendItems(count), 'status');
}

offer(module, {
	send,
	async sendWatched(list: List): Promise<Took & Peak> {
		// What the first messages of a process need for good does not count.
		await runAction(startN8n(list.account), SEND, sendItems(WARM_UP));
		const beforeBytes = usedBytes();
		let mostBytes = 0;
		const watching = setInterval(
			() => (mostBytes = Math.max(mostBytes, usedBytes())),
			LOOK_EVERY_MS,
		);
		const took = await send(list);
		clearInterval(watching);
		return { ...took, peakBytes: mostBytes - beforeBytes };
	},
	async lookUp(account: Account): Promise<Took> {
		const parameters = { resource: 'number', operation: 'lookup', number: '={{ $json.number }}' };
		return await measure(account, parameters, sendItems(NUMBERS), 'service');
	},
});

/** The memory in use, without what can be collected. */
function usedBytes(): number {
	global.gc?.();
	return process.memoryUsage().heapUsed;
}

async function measure(
	account: Account,
	parameters: INodeParameters,
	items: IDataObject[],
	field: string,
): Promise<Took> {
	const n8n = startN8n(account);
	const beforeBytes = usedBytes();
	const startedMs = performance.now();
	const outputs = await runAction(n8n, parameters, items);
	const wallMs = performance.now() - startedMs;
	const megabytes = (usedBytes() - beforeBytes) / 1_000_000;
	return {
		wallMs,
		megabytes,
		statuses: outputs.flatMap((output) => output[field] ?? []).map(String),
	};
}
