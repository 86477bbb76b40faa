import fc from 'fast-check';
import { Clock, NO_REQUEST_LIMITS } from '../../sandbox/src';
import { END_OF_TIME_MS } from '../../sandbox/src/clock';
import { Timeline, type Work } from '../../sandbox/src/timeline';
import { CONTACT, START_MS, newService } from './service';

const HOUR_MS = 3_600_000;
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

	test('runs a timer that another timer sets on the way, at its own time', async () => {
		const { clock, timeline } = stopped();
		const ran: number[] = [];
		const again = () => {
			ran.push(clock.now());
			timeline.after(10, again);
		};
		timeline.after(10, again);
		await timeline.advance(35, NO_WORK);
		expect(ran).toEqual([10, 20, 30]);
		expect(clock.now()).toBe(35);
	});

	test('does not run a timer that was cancelled', async () => {
		const { timeline } = stopped();
		let ran = false;
		timeline.after(5, () => {
			ran = true;
		})();
		await timeline.advance(10, NO_WORK);
		expect(ran).toBe(false);
	});

	test('waits on the way until what has started ends, so that it can set its next timer', async () => {
		const { clock, timeline } = stopped();
		const ran: number[] = [];
		let pending = Promise.resolve();
		timeline.after(10, () => {
			pending = new Promise((resolve) => setImmediate(resolve)).then(() => {
				timeline.after(10, () => ran.push(clock.now()), true);
			});
		});
		await timeline.advance(100, { isBusy: false, ended: async () => await pending });
		expect(ran).toEqual([20]);
	});

	test('advances twice in a row when it is told so twice at once', async () => {
		const { clock, timeline } = stopped();
		await Promise.all([timeline.advance(10, NO_WORK), timeline.advance(10, NO_WORK)]);
		expect(clock.now()).toBe(20);
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

	test('fires by itself also what an advance has brought near, and what is set after that', async () => {
		const timeline = new Timeline(Clock.running());
		const ran: string[] = [];
		timeline.after(HOUR_MS, () => ran.push('was there'));
		await timeline.advance(HOUR_MS - 20, NO_WORK);
		await new Promise<void>((resolve) => {
			timeline.after(60, () => {
				ran.push('set later');
				resolve();
			});
			setTimeout(resolve, 2_000).unref();
		});
		expect(ran).toEqual(['was there', 'set later']);
	});

	test('fires an earlier timer first, even if it was set later', async () => {
		const timeline = new Timeline(Clock.running());
		const ran: string[] = [];
		timeline.after(3_600_000, () => ran.push('in an hour'));
		await new Promise<void>((resolve) =>
			timeline.after(1, () => {
				ran.push('now');
				resolve();
			}),
		);
		expect(ran).toEqual(['now']);
		timeline.close();
	});

	test('runs nothing any more once it is closed, also what is set afterwards', async () => {
		const clock = Clock.stopped(0);
		const timeline = new Timeline(clock);
		const ran: string[] = [];
		timeline.after(5, () => ran.push('before'));
		timeline.close();
		timeline.after(5, () => ran.push('after'));
		expect(await timeline.advance(10, NO_WORK)).toBe(false);
		expect([ran, clock.now()]).toEqual([[], 0]);
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

	test('ends the advances that waited for their turn, too', async () => {
		const { call, sandbox, answer, advanced } = await hangOnTheWay();
		const next = call('POST', '/sandbox/clock', { advance_seconds: 60 });
		await new Promise((resolve) => setImmediate(resolve));
		await call('POST', '/sandbox/reset');
		answer();
		expect([(await advanced).status, (await next).status]).toEqual([409, 409]);
		expect(sandbox.clock.now()).toBe(START_MS);
	});

	test('lets the time of the new world pass by its own timers alone', async () => {
		const { call, send, rows, sandbox, answer, advanced } = await hangOnTheWay();
		await call('POST', '/sandbox/reset');
		await send({ content: 'In the new world' });
		answer();
		await advanced;
		await sandbox.advance(5_000);
		expect(sandbox.clock.now()).toBe(START_MS + 5_000);
		expect(await rows()).toMatchObject([{ content: 'In the new world', status: 'DELIVERED' }]);
	});
});

describe('Under steady traffic', () => {
	test('an advance ends, what was there before happens at its own time, and nothing is lost', async () => {
		const { sandbox, call, register, send, text, rows } = newService(
			{ requestLimits: NO_REQUEST_LIMITS },
			async () => {
				await new Promise((resolve) => setTimeout(resolve, 5));
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

describe('The end of time', () => {
	const end = new Date(END_OF_TIME_MS).toISOString();

	test('is the year 9999: more is refused, and nothing ends', async () => {
		const { sandbox, call, send, rows } = newService();
		const answer = await call('POST', '/sandbox/clock', { advance_seconds: 8_000 * 366 * 86_400 });
		expect([answer.status, answer.body['message']]).toEqual([
			422,
			'Sandbox time ends with the year 9999.',
		]);
		await expect(sandbox.advance(Number.MAX_SAFE_INTEGER)).rejects.toThrow(RangeError);
		expect(sandbox.clock.now()).toBe(START_MS);
		await send();
		await sandbox.advance(1_000);
		expect(await rows()).toMatchObject([{ status: 'SENT' }]);
	});

	test('is refused also for two advances that lead there together', async () => {
		const { call } = newService();
		const body = { advance_seconds: Math.floor((END_OF_TIME_MS - START_MS) / 1_000 / 2) + 60 };
		const both = [call('POST', '/sandbox/clock', body), call('POST', '/sandbox/clock', body)];
		expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 422]);
	});

	test('is a moment at which time stands still, and every answer has a date', async () => {
		const { sandbox, call, text, send, rows } = newService({
			clock: Clock.stopped(END_OF_TIME_MS + 5),
		});
		expect(sandbox.clock.now()).toBe(END_OF_TIME_MS);
		expect((await text('Hi')).status).toBe('RECEIVED');
		expect((await send()).status).toBe(201);
		await call('GET', `/lookup?number=${encodeURIComponent(CONTACT)}`);
		expect((await call('POST', '/sandbox/clock', { advance_seconds: 1 })).status).toBe(422);
		expect((await call('GET', '/sandbox/state')).body['now']).toBe(end);
		expect(await rows()).toMatchObject([{ status: 'QUEUED' }, { date_sent: end }]);
	});
});
