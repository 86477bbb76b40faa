import { PATHS } from '../../nodes/TwoWayMessaging/contract';
import { NO_REQUEST_LIMITS, createSandbox } from '../../sandbox/src';
import { median, spread } from '../measure';
import { inOwnProcess, offer } from '../ownProcess';
import { atMost, info, type Bench, type Line } from '../table';
import { CREDENTIAL, KEY_PAIRS } from './account';
import { size } from '../size';

const PAGES = size(300, 10);
const ROUNDS = size(25, 1);

/** A page of a long history (§4.5), compared with a page of a short one. */
export const pages: Bench = {
	conditions: [
		`history: ${PAGES} pages of 50 rows from the middle, without a port, in turns, median of ${ROUNDS} rounds`,
	],
	run: measurePages,
};

async function measurePages(): Promise<Line[]> {
	const { few, many } = await inOwnProcess<{ few: number[]; many: number[] }>(
		__filename,
		'pages',
		{},
	);
	const ratios = many.map((time, n) => time / few[n]!);
	return [
		atMost('a history page out of 100,000 rows ÷ 1,000', median(ratios), 1.2),
		info('  each round', spread(ratios, 2)),
		info('  a page', `${((median(many) / PAGES) * 1_000).toFixed(0)} µs`),
	];
}

/** Creates a sandbox with so many inbound messages of 100 customers. */
async function createHistory(rows: number) {
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
	async pages() {
		const [few, many] = [await createHistory(1_000), await createHistory(100_000)];
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
		for (let round = 0; round < ROUNDS; round++) {
			times.few.push(await read(few));
			times.many.push(await read(many));
		}
		return times;
	},
});
