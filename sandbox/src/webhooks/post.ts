import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import axios from 'axios';
import { LONGEST_WAIT_MS } from '../longestWait';

/** An event that is posted to an endpoint. */
export type PostRequest = {
	url: string;
	headers: Record<string, string>;
	body: string;
	timeoutMs: number;
	/** Aborted when the sandbox closes. */
	signal: AbortSignal;
};

/** The endpoint's answer: its status and the beginning of its body, for people to read. */
export type PostAnswer = { status: number; excerpt: string };

/** Posts an event and returns the answer; throws an error that says why there is none. */
export type Post = (request: PostRequest) => Promise<PostAnswer>;

const EXCERPT_BYTES = 1024;
const DRAINED_BYTES = 65_536;

/** Posts over HTTP and keeps connections open. It follows no redirects and uses no proxy. */
export const postOverHttp = (): Post => {
	const httpAgent = new HttpAgent({ keepAlive: true });
	const httpsAgent = new HttpsAgent({ keepAlive: true });
	return async ({ url, headers, body, timeoutMs, signal }) => {
		const giveUp = new AbortController();
		const timer = setTimeout(() => giveUp.abort(), Math.min(timeoutMs, LONGEST_WAIT_MS));
		const stop = () => giveUp.abort();
		signal.addEventListener('abort', stop, { once: true });
		try {
			const response = await axios.request<Readable>({
				method: 'POST',
				url,
				headers: { accept: '*/*', 'user-agent': 'two-way-messaging-sandbox', ...headers },
				data: Buffer.from(body, 'utf8'),
				responseType: 'stream',
				validateStatus: () => true,
				maxRedirects: 0,
				proxy: false,
				httpAgent,
				httpsAgent,
				signal: giveUp.signal,
			});
			return { status: response.status, excerpt: await readExcerpt(response.data) };
		} catch (cause) {
			if (signal.aborted) throw new Error('the sandbox was closed', { cause });
			if (giveUp.signal.aborted) {
				throw new Error(`no answer within ${timeoutMs / 1000} s`, { cause });
			}
			throw new Error(reasonOf(cause), { cause });
		} finally {
			clearTimeout(timer);
			signal.removeEventListener('abort', stop);
		}
	};
};

/** Reads an answer to its end, so that the connection can be used again, and returns its beginning. */
const readExcerpt = async (body: Readable): Promise<string> => {
	const kept: Buffer[] = [];
	let bytes = 0;
	try {
		for await (const chunk of body as AsyncIterable<Buffer>) {
			if (bytes < EXCERPT_BYTES) kept.push(chunk);
			bytes += chunk.length;
			// The rest does not matter, because the status has decided (§6.4).
			if (bytes > DRAINED_BYTES) break;
		}
	} catch {
		// The status has arrived, and only the status counts.
	}
	return Buffer.concat(kept).subarray(0, EXCERPT_BYTES).toString('utf8');
};

const reasonOf = (cause: unknown): string => {
	const code = axios.isAxiosError(cause) ? cause.code : undefined;
	if (code === 'ECONNREFUSED') return 'the connection was refused';
	if (code === 'ECONNRESET') return 'the connection was reset';
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host was not found';
	return cause instanceof Error ? cause.message : String(cause);
};
