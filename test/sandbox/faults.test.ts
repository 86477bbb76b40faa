import type { FaultKind, Served } from '../../sandbox/src';
import { FAULT_KINDS, NO_REQUEST_LIMITS, serve } from '../../sandbox/src';
import { newService } from './service';

const PATH = '/v1/send-message';

describe('Faults', () => {
	/** Sends one message while a fault is pending; returns what the caller and the history see. */
	const meet = async (kind: FaultKind, fields: object = {}) => {
		const { sandbox, call, credential: headers, rows } = newService();
		await call('POST', '/sandbox/faults', { path: PATH, kind, ...fields });
		const body = JSON.stringify({ number: '+15551230001', content: 'Hi' });
		const answer = await sandbox.app.request(PATH, { method: 'POST', headers, body });
		const accepted = (await rows()).length;
		return { status: answer.status, headers: answer.headers, text: await answer.text(), accepted };
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
		const text = expect.stringMatching(words) as string;
		expect(answer).toMatchObject({ status, accepted, text });
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

	test('with a probability happen to their share of the calls, to the same ones with the same seed', async () => {
		const statuses = async (probability: number, randomSeed?: number) => {
			const { call } = newService({ requestLimits: NO_REQUEST_LIMITS, randomSeed });
			await call('POST', '/sandbox/faults', { path: '/v1/me', kind: 'status-500', probability });
			const answers: number[] = [];
			for (let n = 0; n < 500; n++) answers.push((await call('GET', '/v1/me')).status);
			return answers;
		};
		const some = await statuses(0.25);
		const share = some.filter((status) => status === 500).length / 500;
		expect(share).toBeGreaterThan(0.2);
		expect(share).toBeLessThan(0.3);
		expect(await statuses(0.25)).toEqual(some);
		expect(await statuses(0.25, 2)).not.toEqual(some);
		expect(new Set(await statuses(1))).toEqual(new Set([500]));
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

	test('are listed with their kinds and paths, also those of a path prefix, and can be removed', async () => {
		const { call, send } = newService({ pathPrefix: '/v3' });
		await call('POST', '/sandbox/faults', { path: PATH, kind: 'status-500', times: 3 });
		await send();
		const faults = [{ path: PATH, kind: 'status-500', times: 2, probability: null }];
		const { body } = await call('GET', '/sandbox/faults');
		expect(body).toMatchObject({ faults, kinds: FAULT_KINDS });
		expect(body['paths']).toEqual(expect.arrayContaining(['/v1/send-message', '/v3/lookup']));
		expect((await call('GET', '/sandbox/state')).body).toMatchObject({ faults });
		await call('DELETE', '/sandbox/faults');
		expect((await send()).status).toBe(201);
	});
});

let served: Served | undefined;
afterEach(async () => await served?.close());

test.each<[FaultKind, number, object]>([
	['reset-before', 0, { cause: { code: 'ECONNRESET' } }],
	['reset-after', 1, { cause: { code: 'ECONNRESET' } }],
	['hang-before', 0, { name: 'TimeoutError' }],
	['hang-after', 1, { name: 'TimeoutError' }],
])('%s ends without an answer, and %i message is accepted', async (kind, count, thrown) => {
	const { sandbox, call, credential: headers, rows } = newService({ clock: undefined });
	served = await serve(sandbox);
	const { url } = served;
	await call('POST', '/sandbox/faults', { path: PATH, kind });
	const body = JSON.stringify({ number: '+15551230001', content: 'Hi' });
	const send = async (withinMs = 5_000) => {
		const signal = AbortSignal.timeout(withinMs);
		return await fetch(url + PATH, { method: 'POST', headers, signal, body });
	};
	await expect(send(kind.startsWith('hang') ? 200 : undefined)).rejects.toMatchObject(thrown);
	expect(await rows()).toHaveLength(count);
	expect((await send()).status).toBe(201);
});

test('slow delays the usual answer', async () => {
	const { call, send } = newService();
	await call('POST', '/sandbox/faults', { path: PATH, kind: 'slow', delay_ms: 50 });
	const started = performance.now();
	expect((await send()).status).toBe(201);
	expect(performance.now() - started).toBeGreaterThanOrEqual(49);
});
