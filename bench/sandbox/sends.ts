import { randomUUID } from 'node:crypto';
import { serve as serveApp } from '@hono/node-server';
import { Hono } from 'hono';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { NO_REQUEST_LIMITS, createSandbox, serve } from '../../sandbox/src';
import { acceptedSend } from '../acceptedSend';
import { postMany } from '../load';
import { median, spread } from '../measure';
import { inOwnProcess, offer } from '../ownProcess';
import { atLeast, info, type Bench, type Line } from '../table';
import { CREDENTIAL, KEY_PAIRS } from './account';
import { size } from '../size';

const SENDS = size(20_000, 200);
const ROUNDS = size(5, 1);
const CONNECTIONS = 32;

/** Lines whose limits no conversation reaches. */
const LINES = ['1', '2'].map((n) => ({
	handle: `7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a0${n}`,
	number: `+1555010000${n}`,
	label: `Line ${n}`,
	hourlyLimit: 1_000_000,
	dailyLimit: 1_000_000,
}));

/**
 * Sends over loopback, compared with a bare server of the same framework that reads the same body and answers the same
 * JSON. The bare server is as fast as the load that one process can make, so the machine decides how near the sandbox comes.
 */
export const sends: Bench = {
	conditions: [
		`sends: ${ROUNDS} rounds in turns, ${SENDS} sends on ${CONNECTIONS} connections, each server in its own process, warmed up`,
	],
	run: measureSends,
};

async function measureSends(): Promise<Line[]> {
	const bare: number[] = [];
	const full: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		bare.push(await inOwnProcess<number>(__filename, 'bare', {}));
		full.push(await inOwnProcess<number>(__filename, 'full', {}));
	}
	return [
		atLeast('sends per second ÷ bare server', median(full.map((rate, n) => rate / bare[n]!)), 0.33),
		info('  sends per second', spread(full)),
		info('  bare server', spread(bare)),
	];
}

/** Sends per second of the warm server at this URL. The load comes from its own process. */
const rateOf = async (url: string) => await inOwnProcess<number>(__filename, 'load', { url });

const bodiesOf = (count: number): string[] =>
	Array.from({ length: count }, (_, at) =>
		JSON.stringify({
			number: `+1555123${String(at % 1_000).padStart(4, '0')}`,
			content: `Your order ${at} is ready.`,
		}),
	);

offer(module, {
	async bare() {
		const app = new Hono();
		app.post(PATHS.sendMessage, async (c) => {
			return c.json(acceptedSend(await c.req.json(), randomUUID()), 201);
		});
		return await new Promise<number>((resolve, reject) => {
			const server = serveApp({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
				void rateOf(`http://127.0.0.1:${port}`)
					.then(resolve, reject)
					.finally(() => server.close());
			});
		});
	},
	async full() {
		const service = createSandbox({
			keyPairs: KEY_PAIRS,
			requestLimits: NO_REQUEST_LIMITS,
			lines: LINES,
		});
		const served = await serve(service);
		const rate = await rateOf(served.url);
		await served.close();
		return rate;
	},
	async load({ url }: { url: string }) {
		const round = async (count: number) => {
			const posts = bodiesOf(count).map((body) => ({ body, headers: CREDENTIAL }));
			const statuses = await postMany(url + PATHS.sendMessage, posts, CONNECTIONS);
			if (statuses.get('201') !== count) {
				throw new Error(`Not every send was accepted: ${JSON.stringify([...statuses])}`);
			}
		};
		await round(SENDS / 4);
		const startedMs = performance.now();
		await round(SENDS);
		return SENDS / ((performance.now() - startedMs) / 1_000);
	},
});
