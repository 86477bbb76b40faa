import { createHmac } from 'node:crypto';
import { signatureHeader } from '../../sandbox/src/webhooks/signature';
import type { PostRequest } from '../../sandbox/src/webhooks/post';
import { START_MS, newService } from './service';

const SECONDS = START_MS / 1000;
const HOUR_MS = 3_600_000;

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
	test('§6.4 agrees with what openssl makes of the same text', () => {
		// printf '%s' '1700000000.{"id":…}' | openssl dgst -sha256 -hmac 'signing secret'
		const body = '{"id":"evt_1","data":{"message":{"text":"Grüße 👋"}}}';
		expect(signatureHeader('signing secret', body, 1_700_000_000)).toBe(
			't=1700000000,v1=ac0628bd4a88e4c5102d041725c649b6f2b226175acc10005e128c69ea31f8a6',
		);
	});

	test('§6.4 an event is signed over its timestamp and its exact body', async () => {
		const { sandbox, register, text, posted } = newService();
		await register(['receive'], { secret: 'whisper' });
		await text('Grüße 👋');
		await sandbox.settled();
		const digest = createHmac('sha256', 'whisper')
			.update(Buffer.from(`${SECONDS}.${posted[0]?.body}`, 'utf8'))
			.digest('hex');
		expect(signatures(posted)).toEqual([`t=${SECONDS},v1=${digest}`]);
	});

	test.each([[undefined], [null], ['']])(
		'§2.4 with the secret %p nothing is signed',
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
	/** A service with one endpoint, which was sent one event. */
	const delivering = async (
		answer: (request: PostRequest) => { status: number; excerpt: string },
	) => {
		const service = newService({ firstRetryAfterMs: 10_000 }, answer);
		await service.register(['receive'], { secret: 'whisper' });
		await service.text('Hi');
		await service.sandbox.settled();
		return service;
	};

	test('§5.8 an event carries a signature and never the credential’s headers', async () => {
		const { register, text, posted } = newService();
		await register(['receive'], { secret: 'signing secret' });
		await text('Hi');
		expect(Object.keys(posted[0]!.headers).sort()).toEqual(['content-type', 'service-signature']);
	});

	test('§6.4 gives a receiver five seconds', async () => {
		const { posted } = await delivering(() => ({ status: 200, excerpt: '' }));
		expect(posted[0]?.timeoutMs).toBe(5_000);
	});

	test.each([200, 201, 202, 204, 299])('§6.4 %i is success: one POST', async (status) => {
		const service = await delivering(() => ({ status, excerpt: '' }));
		await service.sandbox.advance(72 * HOUR_MS);
		expect(service.posted).toHaveLength(1);
		expect((await log(service))[0]?.state).toBe('delivered');
	});

	test.each([301, 302, 400, 401, 404, 410, 500, 503])(
		'§6.4 %i is a failure: tried again',
		async (status) => {
			const service = await delivering(() => ({ status, excerpt: '' }));
			await service.sandbox.advance(10_000);
			expect(service.posted).toHaveLength(2);
		},
	);

	test('§6.4 six attempts, their gaps growing exponentially, 12 hours at most', async () => {
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

	test('§6.4 every attempt carries the same event and a signature of its own time', async () => {
		const service = await delivering(refuse);
		await service.sandbox.advance(10_000);
		expect(new Set(service.posted.map(({ body }) => body)).size).toBe(1);
		expect(signatures(service.posted)).toEqual(
			[SECONDS, SECONDS + 10].map((t) => signatureHeader('whisper', service.posted[0]!.body, t)),
		);
	});

	test('§6.4 an attempt that succeeds ends it', async () => {
		let failures = 2;
		const service = await delivering(() =>
			failures-- > 0 ? refuse() : { status: 204, excerpt: '' },
		);
		await service.sandbox.advance(72 * HOUR_MS);
		expect(service.posted).toHaveLength(3);
		expect((await log(service))[0]?.state).toBe('delivered');
	});

	test('a receiver that cannot be reached is told in words in the log', async () => {
		const service = await delivering(() => {
			throw new Error('the connection was refused');
		});
		expect((await log(service))[0]?.attempts).toMatchObject([
			{ status: null, reason: 'the connection was refused' },
		]);
	});
});

describe('Disabling an endpoint', () => {
	/** A service whose receiver refuses, sent so many events; no retry comes due by itself. */
	const failing = async (events: number) => {
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

	test('§3.3 nine failures leave it enabled', async () => {
		const { texts, posted } = await failing(9);
		await texts(1);
		expect(posted).toHaveLength(10);
	});

	test('§3.3 after ten nothing more is sent, retries included', async () => {
		const service = await failing(10);
		await service.texts(3);
		await service.sandbox.advance(72 * HOUR_MS);
		expect(service.posted).toHaveLength(10);
		expect((await log(service)).map(({ state }) => state)).toEqual(Array(13).fill('dropped'));
		const [webhook] = (await service.call('GET', '/sandbox/state')).body['webhooks'] as object[];
		expect(webhook).toMatchObject({ status: 'disabled', failures: 10 });
	});

	test('§3.3 failures are cumulative: successes in between forgive none', async () => {
		const service = await failing(9);
		service.setUp(true);
		await service.texts(5);
		service.setUp(false);
		await service.texts(1);
		service.setUp(true);
		await service.texts(1);
		expect(service.posted).toHaveLength(15);
	});

	test('§3.3 a retry that fails counts as well', async () => {
		const service = await failing(5);
		await service.sandbox.advance(HOUR_MS);
		await service.texts(1);
		expect(service.posted).toHaveLength(10);
	});

	test('§3.3 one endpoint’s failures do not concern another', async () => {
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

	test('assumption: registering again enables it, its failures forgotten; what was dropped stays so', async () => {
		const service = await failing(12);
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

	test('§4.5 what was never delivered is in the history', async () => {
		const service = await failing(12);
		expect(await service.rows()).toHaveLength(12);
	});
});

describe('Delivering again by hand', () => {
	const delivered = async (status = 200) => {
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

	test('§6.4 the event keeps its id, and the signature is made anew', async () => {
		const { sandbox, again, posted } = await delivered();
		await sandbox.advance(60_000);
		expect(await again('same')).toBe(202);
		expect(posted[1]?.body).toBe(posted[0]?.body);
		expect(signatures(posted)[1]).toBe(signatureHeader('whisper', posted[0]!.body, SECONDS + 60));
	});

	test('§6.4 `old-timestamp` is signed well, an hour ago', async () => {
		const { again, posted } = await delivered();
		await again('old-timestamp');
		expect(signatures(posted)[1]).toBe(
			signatureHeader('whisper', posted[0]!.body, SECONDS - 3_600),
		);
	});

	test('§6.4 `broken-signature` has the form of one and is not it', async () => {
		const { again, posted } = await delivered();
		await again('broken-signature');
		expect(signatures(posted)[1]).toMatch(new RegExp(`^t=${SECONDS},v1=[0-9a-f]{64}$`));
		expect(signatures(posted)[1]).not.toBe(signatures(posted)[0]);
	});

	test('what a person tries neither counts as a failure nor is retried', async () => {
		const service = await delivered(401);
		for (let n = 0; n < 15; n++) await service.again('broken-signature');
		const [webhook] = (await service.call('GET', '/sandbox/state')).body['webhooks'] as object[];
		expect(webhook).toMatchObject({ status: 'enabled', failures: 1 });
		expect((await log(service))[0]?.attempts).toHaveLength(16);
	});

	test('an unknown way is 422 and an unknown delivery 404', async () => {
		const { call, again } = await delivered();
		expect(await again('backwards')).toBe(422);
		expect((await call('POST', '/sandbox/deliveries/none/redeliver', {})).status).toBe(404);
	});
});

describe('The delivery log', () => {
	test('is bounded: the oldest go, and what is still under way goes on', async () => {
		const service = newService({ deliveryLogSize: 3 });
		await service.register(['receive']);
		for (let n = 0; n < 8; n++) await service.text(`event ${n}`);
		await service.sandbox.settled();
		expect(await log(service)).toHaveLength(3);
		expect(service.posted).toHaveLength(8);
	});

	test('pages with `limit` and `before`, the newest first', async () => {
		const service = newService();
		await service.register(['receive']);
		for (let n = 0; n < 5; n++) await service.text(`event ${n}`);
		const all = (await log(service)).map(({ id }) => id);
		const first = (await log(service, '?limit=2')).map(({ id }) => id);
		const rest = (await log(service, `?limit=9&before=${first[1]}`)).map(({ id }) => id);
		expect([...first, ...rest]).toEqual(all);
	});
});
