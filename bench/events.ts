import { loadavg } from 'node:os';
import { hasHttpRequestNode } from './httpRequestNode';
import { makeEvent, startListeners } from './listeners';
import { postMany } from './load';
import { median, spread } from './measure';
import { atLeast, exactly, info, type Bench, type Line } from './table';

const CONNECTIONS = 10;
const WARM_UP_EVENTS = 60;

type Measured = 'ours' | 'github' | 'webhook';

/** An engine for n8n's expressions, the triggers that ours is compared with there, and the limits of the ratios. */
type Engine = {
	name: 'vm' | 'legacy';
	peers: Array<{ listener: Measured; least: number }>;
	rounds: number;
	/** Fewer events where an event takes longer. */
	eventsARound: number;
};

/** n8n's default engine comes first. */
const ENGINES: Engine[] = [
	{
		name: 'vm',
		peers: [{ listener: 'github', least: 1 }],
		rounds: 10,
		eventsARound: 100,
	},
	{
		name: 'legacy',
		peers: [
			{ listener: 'github', least: 1 },
			{ listener: 'webhook', least: 0.95 },
		],
		rounds: 6,
		eventsARound: 450,
	},
];

const TITLES: Record<Measured, string> = {
	ours: 'the trigger',
	github: 'n8n’s GitHub Trigger',
	webhook: 'n8n’s Webhook node',
};

/** Accepted events per second of each listener, by round. */
type Rates = Record<Measured, number[]>;

/**
 * Accepted events per second of the playground's n8n: this package's trigger, n8n's GitHub Trigger, which also checks
 * an HMAC, and n8n's Webhook node, each followed by one node that does nothing. All of them get the same bodies with
 * different handles, over 10 connections, in turns in one n8n.
 *
 * An event is accepted when it is answered 2xx and its execution has succeeded; the time ends with the last one. The
 * trigger writes its durable list, which is as long as usual.
 */
export const events: Bench = {
	conditions: ENGINES.map(
		({ name, rounds, eventsARound }) =>
			`${name}: ${rounds} rounds in turns, ${eventsARound} events each after ${WARM_UP_EVENTS} to get warm, ${CONNECTIONS} connections; SQLite, regular mode`,
	),
	async run() {
		if (!hasHttpRequestNode()) {
			return [info('n8n', 'skipped: npm start has not installed n8n yet')];
		}
		const lines: Line[] = [];
		for (const engine of ENGINES) lines.push(...(await measureEngine(engine)));
		return lines;
	},
};

async function measureEngine(engine: Engine): Promise<Line[]> {
	const { rates, refused } = await measureRates(engine);
	const lines = engine.peers.flatMap(({ listener, least }) => {
		const ratios = rates.ours.map((rate, round) => rate / rates[listener][round]!);
		const what = `${engine.name}: ${TITLES.ours} ÷ ${TITLES[listener]}`;
		return [atLeast(what, median(ratios), least), info('  each round', spread(ratios, 2))];
	});
	const perSecond = listenersOf(engine).map((name) =>
		info(`  events per second, ${TITLES[name]}`, median(rates[name]).toFixed(1)),
	);
	return [
		...lines,
		...perSecond,
		exactly('  events not answered 200', refused, 0),
		info('  load at the end', loadavg()[0]!.toFixed(1)),
	];
}

const listenersOf = ({ peers }: Engine): Measured[] => [
	'ours',
	...peers.map(({ listener }) => listener),
];

async function measureRates(engine: Engine): Promise<{ rates: Rates; refused: number }> {
	const { name, rounds, eventsARound } = engine;
	const n8n = await startListeners({ N8N_EXPRESSION_ENGINE: name });
	try {
		const rates: Rates = { ours: [], github: [], webhook: [] };
		const executions: Record<Measured, number> = { ours: 0, github: 0, webhook: 0 };
		let refused = 0;
		const names = listenersOf(engine);
		for (let round = 0; round <= rounds; round += 1) {
			// Each listener comes first equally often.
			const from = round % names.length;
			for (const listenerName of [...names.slice(from), ...names.slice(0, from)]) {
				const listener = n8n.listeners[listenerName];
				const count = round === 0 ? WARM_UP_EVENTS : eventsARound;
				const posts = Array.from({ length: count }, () => makeEvent(listenerName, listener));
				const startedMs = Date.now();
				const statuses = await postMany(listener.url, posts, CONNECTIONS);
				const accepted = statuses.get('200') ?? 0;
				refused += count - accepted;
				executions[listenerName] += accepted;
				const endedMs = await n8n.ended(listener, executions[listenerName], accepted);
				if (round > 0) rates[listenerName].push((accepted * 1_000) / (endedMs - startedMs));
			}
		}
		return { rates, refused };
	} finally {
		await n8n.stop();
	}
}
