import { newService } from './service';

const times = async <T>(count: number, make: () => Promise<T>): Promise<T[]> => {
	const made: T[] = [];
	for (let n = 0; n < count; n++) made.push(await make());
	return made;
};

const counters = ({ headers }: { headers: Headers }) => [
	headers.get('x-ratelimit-limit'),
	headers.get('x-ratelimit-remaining'),
	headers.get('retry-after'),
];

test('§8.1 the service allows 300 requests a minute, and answers the next one with 429 and Retry-After', async () => {
	const { call } = newService();
	const answers = await times(300, async () => await call('GET', '/v1/me'));
	expect(answers.every(({ status }) => status === 200)).toBe(true);
	expect(counters(answers[0]!)).toEqual(['300', '299', null]);
	expect(counters(answers[299]!)).toEqual(['300', '0', null]);
	const refused = await call('GET', '/v1/me');
	expect([refused.status, refused.body]).toEqual([429, { message: 'Too Many Attempts.' }]);
	expect(counters(refused)).toEqual(['300', '0', '60']);
});

test.each([
	['POST', '/v1/send-message', 60, 201],
	['GET', '/lookup?number=%2B15551230001', 20, 202],
	['POST', '/media', 30, 422],
])('§8.1 %s %s has its own limit of %i a minute', async (method, path, limit, usual) => {
	const { call, rows } = newService();
	const body = method === 'POST' ? { number: '+15551230001', content: 'Hello' } : undefined;
	const answers = await times(limit, async () => await call(method, path, body));
	expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([usual]));
	const refused = await call(method, path, body);
	expect(refused.status).toBe(429);
	expect(counters(refused)).toEqual([String(limit), '0', '60']);
	expect(await rows('?limit=500')).toHaveLength(path === '/v1/send-message' ? limit : 0);
	// Each of them counted as one of all requests, too.
	expect(counters(await call('GET', '/v1/me'))).toEqual(['300', String(299 - limit), null]);
});

test('§8.1 Retry-After is in whole seconds, and waiting that long is enough', async () => {
	const { sandbox, call } = newService({ requestLimits: { all: 1 } });
	await call('GET', '/v1/me');
	await sandbox.advance(18_300);
	expect((await call('GET', '/v1/me')).headers.get('retry-after')).toBe('42');
	await sandbox.advance(41_000);
	expect((await call('GET', '/v1/me')).headers.get('retry-after')).toBe('1');
	await sandbox.advance(1_000);
	expect((await call('GET', '/v1/me')).status).toBe(200);
});

test.each([
	['§5.5 key pairs of one admin', 'GET', '/v1/me', ['a1', 'a2', 'a1', 'b1'], [200, 200, 429, 200]],
	['§8.1 all', 'POST', '/v1/send-message', ['a1', 'b1', 'a1', 'b1'], [201, 201, 429, 429]],
])('%s share the limit of %s %s', async (_whose, method, path, keys, statuses) => {
	const { call } = newService({
		requestLimits: method === 'GET' ? { all: 2 } : { sendMessage: 2 },
		keyPairs: [
			{ key: 'a1', secret: 's', admin: 'ada' },
			{ key: 'a2', secret: 's', admin: 'ada' },
			{ key: 'b1', secret: 's', admin: 'bo' },
		],
	});
	const body = method === 'POST' ? { number: '+15551230001', content: 'Hello' } : undefined;
	const answers: number[] = [];
	for (const key of keys) {
		const headers = { 'x-api-key': key, 'x-api-secret': 's' };
		answers.push((await call(method, path, body, headers)).status);
	}
	expect(answers).toEqual(statuses);
});

test('assumption (§8.1): the counters show the limit with the fewest requests left', async () => {
	const { call, send } = newService({ requestLimits: { all: 5, sendMessage: 3 } });
	expect(counters(await send())).toEqual(['3', '2', null]);
	expect(counters(await call('GET', '/v1/me'))).toEqual(['5', '3', null]);
	await call('GET', '/v1/me');
	await call('GET', '/v1/me');
	expect(counters(await send())).toEqual(['5', '0', null]);
});

test('§5.6 §8.1 every answer has the counters; a wrong key pair is always 401 and counts against nobody', async () => {
	const { call, send } = newService({ requestLimits: { all: 3 } });
	const wrong = { 'x-api-key': 'wrong', 'x-api-secret': 'wrong' };
	const refused = await times(5, async () => await call('GET', '/v1/me', undefined, wrong));
	expect(refused.map(({ status }) => status)).toEqual(Array(5).fill(401));
	expect(refused[4]!.body).toEqual({ message: 'Unauthenticated.' });
	expect(counters(refused[4]!)).toEqual(['3', '0', null]);
	const others = [
		await call('GET', '/no-such-path'),
		await send({ line_handle: 'unknown' }),
		await call('GET', '/v1/me'),
	];
	expect(others.map((answer) => [answer.status, ...counters(answer)])).toEqual([
		[404, '3', '2', null],
		[422, '3', '1', null],
		[200, '3', '0', null],
	]);
});
