import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { NO_REQUEST_LIMITS, createSandbox, serve } from '../../sandbox/src';
import { postMany } from '../load';
import { measure, type Measured } from '../measure';
import { inOwnProcess, offer } from '../ownProcess';
import { exactly, info, type Bench, type Line } from '../table';
import { CREDENTIAL, KEY_PAIRS } from './account';
import { size } from '../size';

const INBOUND = size(10_000, 200);
const CONNECTIONS = 32;

/** Inbound messages whose events go to a receiver that answers at once. */
export const inbound: Bench = { conditions: [], run: measureInbound };

/** What the messages cost the sandbox; the result is the number of its answers by status. */
type Cost = Measured<string>;

async function measureInbound(): Promise<Line[]> {
	const received = new Map<string, number>();
	const receiver = createServer((request, response) => {
		let body = '';
		request.on('data', (chunk: Buffer) => (body += chunk.toString()));
		request.on('end', () => {
			response.end();
			const { id } = JSON.parse(body) as { id: string };
			received.set(id, (received.get(id) ?? 0) + 1);
		});
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	const { port } = receiver.address() as AddressInfo;
	const cost = await inOwnProcess<Cost>(__filename, 'inbound', {
		receiver: `http://127.0.0.1:${port}/`,
	});
	receiver.closeAllConnections();
	receiver.close();

	const deliveries = [...received.values()].reduce((sum, times) => sum + times, 0);
	const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
	return [
		exactly('inbound messages accepted', cost.result, JSON.stringify([['201', INBOUND]])),
		exactly('  lost', INBOUND - received.size, 0),
		exactly('  delivered twice', deliveries - received.size, 0),
		info(
			'  time, the sandbox’s memory',
			`${(cost.wallMs / 1_000).toFixed(1)} s, ${megabytes(cost.peakBytes)} at most, ${megabytes(cost.peakGrowthBytes)} of them for this`,
		),
	];
}

offer(module, {
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
});
