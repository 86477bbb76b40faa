import { signatureHeader } from '../../sandbox/src/webhooks/signature';
import type { PostRequest } from '../../sandbox/src/webhooks/post';
import { START_MS, eventIn, newService } from './service';
import { HOUR_MS } from '../support/times';

const SECONDS = START_MS / 1000;
const [TAKEN, REFUSED] = [200, 500];

const signatures = (posted: PostRequest[]) =>
	posted.map(({ headers }) => headers['service-signature']);

type DeliveryBody = {
	id: string;
	state: string;
	next_attempt_at: string | null;
	attempts: Array<{ status: number | null; reason: string | null; by: string | null }>;
};

const log = async ({ call }: ReturnType<typeof newService>, query = '') =>
	(await call('GET', `/sandbox/deliveries${query}`)).body['deliveries'] as DeliveryBody[];

test('§2.4 an event is not signed where no secret was registered', async () => {
	for (const secret of [undefined, null, '']) {
		const { sandbox, register, text, posted } = newService();
		await register(['receive'], { secret });
		await text('Hi');
		await sandbox.settled();
		expect(signatures(posted)).toEqual([undefined]);
	}
});

/** Creates a service with one endpoint, and delivers one event to it. */
const deliverOne = async (answer: (ms: number) => number, firstRetryAfterMs = 10_000) => {
	const service = newService({ firstRetryAfterMs }, () =>
		answer(service.sandbox.clock.now() - START_MS),
	);
	await service.register(['receive'], { secret: 'whisper' });
	await service.text('Hi');
	await service.sandbox.settled();
	const [first] = await log(service);
	const again = async (as: unknown) => {
		const path = `/sandbox/deliveries/${first?.id}/redeliver`;
		const { status } = await service.call('POST', path, { as });
		await service.sandbox.settled();
		return status;
	};
	return { ...service, again };
};

describe('Delivery', () => {
	test('§3.1 §6.1 a message has one event, when the device confirms it, with the time and the ID of that', async () => {
		const { sandbox, register, send, posted } = newService({ sentAfterMs: 300 });
		await register(['outbound']);
		const sent = (await send()).body['message_handle'] as string;
		await sandbox.advance(299);
		expect(posted).toEqual([]);
		await sandbox.advance(100_000);
		const created_at = new Date(START_MS + 300).toISOString().replace('Z', '+00:00');
		expect(posted.map(eventIn)).toMatchObject([
			{ created_at, data: { message: { message_handle: `msg_${sent}` } } },
		]);
	});

	test('§4.7 §5.8 goes to who asked for the event, signed, without the credential, for five seconds', async () => {
		const { sandbox, register, text, send, posted } = newService();
		await register(['receive'], { secret: 'signing secret' });
		await text('Hi');
		await send();
		await sandbox.advance(10_000);
		const [request, ...others] = posted;
		expect(others).toEqual([]);
		expect(eventIn(request)).toMatchObject({ type: 'receive' });
		expect(request).toMatchObject({ url: 'https://receiver.example/hook', timeoutMs: 5_000 });
		expect(Object.keys(request!.headers).sort()).toEqual(['content-type', 'service-signature']);
	});

	test.each([
		...[200, 202, 299].map((status) => [status, 'delivered', []] as const),
		...[301, 400, 410, 503].map(
			(status) =>
				[status, 'failed', [10_000, 100_000, 1_000_000, 10_000_000, 12 * HOUR_MS]] as const,
		),
	])('§6.4 an event that is answered %i is %s, with attempts after %j ms', async (...given) => {
		const [status, state, gaps] = given;
		const at: number[] = [];
		const service = await deliverOne((ms) => {
			at.push(ms);
			return status;
		});
		await service.sandbox.advance(72 * HOUR_MS);
		expect(at.slice(1).map((ms, n) => ms - at[n]!)).toEqual(gaps);
		expect(await log(service)).toMatchObject([{ state, next_attempt_at: null }]);
	});

	test('§6.4 repeats the same event, signed with the attempt’s own time, until it is taken', async () => {
		let failures = 1;
		const service = await deliverOne(() => (failures-- > 0 ? REFUSED : TAKEN));
		await service.sandbox.advance(72 * HOUR_MS);
		expect(new Set(service.posted.map(({ body }) => body)).size).toBe(1);
		expect(signatures(service.posted)).toEqual(
			[SECONDS, SECONDS + 10].map((t) => signatureHeader('whisper', service.posted[0]!.body, t)),
		);
		expect(await log(service)).toMatchObject([{ state: 'delivered' }]);
	});

	test('says in the log why a receiver cannot be reached', async () => {
		const reason = 'the connection was refused';
		const service = await deliverOne(() => {
			throw new Error(reason);
		});
		expect((await log(service))[0]?.attempts).toMatchObject([{ status: null, reason }]);
	});
});

describe('Disabling an endpoint', () => {
	test.each([
		['gets nothing after ten failures, not even retries', 'refuses 13, hours 72', 10],
		['counts no success against its failures', 'refuses 9, takes 5, refuses 1, takes 1', 15],
		['counts a retry that fails', 'refuses 5, hours 1, refuses 1', 10],
		[
			'gets new events, and no dropped one, after a registration',
			'refuses 12, registers 1, takes 1, hours 72, refuses 11',
			21,
		],
	])('§3.3 an endpoint %s: %s', async (_, scene, times) => {
		let answer = REFUSED;
		const service = newService({ firstRetryAfterMs: HOUR_MS }, () => answer);
		await service.register(['receive']);
		for (const step of scene.split(', ')) {
			const [act, count] = step.split(' ') as [string, string];
			if (act === 'hours') await service.sandbox.advance(Number(count) * HOUR_MS);
			if (act === 'registers') await service.register(['receive']);
			if (!['takes', 'refuses'].includes(act)) continue;
			answer = act === 'takes' ? TAKEN : REFUSED;
			for (let n = 0; n < Number(count); n++) {
				await service.text('Hi');
				await service.sandbox.settled();
			}
		}
		expect(service.posted).toHaveLength(times);
	});

	test('§3.3 drops what was on its way to it, changes no other, and the history has every message', async () => {
		const service = newService({}, ({ url }) => (url.endsWith('/bad') ? REFUSED : TAKEN));
		await service.register(['receive'], { url: 'https://receiver.example/bad' });
		await service.register(['receive'], { url: 'https://receiver.example/good' });
		for (let n = 0; n < 12; n++) {
			await service.text('Hi');
			await service.sandbox.settled();
		}
		const sent = (end: string) => service.posted.filter(({ url }) => url.endsWith(end)).length;
		expect([sent('/bad'), sent('/good')]).toEqual([10, 12]);
		const states = (await log(service)).map(({ state }) => state);
		expect(states.sort()).toEqual([...Array(12).fill('delivered'), ...Array(12).fill('dropped')]);
		expect((await service.call('GET', '/sandbox/state')).body['webhooks']).toMatchObject([
			{ status: 'disabled', failures: 10 },
			{ status: 'enabled', failures: 0 },
		]);
		expect(await service.rows()).toHaveLength(12);
	});
});

describe('Delivering again by hand', () => {
	test.each([
		['same', 0],
		['old-timestamp', -3_600],
	])('§6.4 as `%s` keeps the event’s ID and signs it again, %i s off', async (as, seconds) => {
		const { sandbox, again, posted } = await deliverOne(() => TAKEN);
		await sandbox.advance(60_000);
		expect(await again(as)).toBe(202);
		expect(posted[1]?.body).toBe(posted[0]?.body);
		const t = SECONDS + 60 + seconds;
		expect(signatures(posted)[1]).toBe(signatureHeader('whisper', posted[0]!.body, t));
	});

	test('§6.4 `broken-signature` has an invalid signature in the right form', async () => {
		const { again, posted, call } = await deliverOne(() => TAKEN);
		await again('broken-signature');
		expect(signatures(posted)[1]).toMatch(new RegExp(`^t=${SECONDS},v1=[0-9a-f]{64}$`));
		expect(signatures(posted)[1]).not.toBe(signatures(posted)[0]);
		expect(await again('backwards')).toBe(422);
		const unknown = await call('POST', '/sandbox/deliveries/none/redeliver', { as: 'same' });
		expect(unknown.status).toBe(404);
	});

	test('does not count as a failure and is not retried', async () => {
		const service = await deliverOne(() => 401, HOUR_MS);
		for (let n = 0; n < 15; n++) await service.again('broken-signature');
		const [webhook] = (await service.call('GET', '/sandbox/state')).body['webhooks'] as object[];
		expect(webhook).toMatchObject({ status: 'enabled', failures: 1 });
		expect((await log(service))[0]?.attempts).toHaveLength(16);
	});
});

test('the log of deliveries pages with `limit` and `before`, and keeps a limited number', async () => {
	const service = newService({ deliveryLogSize: 5 });
	await service.register(['receive']);
	for (let n = 0; n < 8; n++) await service.text(`event ${n}`);
	await service.sandbox.settled();
	expect(service.posted).toHaveLength(8);
	const all = (await log(service)).map(({ id }) => id);
	expect(all).toHaveLength(5);
	const first = (await log(service, '?limit=2')).map(({ id }) => id);
	const rest = (await log(service, `?limit=9&before=${first[1]}`)).map(({ id }) => id);
	expect([...first, ...rest]).toEqual(all);
});
