import { createHmac, randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { HEADERS } from '../nodes/TwoWayMessaging/contract';
import { hasHttpRequestNode } from './httpRequestNode';
import { LISTENERS, startListeners, type Listener, type ListenerName } from './listeners';
import { postMany, type Post } from './load';
import { median, spread } from './measure';
import { atLeast, exactly, note, type Bench, type Line } from './table';

const CONNECTIONS = 10;

/** An engine for n8n's expressions, and how much is measured with it: slow ones take fewer events. */
const ENGINES = {
	vm: { rounds: 7, eventsARound: 80 },
	legacy: { rounds: 9, eventsARound: 250 },
} as const;
export type EngineName = keyof typeof ENGINES;

/** Accepted events per second of each listener, by round. */
type Rates = Record<ListenerName, number[]>;

/**
 * Accepted events per second of the playground's n8n: this package's trigger, n8n's GitHub Trigger, which
 * checks an HMAC too, and n8n's Webhook node, each in front of one step that does nothing. All get the same
 * bodies, each with names of its own, over 10 connections, in turns in one n8n.
 *
 * An event is accepted when it is answered 2xx and its run has succeeded; the clock stops when the last one
 * has. Nothing is set up beside what a person would, so the trigger's durable list is on.
 */
export const events: Bench = {
	conditions: [
		...Object.entries(ENGINES).map(
			([engine, { rounds, eventsARound }]) =>
				`${engine}: ${rounds} rounds in turns after one to get warm, ${eventsARound} events each, ${CONNECTIONS} connections; SQLite, regular mode`,
		),
	],
	async run() {
		if (!hasHttpRequestNode()) {
			return [note('n8n', 'skipped: npm start has not installed n8n yet')];
		}
		return [...(await withEngine('vm')), ...(await withEngine('legacy'))];
	},
};

async function withEngine(engine: EngineName): Promise<Line[]> {
	const { rates, refused } = await measured(engine);
	const ratios = (peer: ListenerName) =>
		rates.ours.map((rate, round) => rate / rates[peer][round]!);
	const toGithub = ratios('github');
	const toWebhook = ratios('webhook');
	const isLegacy = engine === 'legacy';
	const withWebhook = `${engine}: the trigger ÷ n8n’s Webhook node`;
	return [
		atLeast(`${engine}: the trigger ÷ n8n’s GitHub Trigger`, median(toGithub), 1),
		note('  each round', spread(toGithub, 2)),
		isLegacy
			? atLeast(withWebhook, median(toWebhook), 0.95)
			: note(withWebhook, median(toWebhook).toFixed(3)),
		note('  each round', spread(toWebhook, 2)),
		note(
			'  events per second: ours, GitHub, Webhook',
			LISTENERS.map((name) => median(rates[name]).toFixed(1)).join(', '),
		),
		exactly('  not answered 2xx', refused, 0),
		note('  load at the end', loadavg()[0]!.toFixed(1)),
	];
}

export async function measured(engine: EngineName): Promise<{ rates: Rates; refused: number }> {
	const { rounds, eventsARound } = ENGINES[engine];
	const n8n = await startListeners({ N8N_EXPRESSION_ENGINE: engine });
	try {
		const rates: Rates = { ours: [], github: [], webhook: [] };
		const runs: Record<ListenerName, number> = { ours: 0, github: 0, webhook: 0 };
		let refused = 0;
		for (let round = 0; round <= rounds; round += 1) {
			// Each comes first, and behind each other, as often.
			const turn = [...LISTENERS.slice(round % 3), ...LISTENERS.slice(0, round % 3)];
			if (round % 2 === 1) turn.reverse();
			for (const name of turn) {
				const listener = n8n.listeners[name];
				const posts = Array.from({ length: eventsARound }, () => eventFor(name, listener));
				const startedMs = Date.now();
				const statuses = await postMany(listener.url, posts, CONNECTIONS);
				const accepted = statuses.get('200') ?? 0;
				refused += eventsARound - accepted;
				runs[name] += accepted;
				const seconds = ((await n8n.ended(listener, runs[name])) - startedMs) / 1_000;
				if (round > 0) rates[name].push(accepted / seconds);
			}
		}
		return { rates, refused };
	} finally {
		await n8n.stop();
	}
}

/** An event as §6.2 shows it, signed as the listener expects. */
export function eventFor(name: ListenerName, { secret }: Listener): Post {
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
