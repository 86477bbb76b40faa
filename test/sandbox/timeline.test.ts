import fc from 'fast-check';
import { Clock, NO_REQUEST_LIMITS } from '../../sandbox/src';
import { Timeline, type Work } from '../../sandbox/src/timeline';
import { START_MS, newService } from './service';
import { HOUR_MS } from '../support/times';
import { turns } from '../support/turns';

const NO_WORK: Work = { isBusy: false, ended: async () => {} };

describe('The timeline', () => {
	test('runs timers in the order of their time, and two of the same time in the order in which they were set', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 60 }), async (delays) => {
				const clock = Clock.stopped(0);
				const timeline = new Timeline(clock);
				const ran: Array<[number, number]> = [];
				delays.forEach((delay, n) => timeline.after(delay, () => ran.push([clock.now(), n])));
				await timeline.advance(20, NO_WORK);
				const expected = delays
					.map((delay, n): [number, number] => [delay, n])
					.sort(([a, m], [b, n]) => a - b || m - n);
				expect(ran).toEqual(expected);
			}),
		);
	});

	test('fires by itself while its clock runs, and leaves the receivers’ time alone when it is advanced', async () => {
		const clock = Clock.running();
		const timeline = new Timeline(clock);
		await new Promise<void>((resolve) => timeline.after(1, resolve));
		await timeline.advance(43_200_000, NO_WORK);
		expect(clock.now() - Date.now()).toBeGreaterThan(43_199_000);
		expect(Math.abs(clock.receiverNow() - Date.now())).toBeLessThan(1_000);
		timeline.close();
	});
});

test('A reset while time is advanced leaves the new world in the present', async () => {
	let answer = () => {};
	const { register, send, call, posted, sandbox } = newService({}, async () => {
		await new Promise<void>((resolve) => (answer = resolve));
		return 200;
	});
	await register(['outbound']);
	await send();
	const advanced = call('POST', '/sandbox/clock', { advance_seconds: 43_200 });
	while (posted.length === 0) await turns(1);
	await call('POST', '/sandbox/reset');
	answer();
	const { status, body } = await advanced;
	const message = 'The sandbox was reset while its time passed.';
	expect([status, body]).toEqual([409, { message }]);
	expect(sandbox.clock.now()).toBe(START_MS);
});

test('Under steady traffic an advance ends, and what there was and what comes happens in its time', async () => {
	const unlimited = { requestLimits: NO_REQUEST_LIMITS };
	const { sandbox, call, register, send, text, rows } = newService(unlimited, async () => {
		await turns(1);
		return 200;
	});
	await register(['receive', 'outbound']);
	await text('Hi');
	await send({ content: 'before' });
	let isOver = false;
	let count = 2;
	const steady = Array.from({ length: 4 }, async () => {
		while (!isOver) {
			count += 2;
			await text('Hi');
			await send();
			await new Promise((resolve) => setTimeout(resolve, 1));
		}
	});
	const answer = await call('POST', '/sandbox/clock', { advance_seconds: 43_200 });
	isOver = true;
	await Promise.all(steady);
	expect(answer.status).toBe(200);
	expect(sandbox.clock.now()).toBe(START_MS + 12 * HOUR_MS);
	await sandbox.advance(HOUR_MS);
	expect((await call('GET', '/sandbox/state')).body['counts']).toMatchObject({ messages: count });
	expect(await rows('?status=QUEUED')).toEqual([]);
	expect(await rows('?contains=before')).toMatchObject([
		{ status: 'DELIVERED', date_sent: new Date(START_MS + 300).toISOString() },
	]);
}, 20_000);
