import { signatureHeader } from '../../sandbox/src/webhooks/signature';
import type { PostRequest } from '../../sandbox/src/webhooks/post';
import { START_MS, newService } from './service';
import { HOUR_MS } from '../support/times';

const SECONDS = START_MS / 1000;

const refuse = () => ({ status: 500, excerpt: 'no' });

const signatures = (posted: PostRequest[]) =>
	posted.map(({ headers }) => headers['service-signature']);

type DeliveryBody = {
	id: string;
	event_id: string;
	state: string;
	next_attempt_at: string | null;
	attempts: Array<{ status: number | null; reason: string | null; by: string | null }>;
};

const log = async ({ call }: ReturnType<typeof newService>, query = '') =>
	(await call('GET', `/sandbox/deliveries${query}`)).body['deliveries'] as DeliveryBody[];

describe('Signature', () => {
	test('§6.4 is the same as openssl’s for the same text', () => {
		// printf '%s' '1700000000.{"id":…}' | openssl dgst -sha256 -hmac 'signing secret'
		const body = '{"id":"evt_1","data":{"message":{"text":"Grüße 👋"}}}';
		expect(signatureHeader('signing secret', body, 1_700_000_000)).toBe(
			't=1700000000,v1=ac0628bd4a88e4c5102d041725c649b6f2b226175acc10005e128c69ea31f8a6',
		);
	});

	test.each([[undefined], [null], ['']])(
		'§2.4 an event is not signed when the secret is %p',
		async (secret) => {
			const { sandbox, register, text, posted } = newService();
			await register(['receive'], { secret });
			await text('Hi');
			await sandbox.settled();
			expect(signatures(posted)).toEqual([undefined]);
		},
	);
});

describe('Delivery', () => {
	/** Creates a service with one endpoint, and delivers one event to it. */
	const deliverOne = async (
		answer: (request: PostRequest) => { status: number; excerpt: string },
	) => {
		const service = newService({ firstRetryAfterMs: 10_000 }, answer);
		await service.register(['receive'], { secret: 'whisper' });
		await service.text('Hi');
		await service.sandbox.settled();
		return service;
	};

	test('§5.8 §6.4 an event has a signature and not the credential’s headers, and five seconds for its answer', async () => {
		const { register, text, posted } = newService();
		await register(['receive'], { secret: 'signing secret' });
		await text('Hi');
		expect(Object.keys(posted[0]!.headers).sort()).toEqual(['content-type', 'service-signature']);
		expect(posted[0]!.timeoutMs).toBe(5_000);
	});

	test.each([
		...[200, 201, 202, 204, 299].map((status) => [status, 1, 'delivered'] as const),
		...[301, 302, 400, 401, 404, 410, 500, 503].map((status) => [status, 6, 'failed'] as const),
	])(
		'§6.4 an event that is answered %i is posted %i times, and then %s',
		async (status, times, state) => {
			const service = await deliverOne(() => ({ status, excerpt: '' }));
			await service.sandbox.advance(72 * HOUR_MS);
			expect(service.posted).toHaveLength(times);
			expect((await log(service))[0]?.state).toBe(state);
		},
	);

	test('§6.4 makes six attempts, with gaps that grow exponentially up to 12 hours', async () => {
		const at: number[] = [];
		const service = newService({ firstRetryAfterMs: 10_000 }, () => {
			at.push(service.sandbox.clock.now() - START_MS);
			return refuse();
		});
		await service.register(['receive']);
		await service.text('Hi');
		await service.sandbox.advance(72 * HOUR_MS);
		const gaps = at.map((ms, n) => (n === 0 ? 0 : ms - (at[n - 1] ?? 0)));
		expect(gaps).toEqual([0, 10_000, 100_000, 1_000_000, 10_000_000, 12 * HOUR_MS]);
		expect((await log(service))[0]).toMatchObject({ state: 'failed', next_attempt_at: null });
	});

	test('§6.4 every attempt carries the same event, signed with the attempt’s own time', async () => {
		const service = await deliverOne(refuse);
		await service.sandbox.advance(10_000);
		expect(new Set(service.posted.map(({ body }) => body)).size).toBe(1);
		expect(signatures(service.posted)).toEqual(
			[SECONDS, SECONDS + 10].map((t) => signatureHeader('whisper', service.posted[0]!.body, t)),
		);
	});

	test('§6.4 ends with the first attempt that succeeds', async () => {
		let failures = 2;
		const service = await deliverOne(() =>
			failures-- > 0 ? refuse() : { status: 204, excerpt: '' },
		);
		await service.sandbox.advance(72 * HOUR_MS);
		expect(service.posted).toHaveLength(3);
		expect((await log(service))[0]?.state).toBe('delivered');
	});

	test('says in the log why a receiver cannot be reached', async () => {
		const service = await deliverOne(() => {
			throw new Error('the connection was refused');
		});
		expect((await log(service))[0]?.attempts).toMatchObject([
			{ status: null, reason: 'the connection was refused' },
		]);
	});
});

describe('Disabling an endpoint', () => {
	/** Creates a service and lets its receiver refuse so many events. No retry becomes due by itself. */
	const failEvents = async (events: number) => {
		let isUp = false;
		const service = newService({ firstRetryAfterMs: HOUR_MS }, () =>
			isUp ? { status: 200, excerpt: '' } : refuse(),
		);
		const setUp = (up: boolean) => {
			isUp = up;
		};
		await service.register(['receive']);
		const texts = async (count: number) => {
			for (let n = 0; n < count; n++) {
				await service.text(`event ${n}`);
				await service.sandbox.settled();
			}
		};
		await texts(events);
		return { ...service, setUp, texts };
	};

	test('§3.3 an endpoint with ten failures gets nothing any more, not even retries', async () => {
		const service = await failEvents(10);
		await service.texts(3);
		await service.sandbox.advance(72 * HOUR_MS);
		expect(service.posted).toHaveLength(10);
		expect((await log(service)).map(({ state }) => state)).toEqual(Array(13).fill('dropped'));
		const [webhook] = (await service.call('GET', '/sandbox/state')).body['webhooks'] as object[];
		expect(webhook).toMatchObject({ status: 'disabled', failures: 10 });
		// The history has the messages all the same (§4.5).
		expect(await service.rows()).toHaveLength(13);
	});

	test('§3.3 successes in between do not reset the count of failures', async () => {
		const service = await failEvents(9);
		service.setUp(true);
		await service.texts(5);
		service.setUp(false);
		await service.texts(1);
		service.setUp(true);
		await service.texts(1);
		expect(service.posted).toHaveLength(15);
	});

	test('§3.3 a retry that fails counts as a failure', async () => {
		const service = await failEvents(5);
		await service.sandbox.advance(HOUR_MS);
		await service.texts(1);
		expect(service.posted).toHaveLength(10);
	});

	test('§3.3 the failures of one endpoint do not disable another', async () => {
		const service = newService({}, ({ url }) =>
			url.endsWith('/bad') ? refuse() : { status: 200, excerpt: '' },
		);
		await service.register(['receive'], { url: 'https://receiver.example/bad' });
		await service.register(['receive'], { url: 'https://receiver.example/good' });
		for (let n = 0; n < 12; n++) {
			await service.text('Hi');
			await service.sandbox.settled();
		}
		const sent = (end: string) => service.posted.filter(({ url }) => url.endsWith(end)).length;
		expect([sent('/bad'), sent('/good')]).toEqual([10, 12]);
	});

	test('assumption: registering an endpoint again enables it, and brings no dropped event back', async () => {
		const service = await failEvents(12);
		await service.register(['receive']);
		service.setUp(true);
		await service.texts(1);
		await service.sandbox.advance(72 * HOUR_MS);
		expect(service.posted).toHaveLength(11);
		service.setUp(false);
		await service.texts(9);
		await service.texts(1);
		expect(service.posted).toHaveLength(21);
	});
});

describe('Delivering again by hand', () => {
	const deliverAndRepeat = async (status = 200) => {
		const service = newService({ firstRetryAfterMs: HOUR_MS }, () => ({ status, excerpt: '' }));
		await service.register(['receive'], { secret: 'whisper' });
		await service.text('Hi');
		await service.sandbox.settled();
		const [delivery] = await log(service);
		const again = async (as: unknown) => {
			const path = `/sandbox/deliveries/${delivery?.id}/redeliver`;
			const answer = await service.call('POST', path, { as });
			await service.sandbox.settled();
			return answer.status;
		};
		return { ...service, again };
	};

	test.each([
		['same', 0],
		['old-timestamp', -3_600],
	])('§6.4 as `%s` keeps the event’s ID and signs it again, %i s off', async (as, seconds) => {
		const { sandbox, again, posted } = await deliverAndRepeat();
		await sandbox.advance(60_000);
		expect(await again(as)).toBe(202);
		expect(posted[1]?.body).toBe(posted[0]?.body);
		const t = SECONDS + 60 + seconds;
		expect(signatures(posted)[1]).toBe(signatureHeader('whisper', posted[0]!.body, t));
	});

	test('§6.4 `broken-signature` has an invalid signature in the right form', async () => {
		const { again, posted, call } = await deliverAndRepeat();
		await again('broken-signature');
		expect(signatures(posted)[1]).toMatch(new RegExp(`^t=${SECONDS},v1=[0-9a-f]{64}$`));
		expect(signatures(posted)[1]).not.toBe(signatures(posted)[0]);
		expect(await again('backwards')).toBe(422);
		const unknown = await call('POST', '/sandbox/deliveries/none/redeliver', { as: 'same' });
		expect(unknown.status).toBe(404);
	});

	test('does not count as a failure and is not retried', async () => {
		const service = await deliverAndRepeat(401);
		for (let n = 0; n < 15; n++) await service.again('broken-signature');
		const [webhook] = (await service.call('GET', '/sandbox/state')).body['webhooks'] as object[];
		expect(webhook).toMatchObject({ status: 'enabled', failures: 1 });
		expect((await log(service))[0]?.attempts).toHaveLength(16);
	});
});

describe('The delivery log', () => {
	test('pages with `limit` and `before`, and keeps a limited number, while all are delivered', async () => {
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
});
