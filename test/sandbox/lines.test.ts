import { CONTACT, FRONT_DESK, START_MS, SUPPORT, newService } from './service';
import { HOUR_MS } from '../support/times';

const [ONE, TWO, THREE] = ['+15552000001', '+15552000002', '+15552000003'] as const;

type Limit = { limit: number; remaining: number };
type LineBody = Record<string, unknown> & { limits: { hourly: Limit; daily: Limit } };

const frontDesk = async ({ call }: ReturnType<typeof newService>) =>
	((await call('GET', '/v1/lines')).body['lines'] as LineBody[])[0]!;

test('§4.3 §2.3 §3.2 GET /v1/lines has every line with its fields, also while it is blocked', async () => {
	const service = newService();
	const line = {
		...{ line_handle: FRONT_DESK, number: '+15550100001', label: 'Front desk', is_active: true },
		...{ blocked_at: null, block_reason: null },
		limits: { hourly: { limit: 50, remaining: 50 }, daily: { limit: 200, remaining: 200 } },
	};
	const { status, body } = await service.call('GET', '/v1/lines');
	expect([status, body['status']]).toEqual([200, 'ok']);
	expect(body['lines']).toEqual([line, expect.objectContaining({ line_handle: SUPPORT })]);
	await service.block({ reason: 'Spam reports' });
	const blocked = { blocked_at: new Date(START_MS).toISOString(), block_reason: 'Spam reports' };
	expect(await frontDesk(service)).toEqual({ ...line, ...blocked });
	await service.call('POST', `/sandbox/lines/${FRONT_DESK}/unblock`);
	expect(await frontDesk(service)).toEqual(line);
});

test('§3.2 blocking a blocked line, or unblocking another, answers 409 and sends no event', async () => {
	const { sandbox, call, register, posted } = newService();
	await register(['line_blocked', 'line_unblocked']);
	const statuses: number[] = [];
	for (const act of ['unblock', 'block', 'block']) {
		statuses.push((await call('POST', `/sandbox/lines/${FRONT_DESK}/${act}`, {})).status);
	}
	expect(statuses).toEqual([409, 200, 409]);
	await sandbox.settled();
	expect(posted).toHaveLength(1);
});

test('assumption (§3.1): a message that is queued when its line is blocked ends in ERROR', async () => {
	const service = newService();
	await service.send({ line_handle: FRONT_DESK });
	await service.block();
	await service.sandbox.advance(10_000);
	const failed = { status: 'ERROR', error_message: 'Line is blocked' };
	expect(await service.rows()).toMatchObject([failed]);
});

describe('Line limits', () => {
	/** Creates a service that sends from the front desk, which may start so many conversations, to these numbers. */
	const limited = async (hourly: number, daily: number, ...numbers: string[]) => {
		const service = newService();
		await service.call('PATCH', `/sandbox/lines/${FRONT_DESK}`, { limits: { hourly, daily } });
		for (const to of numbers) {
			// Never 429, however many there are.
			const { status } = await service.send({ number: to, line_handle: FRONT_DESK });
			expect(status).toBe(201);
		}
		/** The numbers that are not texted yet, after so long. */
		const waiting = async (ms: number) => {
			await service.sandbox.advance(ms);
			const rows = (await service.rows()).filter((row) => row.is_outbound).reverse();
			return rows.filter(({ status }) => status !== 'DELIVERED').map(({ to }) => to);
		};
		return { ...service, waiting };
	};

	test('§8.2 a new conversation counts once in both limits, and its further messages do not count', async () => {
		expect((await frontDesk(await limited(5, 9, ONE, ONE, TWO))).limits).toEqual({
			hourly: { limit: 5, remaining: 3 },
			daily: { limit: 9, remaining: 7 },
		});
	});

	test('§8.2 sends beyond the limit wait, and are sent as the hours pass, in their order', async () => {
		const { waiting } = await limited(1, 9, ONE, TWO, THREE);
		expect(await waiting(HOUR_MS - 1)).toEqual([TWO, THREE]);
		expect(await waiting(10_000)).toEqual([THREE]);
		expect(await waiting(HOUR_MS)).toEqual([]);
	});

	test('§8.2 the daily limit still applies when the hour is over', async () => {
		const { waiting } = await limited(9, 1, ONE, TWO);
		expect(await waiting(23 * HOUR_MS)).toEqual([TWO]);
		expect(await waiting(HOUR_MS + 10_000)).toEqual([]);
	});

	test('§1.8 a conversation that the contact starts does not count, and one that waits is sent at once', async () => {
		const { text, send, waiting } = await limited(0, 0, CONTACT, TWO);
		await text('Hi', { to: '+15550100001' });
		await text('Hi', { from: THREE, to: '+15550100001' });
		await send({ number: THREE, line_handle: FRONT_DESK });
		expect(await waiting(10_000)).toEqual([TWO]);
	});

	test('§1.7 a send that names no line uses one whose limit is not used up', async () => {
		const { send, rows } = await limited(0, 9);
		await send({ number: ONE });
		expect((await rows())[0]).toMatchObject({ line_handle: SUPPORT });
	});
});
