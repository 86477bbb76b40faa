import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { hasHttpRequestNode } from './httpRequestNode';
import { makeEvent, startListeners, type ListenerName } from './listeners';
import { postMany } from './load';
import { median, spread } from './measure';
import { atLeast, atMost, exactly, formatTable, info, type Bench, type Line } from './table';

/** How long the service waits for an answer (§6.4). */
const ANSWERED_WITHIN_MS = 5_000;

const ROUNDS = 3;
const TEXTS = 30;
const CONNECTIONS = 50;

type Listeners = Awaited<ReturnType<typeof startListeners>>;

/** An engine for n8n's expressions, and what must be reached there. */
type Engine = {
	name: 'vm' | 'legacy';
	/** The sizes of the bursts, each twice the one before. */
	sizes: number[];
	/** The trigger that bursts are compared with, and how many times its burst ours has to be. */
	burst: { peer: 'github' | 'webhook'; least: number };
	/** Events for the rates. */
	events: number;
	/** How many times GitHub's rate ours has to be with 50 events in an execution. */
	leastShared: number;
	/** How many times n8n's own two nodes' time an answer may take. */
	mostAnswer: number;
};

const ENGINES: Engine[] = [
	{
		name: 'vm',
		sizes: [20, 40, 80, 160, 320],
		burst: { peer: 'github', least: 2 },
		events: 300,
		leastShared: 1.9,
		mostAnswer: 3,
	},
	{
		name: 'legacy',
		sizes: [160, 320, 640, 1_280, 2_560],
		burst: { peer: 'webhook', least: 2.5 },
		events: 1_000,
		leastShared: 4,
		mostAnswer: 1.6,
	},
];

/**
 * What happens when many events come at one moment, and how long one alone takes: this package's trigger beside n8n's
 * GitHub Trigger and Webhook node, in one n8n, in turns. A burst opens a connection for every event, as the service does.
 */
export const bursts: Bench = {
	conditions: [
		`medians of ${ROUNDS} rounds in turns; a burst doubles until not all are answered 2xx within ${ANSWERED_WITHIN_MS / 1_000} s; ${TEXTS} texts one at a time; SQLite, regular mode`,
	],
	async run() {
		if (!hasHttpRequestNode()) return [info('n8n', 'skipped: npm start has not installed n8n yet')];
		const lines: Line[] = [];
		for (const engine of ENGINES) {
			const n8n = await startListeners({ N8N_EXPRESSION_ENGINE: engine.name });
			try {
				const runner = new Rounds(n8n);
				const measures = [measureAnswers, measureRates, measureBursts];
				if (engine.name === 'legacy') measures.push(measureBurstOf400);
				for (const measure of measures) {
					const measured = await measure(runner, engine);
					// It takes a quarter of an hour until the table is complete.
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
		return { accepted, startedMs, tookMs };
	}

	/** Waits until every accepted event has run once; returns when the last execution ended. */
	async ended(name: ListenerName): Promise<number> {
		return await this.n8n.ended(this.n8n.listeners[name], this.executions.get(name) ?? 0);
	}
}

/** How long it takes from one text to its answer at the service. */
async function measureAnswers(runner: Rounds, { name, mostAnswer }: Engine): Promise<Line[]> {
	const times = { answering: [] as number[], plainAnswering: [] as number[] };
	for (let at = -5; at < TEXTS; at += 1) {
		for (const listener of ['answering', 'plainAnswering'] as const) {
			const text = `Text ${randomUUID()}`;
			const sentAtMs = performance.now();
			await runner.send(listener, 1, 1, text);
			await runner.ended(listener);
			const answeredAtMs = runner.n8n.answeredAtMs.get(text);
			if (answeredAtMs === undefined) throw new Error(`${listener} has not answered`);
			if (at >= 0) times[listener].push(answeredAtMs - sentAtMs);
		}
	}
	const [ours, plain] = [median(times.answering), median(times.plainAnswering)];
	return [
		atMost(
			`${name}: text to answer, trigger → Send ÷ Webhook → HTTP Request`,
			ours / plain,
			mostAnswer,
		),
		info('  milliseconds', `${ours.toFixed(1)} and ${plain.toFixed(1)}`),
	];
}

/** Events a second, from the first request to the end of the last execution. */
async function measureRates(
	runner: Rounds,
	{ name, events, leastShared }: Engine,
): Promise<Line[]> {
	const rates = { ours: [] as number[], shared: [] as number[], github: [] as number[] };
	for (let round = 0; round < ROUNDS; round += 1) {
		for (const listener of ['ours', 'github'] as const) {
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
async function measureBursts(runner: Rounds, { name, sizes, burst }: Engine): Promise<Line[]> {
	const largest = { ours: [] as number[], [burst.peer]: [] as number[] };
	for (let round = 0; round < ROUNDS; round += 1) {
		for (const listener of ['ours', burst.peer] as const) {
			largest[listener]!.push(await largestBurst(runner, listener, sizes));
		}
	}
	const [ours, peer] = [median(largest.ours), median(largest[burst.peer]!)];
	return [
		atLeast(`${name}: largest burst answered within 5 s ÷ ${burst.peer}`, ours / peer, burst.least),
		info('  ours, each round', spread(largest.ours)),
		info(`  ${burst.peer}, each round`, spread(largest[burst.peer]!)),
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
async function measureBurstOf400(runner: Rounds): Promise<Line[]> {
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
			'legacy: burst of 400, time until the last execution ended ÷ GitHub Trigger',
			ratio,
			1.1,
		),
		info('  milliseconds', `${spread(tookMs.ours)}; ${spread(tookMs.github)}`),
		exactly('  rounds in which an event was not answered in time', late, 0),
	];
}
