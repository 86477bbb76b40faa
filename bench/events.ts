import { createHmac, randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { HEADERS } from '../nodes/TwoWayMessaging/contract';
import { hasHttpRequestNode } from './httpRequestNode';
import { startListeners, type Listener, type ListenerName } from './listeners';
import { postMany, type Post } from './load';
import { median, spread } from './measure';
import { atLeast, exactly, note, type Bench, type Line } from './table';

const CONNECTIONS = 10;
const WARM_UP_EVENTS = 60;

/** An engine for n8n's expressions, who is held against the trigger there, and what the ratio must be. */
type Engine = {
	name: 'vm' | 'legacy';
	peers: Array<{ listener: ListenerName; least: number }>;
	rounds: number;
	/** Fewer where an event takes longer. */
	eventsARound: number;
};

/** n8n's default first. */
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

const TITLES: Record<ListenerName, string> = {
	ours: 'the trigger',
	github: 'n8n’s GitHub Trigger',
	webhook: 'n8n’s Webhook node',
};

/** Accepted events per second of each listener, by round. */
type Rates = Record<ListenerName, number[]>;

/**
 * Accepted events per second of the playground's n8n: this package's trigger, n8n's GitHub Trigger, which
 * checks an HMAC too, and n8n's Webhook node, each in front of one step that does nothing. All get the same
 * bodies, each with names of its own, over 10 connections, in turns in one n8n.
 *
 * An event is accepted when it is answered 2xx and its run has succeeded; the clock stops when the last one
 * has. The trigger's durable list is on, as it always is, and as long as usual.
 */
export const events: Bench = {
	conditions: ENGINES.map(
		({ name, rounds, eventsARound }) =>
			`${name}: ${rounds} rounds in turns, ${eventsARound} events each after ${WARM_UP_EVENTS} to get warm, ${CONNECTIONS} connections; SQLite, regular mode`,
	),
	async run() {
		if (!hasHttpRequestNode()) {
			return [note('n8n', 'skipped: npm start has not installed n8n yet')];
		}
		const lines: Line[] = [];
		for (const engine of ENGINES) lines.push(...(await withEngine(engine)));
		return lines;
	},
};

async function withEngine(engine: Engine): Promise<Line[]> {
	const { rates, refused } = await measured(engine);
	const lines = engine.peers.flatMap(({ listener, least }) => {
		const ratios = rates.ours.map((rate, round) => rate / rates[listener][round]!);
		const what = `${engine.name}: ${TITLES.ours} ÷ ${TITLES[listener]}`;
		return [atLeast(what, median(ratios), least), note('  each round', spread(ratios, 2))];
	});
	const perSecond = listenersOf(engine).map((name) =>
		note(`  events per second, ${TITLES[name]}`, median(rates[name]).toFixed(1)),
	);
	return [
		...lines,
		...perSecond,
		exactly('  events not answered 200', refused, 0),
		note('  load at the end', loadavg()[0]!.toFixed(1)),
	];
}

const listenersOf = ({ peers }: Engine): ListenerName[] => [
	'ours',
	...peers.map(({ listener }) => listener),
];

async function measured(engine: Engine): Promise<{ rates: Rates; refused: number }> {
	const { name, rounds, eventsARound } = engine;
	const n8n = await startListeners({ N8N_EXPRESSION_ENGINE: name });
	try {
		const rates: Rates = { ours: [], github: [], webhook: [] };
		const runs: Record<ListenerName, number> = { ours: 0, github: 0, webhook: 0 };
		let refused = 0;
		const names = listenersOf(engine);
		for (let round = 0; round <= rounds; round += 1) {
			// Each comes first as often as the others.
			const from = round % names.length;
			for (const listenerName of [...names.slice(from), ...names.slice(0, from)]) {
				const listener = n8n.listeners[listenerName];
				const count = round === 0 ? WARM_UP_EVENTS : eventsARound;
				const posts = Array.from({ length: count }, () => eventFor(listenerName, listener));
				const startedMs = Date.now();
				const statuses = await postMany(listener.url, posts, CONNECTIONS);
				const accepted = statuses.get('200') ?? 0;
				refused += count - accepted;
				runs[listenerName] += accepted;
				const endedMs = await n8n.ended(listener, runs[listenerName]);
				if (round > 0) rates[listenerName].push((accepted * 1_000) / (endedMs - startedMs));
			}
		}
		return { rates, refused };
	} finally {
		await n8n.stop();
	}
}

/** An event as §6.2 shows it, signed as the listener expects. */
function eventFor(name: ListenerName, { secret }: Listener): Post {
	const body = JSON.stringify({
		id: `evt_${randomUUID()}`,
		type: 'receive',
		created_at: new Date().toISOString(),
		data: {
			message: {
				message_handle: `msg_${randomUUID()}`,
				direction: 'inbound',
				from: '+15551230001',
				to: '+15550100001',
				text: 'Is my order ready? I would come by at five, if that is all right with you.',
				channel: 'imessage',
				status: 'received',
				line_handle: 'line_7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a01',
			},
		},
	});
	const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
	if (name === 'webhook') return { body, headers: {} };
	if (name === 'github')
		return { body, headers: { 'x-hub-signature-256': `sha256=${hmac(body)}` } };
	const timestamp = Math.floor(Date.now() / 1_000);
	const signature = `t=${timestamp},v1=${hmac(`${timestamp}.${body}`)}`;
	return { body, headers: { [HEADERS.signature]: signature } };
}
