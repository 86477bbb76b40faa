import { get } from 'node:http';
import { NO_REQUEST_LIMITS, createSandbox, serve } from '../../sandbox/src';
import { postMany } from '../load';
import { median, spread } from '../measure';
import { inOwnProcess, offer } from '../ownProcess';
import { atMost, info, type Bench, type Line } from '../table';
import { KEY_PAIRS } from './account';
import { size } from '../size';

const LISTENERS = size(200, 10);
const TEXTS = size(2_000, 50);
const ROUNDS = size(5, 1);
const CONNECTIONS = 32;

/** Texts while many pages listen to what changes, compared with the same texts while nobody does. */
export const listeners: Bench = {
	conditions: [
		`listeners: ${ROUNDS} rounds in turns, ${TEXTS} texts on ${CONNECTIONS} connections, ${LISTENERS} listeners in their own process`,
	],
	run: measureListeners,
};

async function measureListeners(): Promise<Line[]> {
	const none: number[] = [];
	const many: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		none.push(await inOwnProcess<number>(__filename, 'texts', { count: 0 }));
		many.push(await inOwnProcess<number>(__filename, 'texts', { count: LISTENERS }));
	}
	return [
		atMost(
			`${TEXTS} texts with ${LISTENERS} listeners ÷ with none`,
			median(many.map((time, n) => time / none[n]!)),
			1.5,
		),
		info('  ms with them', spread(many)),
		info('  ms without', spread(none)),
	];
}

offer(module, {
	/** Milliseconds that the texts take while so many listen. */
	async texts({ count }: { count: number }): Promise<number> {
		const served = await serve(
			createSandbox({ keyPairs: KEY_PAIRS, requestLimits: NO_REQUEST_LIMITS }),
		);
		const { url } = served;
		const listening = count > 0 ? inOwnProcess(__filename, 'listen', { url, count }) : undefined;
		const tookMs = await inOwnProcess<number>(__filename, 'load', { url, count });
		await served.close();
		const heard = await listening;
		if (count > 0 && heard !== count) throw new Error(`Only ${heard} of ${count} could listen`);
		return tookMs;
	},
	/** Listens until the sandbox closes; returns how many have listened. */
	async listen({ url, count }: { url: string; count: number }): Promise<number> {
		const listener = async () =>
			await new Promise<number>((resolve) => {
				const asked = get(`${url}/sandbox/events`, { agent: false }, (response) => {
					response.resume();
					response.once('close', () => resolve(1));
				});
				asked.once('error', () => resolve(0));
			});
		const heard = await Promise.all(Array.from({ length: count }, listener));
		return heard.reduce((sum, one) => sum + one, 0);
	},
	/** Milliseconds that the texts take, after a warm-up in which the listeners connect. */
	async load({ url, count }: { url: string; count: number }): Promise<number> {
		const round = async (texts: number) => {
			const posts = Array.from({ length: texts }, (_, at) => ({
				headers: {},
				body: JSON.stringify({
					from: `+1555123${String(at % 1_000).padStart(4, '0')}`,
					content: `Is order ${at} ready?`,
				}),
			}));
			const statuses = await postMany(`${url}/sandbox/inbound`, posts, CONNECTIONS);
			if (statuses.get('201') !== texts) throw new Error('Not every text was accepted');
		};
		await round(TEXTS);
		await new Promise((resolve) => setTimeout(resolve, count > 0 ? 1_000 : 0));
		const startedMs = performance.now();
		await round(TEXTS);
		return performance.now() - startedMs;
	},
});
