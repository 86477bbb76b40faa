import type { FaultKind, SandboxOptions } from '../../sandbox/src';
import { FAULT_KINDS, NO_REQUEST_LIMITS, createSandbox, serve } from '../../sandbox/src';
import type { Served } from '../../sandbox/src';
import { newService } from './service';

const PATH = '/v1/send-message';

describe('Faults', () => {
	/** Sends one message while a fault is pending; returns what the caller and the history see. */
	const meet = async (kind: FaultKind, fields: Record<string, unknown> = {}) => {
		const { sandbox, call, credential, rows } = newService();
		await call('POST', '/sandbox/faults', { path: PATH, kind, ...fields });
		const body = JSON.stringify({ number: '+15551230001', content: 'Hi' });
		const given = { method: 'POST', headers: credential, body };
		const answer = await sandbox.app.request(PATH, given);
		const { status, headers } = answer;
		return { status, headers, text: await answer.text(), accepted: (await rows()).length };
	};

	test.each<[FaultKind, number, number, RegExp]>([
		['pass', 201, 1, /^\{"status":"QUEUED".*\}$/],
		['refuse-429', 429, 0, /Too Many Attempts/],
		['refuse-429-bare', 429, 0, /Too Many Attempts/],
		['status-409', 409, 0, /^\{/],
		['status-500', 500, 0, /^\{/],
		['status-500-after', 500, 1, /^\{/],
		['status-503', 503, 0, /^\{/],
		['status-503-after', 503, 1, /^\{/],
		['html', 502, 0, /<html/],
		['html-after', 502, 1, /<html/],
		['truncated-after', 201, 1, /^\{"status":"QUEUED"[^}]*$/],
	])('%s is answered %i, and %i message is accepted', async (kind, status, accepted, words) => {
		const answer = await meet(kind);
		expect(answer).toMatchObject({
			status,
			accepted,
			text: expect.stringMatching(words) as string,
		});
		expect(answer.headers.get('content-type')).toContain(kind.startsWith('html') ? 'html' : 'json');
		expect(answer.headers.get('x-ratelimit-limit')).toBe('60');
		expect(answer.headers.get('date')).not.toBeNull();
	});

	test('refuse-429 has Retry-After, refuse-429-bare does not, and a 503 has it where it was asked for', async () => {
		const retryAfter = async (kind: FaultKind, fields = {}) =>
			(await meet(kind, fields)).headers.get('retry-after');
		expect(await retryAfter('refuse-429')).toBe('1');
		expect(await retryAfter('refuse-429', { retry_after_seconds: 7 })).toBe('7');
		expect(await retryAfter('refuse-429-bare')).toBeNull();
		expect(await retryAfter('status-503', { retry_after_seconds: 2 })).toBe('2');
	});

	describe('with a probability', () => {
		/** The statuses of so many calls that may meet the fault. */
		const statuses = async (fields: object, calls = 200, options: SandboxOptions = {}) => {
			const { call } = newService({ requestLimits: NO_REQUEST_LIMITS, ...options });
			const fault = { path: '/v1/me', kind: 'status-500', ...fields };
			expect((await call('POST', '/sandbox/faults', fault)).status).toBe(201);
			const answers: number[] = [];
			for (let n = 0; n < calls; n++) answers.push((await call('GET', '/v1/me')).status);
			return answers;
		};
		const failed = (all: number[]) => all.filter((status) => status === 500).length;

		test('happen to their share of the calls', async () => {
			const share = failed(await statuses({ probability: 0.25 }, 1_000)) / 1_000;
			expect(share).toBeGreaterThan(0.2);
			expect(share).toBeLessThan(0.3);
			expect(failed(await statuses({ probability: 1 }))).toBe(200);
		});

		test('happen to the same calls with the same seed, and to others with another', async () => {
			const first = await statuses({ probability: 0.5 });
			expect(await statuses({ probability: 0.5 })).toEqual(first);
			expect(await statuses({ probability: 0.5 }, 200, { randomSeed: 2 })).not.toEqual(first);
		});
	});

	test('§4.4 a fault of /status happens to both of its forms', async () => {
		const { call } = newService();
		for (const path of ['/status/some-handle', '/status?message_handle=some-handle']) {
			await call('POST', '/sandbox/faults', { path: '/status', kind: 'status-500' });
			expect((await call('GET', path)).status).toBe(500);
			expect((await call('GET', path)).status).toBe(404);
		}
	});

	test('faults happen to the next requests to their path, in the order in which they were added', async () => {
		const { call, send } = newService();
		await call('POST', '/sandbox/faults', { path: PATH, kind: 'status-500', times: 2 });
		await call('POST', '/sandbox/faults', { path: PATH, kind: 'pass' });
		await call('POST', '/sandbox/faults', { path: PATH, kind: 'status-503' });
		expect((await call('GET', '/v1/me')).status).toBe(200);
		const statuses: number[] = [];
		for (let n = 0; n < 6; n++) statuses.push((await send()).status);
		expect(statuses).toEqual([500, 500, 201, 503, 201, 201]);
	});

	test('GET /sandbox/faults lists the kinds and the paths, with the path prefix of this sandbox', async () => {
		const { call } = newService({ pathPrefix: '/v3' });
		const { body } = await call('GET', '/sandbox/faults');
		expect(body).toMatchObject({ faults: [], kinds: FAULT_KINDS });
		expect(body['paths']).toEqual(expect.arrayContaining(['/v1/send-message', '/v3/lookup']));
	});

	test('pending faults are shown and can be removed', async () => {
		const { call, send } = newService();
		await call('POST', '/sandbox/faults', { path: PATH, kind: 'status-500', times: 3 });
		await send();
		expect((await call('GET', '/sandbox/state')).body['faults']).toEqual([
			{ path: PATH, kind: 'status-500', times: 2, probability: null },
		]);
		await call('DELETE', '/sandbox/faults');
		expect((await send()).status).toBe(201);
	});
});

describe('Faults of the connection', () => {
	let served: Served;
	let headers: Record<string, string>;

	beforeEach(async () => {
		const sandbox = createSandbox();
		served = await serve(sandbox);
		headers = {
			'x-api-key': sandbox.keyPairs[0]!.key,
			'x-api-secret': sandbox.keyPairs[0]!.secret,
		};
	});

	afterEach(async () => await served.close());

	const fault = async (kind: FaultKind, fields: Record<string, unknown> = {}) =>
		await fetch(`${served.url}/sandbox/faults`, {
			method: 'POST',
			body: JSON.stringify({ path: PATH, kind, ...fields }),
		});
	const send = async (signal?: AbortSignal) =>
		await fetch(`${served.url}${PATH}`, {
			method: 'POST',
			headers,
			signal,
			body: JSON.stringify({ number: '+15551230001', content: 'Hi' }),
		});
	const accepted = async () => {
		const answer = await fetch(`${served.url}/v2/messages`, { headers });
		return ((await answer.json()) as { messages: unknown[] }).messages.length;
	};

	test.each<[FaultKind, number]>([
		['reset-before', 0],
		['reset-after', 1],
		['hang-before', 0],
		['hang-after', 1],
	])('%s ends without an answer, and %i message is accepted', async (kind, count) => {
		await fault(kind);
		await expect(send(AbortSignal.timeout(200))).rejects.toMatchObject(
			kind.startsWith('reset') ? { cause: { code: 'ECONNRESET' } } : { name: 'TimeoutError' },
		);
		expect(await accepted()).toBe(count);
		expect((await send()).status).toBe(201);
	});

	test('slow delays the usual answer', async () => {
		await fault('slow', { delay_ms: 50 });
		const started = performance.now();
		expect((await send()).status).toBe(201);
		expect(performance.now() - started).toBeGreaterThanOrEqual(49);
	});
});
