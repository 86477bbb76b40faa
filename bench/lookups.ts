import type { IDataObject } from 'n8n-workflow';
import { PATHS } from '../nodes/TwoWayMessaging/contract';
import { REQUEST_LIMITS } from '../sandbox/src/serviceFacts';
import { runAction, startN8n, type Account } from './n8n';
import { inOwnProcess, offer } from './ownProcess';
import { startService } from './service';
import { exactly, info, type Bench } from './table';
import { size } from './size';

const LOOK_UPS = size(1_000, 10);
const NUMBERS = size(50, 5);
const WINDOW_MS = 5_000;

/**
 * Looks up 1,000 items with 50 distinct numbers, under the limit of 20 look-ups in a window (§8.1), which is shortened
 * to 5 s. A request counts unless the service answers 429. The service knows the result of every number at once here: it
 * would be asked again until a live check (§4.6) ends.
 */
export const lookups: Bench = {
	conditions: [`${REQUEST_LIMITS.lookup} look-ups per ${WINDOW_MS / 1_000} s; one run`],
	async run() {
		const service = await startService({ windowMs: WINDOW_MS, lookupAfterMs: 0 });
		const found = await inOwnProcess<Found>(__filename, 'n8n', service.account);
		await service.close();
		const asked = service.answered.filter(({ path }) => path === PATHS.lookup);
		const refused = asked.filter(({ status }) => status === 429).length;
		return [
			exactly(`${LOOK_UPS} look-ups: requests that count`, asked.length - refused, NUMBERS),
			exactly('items that say the service of their number', found.items, LOOK_UPS),
			info('  time, 429', `${(found.wallMs / 1_000).toFixed(1)} s, ${refused}`),
		];
	},
};

type Found = { items: number; wallMs: number };

const items: IDataObject[] = Array.from({ length: LOOK_UPS }, (_, at) => ({
	number: `+1555123${String(at % NUMBERS).padStart(4, '0')}`,
}));

offer(module, {
	async n8n(account: Account): Promise<Found> {
		const startedMs = performance.now();
		const looked = await runAction(
			startN8n(account),
			{ resource: 'number', operation: 'lookup', number: '={{ $json.number }}' },
			items,
		);
		const right = looked.filter(
			({ number, service }, at) => number === items[at]?.number && service === 'iMessage',
		);
		return { items: right.length, wallMs: performance.now() - startedMs };
	},
});
