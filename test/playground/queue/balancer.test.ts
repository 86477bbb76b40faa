import axios from 'axios';
import { freePort } from '../../../playground/machine';
import { SERVED_BY, startBalancer, type Balancer } from '../../../playground/queue/balancerProcess';
import { startStub } from '../../support/stub';

/** A process behind the balancer, which answers with its name, and the requests that it got. */
const listen = async (name: string) => {
	const stub = await startStub(({ body }) => ({
		isCutOff: String(body) === 'break' && name === 'one',
		body: name,
	}));
	const asked = () => stub.requests.map(({ method, path, body }) => `${method} ${path} ${body}`);
	return { ...stub, asked };
};

let behind: Record<'main' | 'one' | 'other', Awaited<ReturnType<typeof listen>>>;
let balancer: Balancer;

const post = async (path: string, body = 'hello') =>
	await axios.post<string>(`${balancer.url}${path}`, body, {
		proxy: false,
		validateStatus: () => true,
		headers: { 'content-type': 'text/plain' },
	});

beforeAll(async () => {
	behind = { main: await listen('main'), one: await listen('one'), other: await listen('other') };
	balancer = await startBalancer({
		port: await freePort(),
		main: behind.main.url,
		webhooks: [behind.one.url, behind.other.url],
	});
});
afterAll(async () => {
	await balancer.close();
	for (const { stop } of Object.values(behind)) await stop();
});

describe('the balancer', () => {
	const answering = async (count: number, body?: string) => {
		const answers: string[] = [];
		for (let n = 0; n < count; n++) answers.push((await post('/webhook/a', body)).data);
		return answers;
	};

	test('sends production webhooks to the processors in turn, and names the processor in its answer', async () => {
		expect(await answering(3)).toEqual(['one', 'other', 'one']);
		const named = async () => (await post('/webhook/a')).headers[SERVED_BY] as string;
		expect([await named(), await named()]).toEqual(['1', '0']);
		expect(behind.one.asked()[0]).toBe('POST /webhook/a hello');
	});

	test('sends the editor, and the webhooks of its tests, to the main process', async () => {
		for (const path of ['/', '/rest/login', '/webhook-test/a', '/form-test/a']) {
			expect((await post(path)).data).toBe('main');
		}
		for (const path of ['/webhook-waiting/1', '/form/a']) {
			expect((await post(path)).data).not.toBe('main');
		}
	});

	test('says in plain words that its port is in use', async () => {
		const port = Number(new URL(balancer.url).port);
		await expect(startBalancer({ port, main: '', webhooks: [] })).rejects.toThrow(
			/cannot listen on port \d+[^]*start:queue -- --n8n-port/,
		);
	});

	test('sends a whole request to the next processor when one has taken it and does not answer', async () => {
		// The next one in turn, or the one behind it, is the one that breaks.
		expect(await answering(2, 'break')).toEqual(['other', 'other']);
		expect(behind.one.asked().at(-1)).toBe('POST /webhook/a break');
		expect(behind.other.asked().at(-1)).toBe('POST /webhook/a break');
	});

	test('skips a processor that does not listen, and answers 503 when no process does', async () => {
		await behind.one.stop();
		expect(await answering(3)).toEqual(['other', 'other', 'other']);
		expect(behind.other.asked()).toContain('POST /webhook/a hello');
		await Promise.all([behind.other.stop(), behind.main.stop()]);
		expect((await post('/webhook/a')).status).toBe(503);
		expect((await post('/')).status).toBe(503);
	});
});
