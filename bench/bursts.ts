import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '../test/support/waitUntil';
import { hasHttpRequestNode } from './httpRequestNode';
import { makeEvent, startListeners, type ListenerName } from './listeners';
import { postMany } from './load';
import { median, spread } from './measure';
import { atLeast, atMost, exactly, formatTable, info, type Bench, type Line } from './table';

/** How long the service waits for an answer (§6.4). */
const ANSWERED_WITHIN_MS = 5_000;

const ROUNDS = 3;
/** Rates of the same trigger differ by a tenth from one round to the next. */
const RATE_ROUNDS = 7;
const TEXTS = 30;
const CONNECTIONS = 50;

/** Events before a rate is measured: the first of them run in code that Node.js has not compiled yet. */
const WARM_UP_EVENTS = 200;

/** How long n8n goes on saving what has ended. */
const REST_MS = 3_000;

type Listeners = Awaited<ReturnType<typeof startListeners>>;

/** An engine for n8n's expressions, what is measured there, and what must be reached. */
type Engine = {
	name: string;
	environment: Record<string, string>;
	/** The trigger whose time to an answer ours is compared with, and how many times its time an answer may take. */
	answer: { peer: 'githubAnswering' | 'plainAnswering'; most: number };
	/** Events for the rates, and how many times GitHub's rate ours has to be with 50 events in an execution. */
	rates?: { events: number; leastShared: number };
	/** The sizes of the bursts, each twice the one before, and how many times the burst of another trigger ours has to be. */
	largest?: { sizes: number[]; peer: 'github' | 'webhook'; least: number };
	/** How many times GitHub's time a burst of 400 may take. */
	mostOf400?: number;
};

const ENGINES: Engine[] = [
	{
		name: 'vm',
		environment: { N8N_EXPRESSION_ENGINE: 'vm' },
		// n8n makes an isolate for the request of each trigger but its Webhook node, and no node can spare it.
		answer: { peer: 'githubAnswering', most: 1.1 },
		rates: { events: 300, leastShared: 1.9 },
		largest: { sizes: [20, 40, 80, 160, 320], peer: 'github', least: 2 },
	},
	{
		name: 'vm, 3 isolates ready',
		environment: { N8N_EXPRESSION_ENGINE: 'vm', N8N_EXPRESSION_ENGINE_POOL_SIZE: '3' },
		answer: { peer: 'plainAnswering', most: 3 },
	},
	{
		name: 'legacy',
		environment: { N8N_EXPRESSION_ENGINE: 'legacy' },
		answer: { peer: 'plainAnswering', most: 1.6 },
		rates: { events: 1_000, leastShared: 4 },
		largest: { sizes: [160, 320, 640, 1_280, 2_560], peer: 'webhook', least: 2.5 },
		mostOf400: 1.1,
	},
];

/**
 * What happens when many events come at one moment, and how long one alone takes: this package's trigger beside n8n's
 * GitHub Trigger and Webhook node, in one n8n, in turns. A burst opens a connection for every event, as the service does.
 */
export const bursts: Bench = {
	conditions: [
		`medians of ${ROUNDS} rounds in turns, of rates ${RATE_ROUNDS}; a burst doubles until not all are answered 2xx within ${ANSWERED_WITHIN_MS / 1_000} s; ${TEXTS} texts one at a time; SQLite, regular mode`,
	],
	async run() {
		if (!hasHttpRequestNode()) return [info('n8n', 'skipped: npm start has not installed n8n yet')];
		const lines: Line[] = [];
		for (const engine of ENGINES) {
			const n8n = await startListeners(engine.environment);
			try {
				const runner = new Rounds(n8n);
				for (const measure of [measureAnswers, measureRates, measureBursts, measureBurstOf400]) {
					const measured = await measure(runner, engine);
					// It takes a quarter of an hour until the table is complete.
					if (measured.length > 0)
						console.error(formatTable(measured.map((line) => ({ bench: 'bursts', ...line }))));
					lines.push(...measured);
				}
			} finally {
				await n8n.stop();
			}
		}
		return [...lines, info('load at the end', loadavg()[0]!.toFixed(1))];
	},
};

/** Sends events to the listeners of one n8n, and keeps count of their executions. */
class Rounds {
	private readonly executions = new Map<ListenerName, number>();
	private readonly lastSent = new Map<ListenerName, number>();

	constructor(readonly n8n: Listeners) {}

	/** Sends events; returns how many were answered 2xx, and how long it took until the last answer. */
	async send(name: ListenerName, count: number, connections: number, text?: string) {
		const listener = this.n8n.listeners[name];
		const posts = Array.from({ length: count }, () => makeEvent(name, listener, text));
		const startedMs = Date.now();
		const statuses = await postMany(listener.url, posts, connections);
		const tookMs = Date.now() - startedMs;
		const accepted = statuses.get('200') ?? 0;
		this.executions.set(name, (this.executions.get(name) ?? 0) + accepted);
		this.lastSent.set(name, accepted);
		return { accepted, startedMs, tookMs };
	}

	/** Waits until every accepted event has run once; returns when the last execution ended. */
	async ended(name: ListenerName): Promise<number> {
		const events = this.executions.get(name) ?? 0;
		return await this.n8n.ended(this.n8n.listeners[name], events, this.lastSent.get(name) ?? 0);
	}
}

/** How long it takes from one text to its answer at the service. */
async function measureAnswers(runner: Rounds, { name, answer }: Engine): Promise<Line[]> {
	const times = {
		answering: [] as number[],
		githubAnswering: [] as number[],
		plainAnswering: [] as number[],
	};
	for (let at = -5; at < TEXTS; at += 1) {
		for (const listener of ['answering', 'githubAnswering', 'plainAnswering'] as const) {
			const text = `Text ${randomUUID()}`;
			const sentAtMs = performance.now();
			await runner.send(listener, 1, 1, text);
			// Nothing is asked of n8n before.
			const answeredAtMs = await waitUntil(`the answer of ${listener}`, async () =>
				runner.n8n.answeredAtMs.get(text),
			);
			await runner.ended(listener);
			if (at >= 0) times[listener].push(answeredAtMs - sentAtMs);
		}
	}
	const ours = median(times.answering);
	const github = median(times.githubAnswering);
	const plain = median(times.plainAnswering);
	const lines: Record<typeof answer.peer, [string, number]> = {
		githubAnswering: ['GitHub Trigger → HTTP Request', ours / github],
		plainAnswering: ['Webhook → HTTP Request', ours / plain],
	};
	return Object.entries(lines)
		.map(([peer, [what, ratio]]) => {
			const title = `${name}: text to answer, trigger → Send ÷ ${what}`;
			return peer === answer.peer
				? atMost(title, ratio, answer.most)
				: info(title, ratio.toFixed(3));
		})
		.concat(
			info('  milliseconds', [ours, github, plain].map((each) => each.toFixed(1)).join(', ')),
		);
}

/** Events a second, from the first request to the end of the last execution. */
async function measureRates(runner: Rounds, { name, rates: wanted }: Engine): Promise<Line[]> {
	if (!wanted) return [];
	const { events, leastShared } = wanted;
	const rates = { ours: [] as number[], shared: [] as number[], github: [] as number[] };
	for (const listener of ['ours', 'github'] as const) {
		await runner.send(listener, WARM_UP_EVENTS, CONNECTIONS);
		await runner.ended(listener);
	}
	for (let round = 0; round < RATE_ROUNDS; round += 1) {
		// So that neither always follows the other.
		const inTurns = round % 2 === 0 ? (['ours', 'github'] as const) : (['github', 'ours'] as const);
		for (const listener of inTurns) {
			await pause(REST_MS);
			const { accepted, startedMs } = await runner.send(listener, events, CONNECTIONS);
			rates[listener].push((accepted * 1_000) / ((await runner.ended(listener)) - startedMs));
		}
		const { accepted, startedMs } = await runner.send('shared', events, CONNECTIONS);
		const { endedMs, items } = await runner.n8n.atRest(runner.n8n.listeners.shared);
		if (items !== accepted * (round + 1)) {
			throw new Error(`${items} items of ${accepted * (round + 1)} events`);
		}
		rates.shared.push((accepted * 1_000) / (endedMs - startedMs));
	}
	const against = (listener: 'ours' | 'shared') =>
		rates[listener].map((rate, round) => rate / rates.github[round]!);
	return [
		atLeast(`${name}: events a second, one each ÷ GitHub Trigger`, median(against('ours')), 1),
		info('  each round', spread(against('ours'), 2)),
		atLeast(`${name}: the same, 50 in an execution`, median(against('shared')), leastShared),
		info('  each round', spread(against('shared'), 2)),
		info(
			'  events a second: one each, 50 each, GitHub Trigger',
			[rates.ours, rates.shared, rates.github].map((each) => median(each).toFixed(1)).join(', '),
		),
	];
}

/** The largest burst whose events are all answered in time. */
async function measureBursts(runner: Rounds, { name, largest: wanted }: Engine): Promise<Line[]> {
	if (!wanted) return [];
	const { sizes, peer, least } = wanted;
	const largest = { ours: [] as number[], [peer]: [] as number[] };
	for (let round = 0; round < ROUNDS; round += 1) {
		for (const listener of ['ours', peer] as const) {
			largest[listener]!.push(await largestBurst(runner, listener, sizes));
		}
	}
	const ratio = median(largest.ours) / median(largest[peer]!);
	return [
		atLeast(`${name}: largest burst answered within 5 s ÷ ${peer}`, ratio, least),
		info('  ours, each round', spread(largest.ours)),
		info(`  ${peer}, each round`, spread(largest[peer]!)),
	];
}

async function largestBurst(runner: Rounds, name: ListenerName, sizes: number[]): Promise<number> {
	let largest = 0;
	for (const size of sizes) {
		const { accepted, tookMs } = await runner.send(name, size, size);
		await runner.ended(name);
		if (accepted < size || tookMs > ANSWERED_WITHIN_MS) break;
		largest = size;
		await pause(500);
	}
	return largest;
}

/** A burst of 400: all answered, all run once, and how long until the last execution ended. */
async function measureBurstOf400(
	runner: Rounds,
	{ name: engine, mostOf400 }: Engine,
): Promise<Line[]> {
	if (mostOf400 === undefined) return [];
	const tookMs = { ours: [] as number[], github: [] as number[] };
	let late = 0;
	for (let round = 0; round < ROUNDS; round += 1) {
		for (const name of ['ours', 'github'] as const) {
			const { accepted, startedMs, tookMs: answeredMs } = await runner.send(name, 400, 400);
			if (name === 'ours' && (accepted < 400 || answeredMs > ANSWERED_WITHIN_MS)) late += 1;
			tookMs[name].push((await runner.ended(name)) - startedMs);
		}
	}
	const ratio = median(tookMs.ours) / median(tookMs.github);
	return [
		atMost(
			`${engine}: burst of 400, time until the last execution ended ÷ GitHub Trigger`,
			ratio,
			mostOf400,
		),
		info('  milliseconds', `${spread(tookMs.ours)}; ${spread(tookMs.github)}`),
		exactly('  rounds in which an event was not answered in time', late, 0),
	];
}
