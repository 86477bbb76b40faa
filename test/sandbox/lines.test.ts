import { CHARACTER_NAMES } from '../../sandbox/src';
import { BEHIND_MS, CONTACT, FRONT_DESK, START_MS, SUPPORT, serviceOf } from './service';

describe.each(CHARACTER_NAMES)('A service that is %s', (character) => {
	const newService = serviceOf(character);

	const HOUR_MS = 3_600_000;
	const number = (n: number) => `+1555200${String(n).padStart(4, '0')}`;

	type LineBody = {
		line_handle: string;
		blocked_at: string | null;
		block_reason: string | null;
		limits: {
			hourly: { limit: number; remaining: number };
			daily: { limit: number; remaining: number };
		};
	};

	const lineOf = async ({ call }: ReturnType<typeof newService>, handle = FRONT_DESK) => {
		const lines = (await call('GET', '/v1/lines')).body['lines'] as LineBody[];
		return lines.find((line) => line.line_handle === handle);
	};

	describe('GET /v1/lines', () => {
		test('§4.3 §2.3 answers status ok and every line with its fields', async () => {
			const { call } = newService();
			const answer = await call('GET', '/v1/lines');
			expect(answer.status).toBe(200);
			expect(answer.body['status']).toBe('ok');
			expect((answer.body['lines'] as unknown[])[0]).toEqual({
				line_handle: FRONT_DESK,
				number: '+15550100001',
				label: 'Front desk',
				is_active: true,
				blocked_at: null,
				block_reason: null,
				limits: { hourly: { limit: 50, remaining: 50 }, daily: { limit: 200, remaining: 200 } },
			});
		});
	});

	describe('Line states', () => {
		test('§3.2 a block sets its time and reason, and unblocking clears both', async () => {
			const service = newService();
			await service.call('POST', `/sandbox/lines/${FRONT_DESK}/block`, { reason: 'Spam reports' });
			expect(await lineOf(service)).toMatchObject({
				is_active: true,
				blocked_at: new Date(START_MS - BEHIND_MS[character]).toISOString(),
				block_reason: 'Spam reports',
			});
			await service.call('POST', `/sandbox/lines/${FRONT_DESK}/unblock`);
			expect(await lineOf(service)).toMatchObject({ blocked_at: null, block_reason: null });
		});

		test('§3.2 blocking a blocked line, or unblocking another, answers 409 and sends no event', async () => {
			const { sandbox, call, register, posted } = newService();
			await register(['line_blocked', 'line_unblocked']);
			expect((await call('POST', `/sandbox/lines/${FRONT_DESK}/unblock`)).status).toBe(409);
			await call('POST', `/sandbox/lines/${FRONT_DESK}/block`, {});
			expect((await call('POST', `/sandbox/lines/${FRONT_DESK}/block`, {})).status).toBe(409);
			await sandbox.settled();
			expect(posted).toHaveLength(1);
		});

		test('assumption (§3.1): a message that is queued when its line is blocked ends in ERROR', async () => {
			const service = newService();
			await service.send({ line_handle: FRONT_DESK });
			await service.call('POST', `/sandbox/lines/${FRONT_DESK}/block`, {});
			await service.sandbox.advance(10_000);
			expect(await service.rows()).toMatchObject([
				{ status: 'ERROR', error_message: 'Line is blocked' },
			]);
		});
	});

	describe('Line limits', () => {
		/** Creates a service that sends from the front desk, which may start so many conversations. */
		const limited = async (hourly: number, daily: number) => {
			const service = newService();
			await service.call('PATCH', `/sandbox/lines/${FRONT_DESK}`, { limits: { hourly, daily } });
			const sendTo = async (to: string) =>
				await service.send({ number: to, line_handle: FRONT_DESK });
			const states = async () =>
				Object.fromEntries((await service.rows()).map((row) => [row.to, row.status]));
			return { ...service, sendTo, states };
		};

		test('§8.2 a new conversation counts once in both limits, and its further messages do not count', async () => {
			const service = await limited(5, 9);
			await service.sendTo(number(1));
			await service.sendTo(number(1));
			await service.sendTo(number(2));
			expect((await lineOf(service))?.limits).toEqual({
				hourly: { limit: 5, remaining: 3 },
				daily: { limit: 9, remaining: 7 },
			});
		});

		test('§1.8 a conversation that the contact started does not count', async () => {
			const service = await limited(0, 0);
			await service.text('Hi', { to: '+15550100001' });
			await service.sendTo(CONTACT);
			await service.sandbox.advance(10_000);
			expect(await service.states()).toMatchObject({ [CONTACT]: 'DELIVERED' });
		});

		test('§8.2 sends beyond the limit are accepted and wait, and are never answered 429', async () => {
			const service = await limited(1, 9);
			expect((await service.sendTo(number(1))).status).toBe(201);
			expect((await service.sendTo(number(2))).status).toBe(201);
			await service.sandbox.advance(HOUR_MS - 1);
			expect(await service.states()).toEqual({ [number(1)]: 'DELIVERED', [number(2)]: 'QUEUED' });
		});

		test('§8.2 waiting messages are sent as the hours pass, in their order', async () => {
			const service = await limited(1, 9);
			for (const n of [1, 2, 3]) await service.sendTo(number(n));
			await service.sandbox.advance(HOUR_MS + 10_000);
			expect(await service.states()).toEqual({
				[number(1)]: 'DELIVERED',
				[number(2)]: 'DELIVERED',
				[number(3)]: 'QUEUED',
			});
			await service.sandbox.advance(HOUR_MS);
			expect((await service.states())[number(3)]).toBe('DELIVERED');
		});

		test('§8.2 the daily limit still applies when the hour is over', async () => {
			const service = await limited(9, 1);
			for (const n of [1, 2]) await service.sendTo(number(n));
			await service.sandbox.advance(23 * HOUR_MS);
			expect((await service.states())[number(2)]).toBe('QUEUED');
			await service.sandbox.advance(HOUR_MS + 10_000);
			expect((await service.states())[number(2)]).toBe('DELIVERED');
		});

		test('§1.8 a waiting message is sent at once when its contact writes, and the others still wait', async () => {
			const service = await limited(0, 9);
			await service.sendTo(CONTACT);
			await service.sendTo(number(2));
			await service.text('Hi', { to: '+15550100001' });
			await service.sandbox.advance(10_000);
			expect(await service.states()).toMatchObject({
				[CONTACT]: 'DELIVERED',
				[number(2)]: 'QUEUED',
			});
		});

		test('§1.7 a send that names no line uses one whose limit is not used up', async () => {
			const service = await limited(0, 9);
			await service.send({ number: number(1) });
			expect((await service.rows())[0]).toMatchObject({ line_handle: SUPPORT });
		});
	});
});
