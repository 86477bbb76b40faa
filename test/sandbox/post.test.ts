import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { postOverHttp } from '../../sandbox/src/webhooks/post';
import { startStub } from '../support/stub';

let receiver: Awaited<ReturnType<typeof startStub>>;

afterEach(async () => await receiver.stop());

const BODY = '{"text":"Grüße \u2028 👋"}';
const HEADERS = { 'content-type': 'application/json', 'service-signature': 't=1,v1=ab' };

const post = postOverHttp();

const postTo = async (answer: Parameters<typeof startStub>[0], timeoutMs = 5_000) => {
	receiver = await startStub(answer);
	return await postAgain(timeoutMs);
};
const postAgain = async (timeoutMs = 5_000) => {
	const { signal } = new AbortController();
	return await post({
		url: `${receiver.url}/hook`,
		headers: HEADERS,
		body: BODY,
		timeoutMs,
		signal,
	});
};

describe('Posting over HTTP', () => {
	test('§6.4 sends one POST with exactly the signed bytes and the signature', async () => {
		const answer = await postTo(() => ({ status: 202, body: 'thanks' }));
		expect(answer).toEqual({ status: 202, excerpt: 'thanks' });
		expect(receiver.requests).toMatchObject([{ method: 'POST', path: '/hook', headers: HEADERS }]);
		expect(receiver.requests[0]!.body).toEqual(Buffer.from(BODY, 'utf8'));
	});

	test('§6.4 does not follow a redirect', async () => {
		const { status } = await postTo(() => ({ status: 302, headers: { location: '/elsewhere' } }));
		expect([status, receiver.requests.length]).toEqual([302, 1]);
	});

	test('§6.4 times out when a receiver does not answer', async () => {
		const never = new Promise<never>(() => {});
		await expect(postTo(() => never, 50)).rejects.toThrow('no answer within 0.05 s');
	});

	test('says in plain words that a receiver closes the connection or cannot be reached', async () => {
		const cut = postTo(() => ({ isCutOff: true }));
		await expect(cut).rejects.toThrow('the connection was reset');
		await receiver.stop();
		await expect(postAgain()).rejects.toThrow('the connection was refused');
	});

	test('can read an answer that the receiver has compressed, and one that only says so', async () => {
		const headers = { 'content-encoding': 'gzip' };
		const packed = gzipSync('The requested webhook is not registered.');
		const { excerpt } = await postTo(() => ({
			status: 404,
			headers,
			body: Readable.from([packed]),
		}));
		expect(excerpt).toBe('The requested webhook is not registered.');
		await receiver.stop();
		expect(await postTo(() => ({ headers, body: 'plain' }))).toEqual({ status: 200, excerpt: '' });
	});

	test('§6.4 keeps only the beginning of an answer, and does not read an endless one to its end', async () => {
		const endless = function* () {
			for (;;) yield 'x'.repeat(16_384);
		};
		const answer = await postTo(() => ({ body: Readable.from(endless()) }));
		expect(answer).toEqual({ status: 200, excerpt: 'x'.repeat(1_024) });
	});
});
