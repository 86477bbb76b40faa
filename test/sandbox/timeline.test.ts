import fc from 'fast-check';
import { Clock, NO_REQUEST_LIMITS } from '../../sandbox/src';
import { Timeline, type Work } from '../../sandbox/src/timeline';
import { START_MS, newService } from './service';
import { HOUR_MS } from '../support/times';

const NO_WORK: Work = { isBusy: false, ended: async () => {} };

/** A timeline with a clock that stands at 0. */
const stopped = () => {
	const clock = Clock.stopped(0);
	return { clock, timeline: new Timeline(clock) };
};

describe('The timeline', () => {
	test('runs timers in the order of their time, and two of the same time in the order in which they were set', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 60 }), async (delays) => {
				const { clock, timeline } = stopped();
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

describe('A reset while time is advanced', () => {
	/** A service that is advancing twelve hours, and hangs on the way because a receiver does not answer. */
	const hangOnTheWay = async () => {
		let answer = () => {};
		const service = newService({ clock: Clock.stopped(START_MS) }, async () => {
			await new Promise<void>((resolve) => {
				answer = resolve;
			});
			return { status: 200, excerpt: '' };
		});
		await service.register(['outbound']);
		await service.send();
		const advanced = service.call('POST', '/sandbox/clock', { advance_seconds: 43_200 });
		while (service.posted.length === 0) await new Promise((resolve) => setImmediate(resolve));
		return { ...service, advanced, answer: () => answer() };
	};

	test('leaves the new world in the present', async () => {
		const { call, sandbox, answer, advanced } = await hangOnTheWay();
		await call('POST', '/sandbox/reset');
		answer();
		const { status, body } = await advanced;
		expect([status, body]).toEqual([
			409,
			{ message: 'The sandbox was reset while its time passed.' },
		]);
		expect(sandbox.clock.now()).toBe(START_MS);
	});
});

describe('Under steady traffic', () => {
	test('an advance ends, what was there before happens at its own time, and nothing is lost', async () => {
		const { sandbox, call, register, send, text, rows } = newService(
			{ requestLimits: NO_REQUEST_LIMITS },
			async () => {
				await new Promise((resolve) => setImmediate(resolve));
				return { status: 200, excerpt: '' };
			},
		);
		await register(['receive', 'outbound']);
		await text('Hi');
		const first = (await send({ content: 'before' })).body['message_handle'];
		let isOver = false;
		const steady = Array.from({ length: 4 }, async () => {
			let count = 0;
			while (!isOver) {
				count += 1;
				await text('Hi');
				await send();
				await new Promise((resolve) => setTimeout(resolve, 1));
			}
			return count;
		});
		const answer = await call('POST', '/sandbox/clock', { advance_seconds: 43_200 });
		isOver = true;
		const counts = await Promise.all(steady);
		expect(answer.status).toBe(200);
		expect(sandbox.clock.now()).toBe(START_MS + 12 * HOUR_MS);
		await sandbox.advance(HOUR_MS);
		const all: Array<{ status: string; message_handle: string }> = [];
		for (let page = await rows('?limit=500'); page.length > 0;) {
			all.push(...page);
			page = await rows(`?limit=500&before=${all.at(-1)!.message_handle}`);
		}
		const sent = 2 + 2 * counts.reduce((sum, count) => sum + count, 0);
		expect(all).toHaveLength(sent);
		expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['RECEIVED', 'DELIVERED']));
		expect(all.find(({ message_handle: handle }) => handle === first)).toMatchObject({
			date_sent: new Date(START_MS + 300).toISOString(),
		});
	}, 20_000);
});
