import { HEADERS, PATHS } from '../nodes/TwoWayMessaging/contract';
import { REQUEST_LIMITS } from '../sandbox/src/serviceFacts';
import { Clock, createSandbox, NO_REQUEST_LIMITS } from '../sandbox/src';
import type { NodeSpec } from '../test/support/engine';
import { hasHttpRequestNode, loadHttpRequestNode } from './httpRequestNode';
import { median, spread } from './measure';
import { runAction, runNode, SEND, sendItems, startN8n, type Account } from './n8n';
import { inOwnProcess, offer } from './ownProcess';
import { startService } from './service';
import { atLeast, atMost, exactly, info, type Bench, type Line } from './table';
import { size } from './size';

const SENDS = size(300, 20);
const WINDOW_MS = 5_000;
const RUNS = size(3, 1);
const SIDE_BY_SIDE = size(5, 2);
const WARM_UP_SENDS = size(300, 5);

/** What has become of the sends of one run. */
type Outcome = {
	wallMs: number;
	accepted: number;
	lost: number;
	twice: number;
	refusals: number;
	/** The most refusals within one window. */
	refusalsInAWindow: number;
};

/** The account that is measured, and one that warms the process up. */
type Accounts = { measured: Account; warmUp: Account };

/**
 * 300 sends through the sandbox's limiter: 60 in a window (§8.1), which is shortened to 5 s. The sandbox is in the bench's
 * process, and n8n is in its own process, which has sent 300 messages to another sandbox before.
 *
 * What is possible: the limiter's windows have a fixed length and start with the first request that counts; a refused
 * request does not count; Retry-After is the rest of the window in whole seconds, rounded up. The ideal client sends
 * without taking any time, learns from a refusal how long to wait, and waits exactly that long. It is refused at the
 * moment at which its window started, so it waits the whole 5 s, and its 300 sends take 4 × 5 s. `measureIdealMs` does
 * not calculate this: it runs that client against the sandbox's own limiter with a stopped clock. A real client takes
 * time to send, and each window costs it up to a second more, because Retry-After is rounded up.
 *
 * The share is the ideal client's time divided by the run's. Refusals are counted for each window: those after the same
 * number of accepted messages, because every window accepts some.
 */
export const sends: Bench = {
	conditions: [
		`${SENDS} sends, ${REQUEST_LIMITS.sendMessage} per ${WINDOW_MS / 1_000} s; medians of ${RUNS} runs, the worst count of them; ${SIDE_BY_SIDE} executions send ${SENDS / SIDE_BY_SIDE} each`,
		"n8n's HTTP Request node: one run each; Retry On Fail at its most (5 tries, 5 s); batches of 60 per 5 s and, more carefully, per 6 s",
	],
	async run() {
		const ideal = await measureIdealMs();
		const lines: Line[] = [info('the ideal client', `${ideal / 1_000} s`)];
		for (const task of ['oneExecution', 'sideBySide'] as const) {
			lines.push(...judged(TITLES[task], await runs(task, RUNS), ideal));
		}
		if (!hasHttpRequestNode()) {
			lines.push(info('HTTP Request node', 'peer skipped: npm start has not installed n8n yet'));
			return lines;
		}
		for (const task of ['plain', 'retryOnFail', 'batched', 'batchedWithCare'] as const) {
			for (const outcome of await runs(task, 1)) lines.push(info(TITLES[task], described(outcome)));
		}
		return lines;
	},
};

const TITLES = {
	oneExecution: 'one execution',
	sideBySide: `${SIDE_BY_SIDE} executions on one credential`,
	plain: 'HTTP Request, plain',
	retryOnFail: 'HTTP Request, Retry On Fail',
	batched: 'HTTP Request, 60 per 5 s',
	batchedWithCare: 'HTTP Request, 60 per 6 s',
};

/** Measures how long the ideal client takes; see the description of the bench. */
async function measureIdealMs(): Promise<number> {
	const sandbox = createSandbox({ windowMs: WINDOW_MS, clock: Clock.stopped(0) });
	const [pair] = sandbox.keyPairs;
	const items = sendItems(SENDS);
	for (let at = 0; at < items.length;) {
		const response = await sandbox.app.request(PATHS.sendMessage, {
			method: 'POST',
			headers: { [HEADERS.apiKey]: pair?.key ?? '', [HEADERS.apiSecret]: pair?.secret ?? '' },
			body: JSON.stringify(items[at]),
		});
		if (response.status === 201) at += 1;
		else await sandbox.advance(Number(response.headers.get(HEADERS.retryAfter)) * 1_000);
	}
	const tookMs = sandbox.clock.now();
	sandbox.close();
	return tookMs;
}

async function runs(task: keyof typeof TITLES, times: number): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	for (let run = 0; run < times; run += 1) {
		// The node takes windows for minutes, as they are (§8.1), and counts twelve of these as one for all requests together.
		const requestLimits = { all: 12 * REQUEST_LIMITS.all };
		const service = await startService({ windowMs: WINDOW_MS, requestLimits });
		const unlimited = await startService({ requestLimits: NO_REQUEST_LIMITS });
		const accounts: Accounts = { measured: service.account, warmUp: unlimited.account };
		const wallMs = await inOwnProcess<number>(__filename, task, accounts);
		outcomes.push({ wallMs, ...countSends(service.answered, await service.accepted()) });
		await service.close();
		await unlimited.close();
	}
	return outcomes;
}

/** Counts what has become of the sends, as the service knows it. */
function countSends(
	answered: Array<{ status: number }>,
	messages: Array<{ to: string }>,
): Omit<Outcome, 'wallMs'> {
	const reached = new Set(messages.map(({ to }) => to));
	const refusalsByWindow = new Map<number, number>();
	let acceptedSoFar = 0;
	for (const { status } of answered) {
		if (status === 201) acceptedSoFar += 1;
		if (status !== 429) continue;
		refusalsByWindow.set(acceptedSoFar, (refusalsByWindow.get(acceptedSoFar) ?? 0) + 1);
	}
	const refusals = [...refusalsByWindow.values()];
	return {
		accepted: messages.length,
		lost: sendItems(SENDS).filter(({ number }) => !reached.has(String(number))).length,
		twice: messages.length - reached.size,
		refusals: refusals.reduce((sum, count) => sum + count, 0),
		refusalsInAWindow: Math.max(0, ...refusals),
	};
}

function judged(title: string, outcomes: Outcome[], ideal: number): Line[] {
	const worst = (count: keyof Outcome) => Math.max(...outcomes.map((outcome) => outcome[count]));
	const accepted = outcomes.map((outcome) => outcome.accepted);
	const shares = outcomes.map(({ wallMs }) => ideal / wallMs);
	return [
		atLeast(`${title}: share of the ideal`, median(shares), 0.97),
		info('  each run', spread(outcomes.map(({ wallMs }) => wallMs)) + ' ms'),
		exactly(`${title}: accepted`, [...new Set(accepted)].join(', '), SENDS),
		exactly(`${title}: lost, twice`, `${worst('lost')}, ${worst('twice')}`, '0, 0'),
		atMost(`${title}: 429 in a window`, worst('refusalsInAWindow'), 1),
	];
}

const described = ({ wallMs, accepted, lost, twice, refusals }: Outcome): string =>
	`${accepted} accepted, ${lost} lost, ${twice} twice, ${refusals} × 429, ${(wallMs / 1_000).toFixed(1)} s`;

offer(module, {
	async oneExecution(accounts: Accounts): Promise<number> {
		const n8n = await startWarmN8n(accounts);
		return await timed(async () => await runAction(n8n, SEND, sendItems(SENDS)));
	},
	async sideBySide(accounts: Accounts): Promise<number> {
		const n8n = await startWarmN8n(accounts);
		const share = SENDS / SIDE_BY_SIDE;
		const executions = Array.from({ length: SIDE_BY_SIDE }, (_, at) =>
			sendItems(share, at * share),
		);
		return await timed(
			async () =>
				await Promise.all(executions.map(async (items) => await runAction(n8n, SEND, items))),
		);
	},
	plain: async ({ measured }: Accounts) => await runHttpRequestNode(measured, {}, {}),
	retryOnFail: async ({ measured }: Accounts) =>
		await runHttpRequestNode(
			measured,
			{},
			{ retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 },
		),
	batched: async ({ measured }: Accounts) =>
		await runHttpRequestNode(measured, batchesEvery(WINDOW_MS), {}),
	batchedWithCare: async ({ measured }: Accounts) =>
		await runHttpRequestNode(measured, batchesEvery(WINDOW_MS + 1_000), {}),
});

const batchesEvery = (batchInterval: number) => ({
	batching: { batch: { batchSize: REQUEST_LIMITS.sendMessage, batchInterval } },
});

async function timed(work: () => Promise<unknown>): Promise<number> {
	const startedMs = performance.now();
	await work();
	return performance.now() - startedMs;
}

/** Starts an n8n that has sent messages before, as an n8n in use has. The limits of its account are not used yet. */
async function startWarmN8n({ measured, warmUp }: Accounts) {
	await runAction(startN8n(warmUp), SEND, sendItems(WARM_UP_SENDS));
	return startN8n(measured);
}

/** Makes the same sends with n8n's HTTP Request node. Its execution may fail, which is one of the results. */
async function runHttpRequestNode(
	account: Account,
	options: object,
	settings: Partial<NodeSpec>,
): Promise<number> {
	const n8n = startN8n(account, [loadHttpRequestNode()]);
	const node: NodeSpec = {
		type: 'n8n-nodes-base.httpRequest',
		credentials: { twoWayMessagingApi: { id: '1', name: 'twoWayMessagingApi' } },
		parameters: {
			method: 'POST',
			url: account.baseUrl + PATHS.sendMessage,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'twoWayMessagingApi',
			sendBody: true,
			bodyParameters: {
				parameters: [
					{ name: 'number', value: '={{ $json.number }}' },
					{ name: 'content', value: '={{ $json.content }}' },
				],
			},
			options: { ...options },
		},
		...settings,
	};
	return await timed(async () => {
		await runNode(n8n, node, sendItems(SENDS));
	});
}
