import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serve as serveApp } from '@hono/node-server';
import { Hono } from 'hono';
import { HEADERS, PATHS } from '../nodes/TwoWayMessaging/contract';
import { NO_REQUEST_LIMITS, createSandbox, serve } from '../sandbox/src';
import { postMany } from './load';
import { measure, median, spread, type Measured } from './measure';
import { inOwnProcess, offer } from './ownProcess';
import { atLeast, atMost, exactly, note, type Bench, type Line } from './table';

const STARTS = 7;
const SENDS = 20_000;
const ROUNDS = 5;
const INBOUND = 10_000;
const CONNECTIONS = 32;
const PAGES = 300;
const PAGE_ROUNDS = 25;
const CREDENTIAL = { [HEADERS.apiKey]: 'bench-key', [HEADERS.apiSecret]: 'bench-secret' };
const KEY_PAIRS = [{ key: 'bench-key', secret: 'bench-secret' }];
/** Lines that hold no conversation back. */
const LINES = ['1', '2'].map((n) => ({
	handle: `7b1f6a52-3c0d-4c5e-9a44-0d8f2f6b1a0${n}`,
	number: `+1555010000${n}`,
	label: `Line ${n}`,
	hourlyLimit: 1_000_000,
	dailyLimit: 1_000_000,
}));

/**
 * The sandbox by itself: its start as a person starts it, sends over loopback against a bare server of the
 * same framework that reads the same body and answers the same JSON, inbound messages to a receiver that
 * answers at once, and a history page (§4.5) out of many rows against one out of few.
 */
export const sandbox: Bench = {
	conditions: [
		`start: ${STARTS} starts each, in turns; npm run sandbox compiles from source, npm's own start left out`,
		`sends: ${ROUNDS} rounds in turns, ${SENDS} sends on 32 connections, each server in a process of its own, warmed up`,
		`history: ${PAGES} pages of 50 rows from the middle, without a port, in turns, median of ${PAGE_ROUNDS} rounds`,
	],
	async run() {
		return [...(await starts()), ...(await sends()), ...(await inbound()), ...(await pages())];
	},
};

async function starts(): Promise<Line[]> {
	const folder = join(__dirname, '..', 'sandbox');
	execFileSync(process.execPath, [join(folder, 'build.mjs')]);
	const fromSource: number[] = [];
	const packaged: number[] = [];
	for (let n = 0; n < STARTS; n++) {
		fromSource.push(await startOnce(['--import', 'tsx', join(folder, 'src', 'cli.ts')]));
		packaged.push(await startOnce([join(folder, 'dist', 'cli.js')]));
	}
	return [
		atMost('start to first answer by npm run sandbox, s', median(fromSource) / 1_000, 0.5),
		note('  each start', `${spread(fromSource)} ms`),
		atMost('start to first answer of the package, s', median(packaged) / 1_000, 0.5),
		note('  each start', `${spread(packaged)} ms`),
	];
}

/** Milliseconds from starting this program to its first answer. */
async function startOnce(program: string[]): Promise<number> {
	const startedMs = performance.now();
	const child = spawn(process.execPath, [...program, '--port', '0'], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let said = '';
	for await (const chunk of child.stdout) {
		said += String(chunk);
		const url = /http:\/\/\S+:\d+/.exec(said)?.[0];
		if (!url) continue;
		await (await fetch(`${url}${PATHS.me}`)).text();
		break;
	}
	const tookMs = performance.now() - startedMs;
	child.kill('SIGKILL');
	await once(child, 'close');
	return tookMs;
}

async function sends(): Promise<Line[]> {
	const bare: number[] = [];
	const full: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		bare.push(await inOwnProcess<number>(__filename, 'bare', {}));
		full.push(await inOwnProcess<number>(__filename, 'full', {}));
	}
	return [
		atLeast('sends per second ÷ bare server', median(full.map((rate, n) => rate / bare[n]!)), 0.5),
		note('  sends per second', spread(full)),
		note('  bare server', spread(bare)),
	];
}

/** Sends per second of the server at this address, once warm; the load comes from a process of its own. */
const rateOf = async (url: string) => await inOwnProcess<number>(__filename, 'load', { url });

/** What taking the messages cost the sandbox; the result is what it answered, by status. */
type Cost = Measured<string>;

async function inbound(): Promise<Line[]> {
	const seen = new Map<string, number>();
	const receiver = createServer((request, response) => {
		let body = '';
		request.on('data', (chunk: Buffer) => (body += chunk.toString()));
		request.on('end', () => {
			response.end();
			const { id } = JSON.parse(body) as { id: string };
			seen.set(id, (seen.get(id) ?? 0) + 1);
		});
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	const { port } = receiver.address() as AddressInfo;
	const cost = await inOwnProcess<Cost>(__filename, 'inbound', {
		receiver: `http://127.0.0.1:${port}/`,
	});
	receiver.closeAllConnections();
	receiver.close();

	const received = [...seen.values()].reduce((sum, times) => sum + times, 0);
	const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
	return [
		exactly('inbound messages accepted', cost.result, JSON.stringify([['201', INBOUND]])),
		exactly('  lost', INBOUND - seen.size, 0),
		exactly('  delivered twice', received - seen.size, 0),
		note(
			'  time, the sandbox’s memory',
			`${(cost.wallMs / 1_000).toFixed(1)} s, ${megabytes(cost.peakBytes)} at most, ${megabytes(cost.peakGrowthBytes)} of them for this`,
		),
	];
}

async function pages(): Promise<Line[]> {
	const { few, many } = await inOwnProcess<{ few: number[]; many: number[] }>(
		__filename,
		'pages',
		{},
	);
	const ratios = many.map((time, n) => time / few[n]!);
	return [
		atMost('a history page out of 100,000 rows ÷ 1,000', median(ratios), 1.2),
		note('  each round', spread(ratios, 2)),
		note('  a page', `${((median(many) / PAGES) * 1_000).toFixed(0)} µs`),
	];
}

const bodiesOf = (count: number): string[] =>
	Array.from({ length: count }, (_, at) =>
		JSON.stringify({
			number: `+1555123${String(at % 1_000).padStart(4, '0')}`,
			content: `Your order ${at} is ready.`,
		}),
	);

/** A sandbox with so many inbound messages of 100 customers. */
async function withHistory(rows: number) {
	const service = createSandbox({ keyPairs: KEY_PAIRS, requestLimits: NO_REQUEST_LIMITS });
	const handles: string[] = [];
	for (let at = 0; at < rows; at++) {
		const response = await service.app.request('/sandbox/inbound', {
			method: 'POST',
			body: JSON.stringify({
				from: `+1555123${String(at % 100).padStart(4, '0')}`,
				content: `Is order ${at} ready?`,
			}),
		});
		handles.push(((await response.json()) as { message_handle: string }).message_handle);
	}
	return { service, before: handles[rows >> 1]! };
}

offer(module, {
	async bare() {
		const app = new Hono();
		app.post(PATHS.sendMessage, async (c) => {
			const { number, content } = await c.req.json<{ number: string; content: string }>();
			return c.json(
				{
					status: 'QUEUED',
					message_handle: randomUUID(),
					to: number,
					content,
					service: null,
					is_outbound: true,
					error_message: null,
					date_sent: null,
				},
				201,
			);
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
	async loadInbound({ url }: { url: string }) {
		const posts = Array.from({ length: INBOUND }, (_, at) => ({
			headers: {},
			body: JSON.stringify({
				from: `+1555123${String(at % 1_000).padStart(4, '0')}`,
				content: `Is order ${at} ready?`,
			}),
		}));
		return [...(await postMany(`${url}/sandbox/inbound`, posts, CONNECTIONS))];
	},
	async inbound({ receiver }: { receiver: string }): Promise<Cost> {
		const service = createSandbox({ keyPairs: KEY_PAIRS, requestLimits: NO_REQUEST_LIMITS });
		const served = await serve(service);
		const registration = JSON.stringify({ url: receiver, secret: 'signing', events: ['receive'] });
		await postMany(
			served.url + PATHS.webhooks,
			[{ body: registration, headers: CREDENTIAL }],
			CONNECTIONS,
		);
		const cost = await measure(async () => {
			const statuses = await inOwnProcess(__filename, 'loadInbound', { url: served.url });
			await service.settled();
			return JSON.stringify(statuses);
		});
		await served.close();
		return cost;
	},
	async pages() {
		const [few, many] = [await withHistory(1_000), await withHistory(100_000)];
		const read = async ({ service, before }: typeof few) => {
			const startedMs = performance.now();
			for (let at = 0; at < PAGES; at++) {
				const page = await service.app.request(`${PATHS.messages}?before=${before}`, {
					headers: CREDENTIAL,
				});
				await page.text();
			}
			return performance.now() - startedMs;
		};
		await read(few);
		await read(many);
		const times: { few: number[]; many: number[] } = { few: [], many: [] };
		for (let round = 0; round < PAGE_ROUNDS; round++) {
			times.few.push(await read(few));
			times.many.push(await read(many));
		}
		return times;
	},
});
