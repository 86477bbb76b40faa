import { join } from 'node:path';
import { startSandbox } from '../../playground/sandbox';
import type { Served } from '../../sandbox/src';
import { temporaryFolder } from '../support/temporaryFolder';

const ACCOUNT = { email: 'you@example.com', password: '', apiKey: 'key', apiSecret: 'secret' };
const OWN_PAIR = { 'x-api-key': ACCOUNT.apiKey, 'x-api-secret': ACCOUNT.apiSecret };

let file: string;
let served: Served;

const start = async (withShop = true): Promise<void> => {
	served = await startSandbox(0, ACCOUNT, file, { withShop });
};
const startAgain = async (withShop?: boolean): Promise<void> => {
	await served.close();
	await start(withShop);
};

beforeEach(async () => {
	file = join(temporaryFolder(), 'registrations.json');
	await start();
});
afterEach(async () => await served.close());

const post = async (path: string, body: object) =>
	await fetch(served.url + path, {
		...{ method: 'POST', body: JSON.stringify(body) },
		headers: { ...OWN_PAIR, 'content-type': 'application/json' },
	});

const state = async () =>
	(await (await fetch(`${served.url}/sandbox/state`)).json()) as {
		conversations: Array<{ contact: object; last_message: Record<string, string> }>;
		lines: object[];
	};

describe("the phone of a playground's first start", () => {
	test('has the conversations of a small shop where it is asked for, on the lines that the workflows know', async () => {
		// And has them again while no workflow has listened.
		await startAgain();
		const { conversations, lines } = await state();
		expect(conversations.length).toBeGreaterThan(3);
		await startAgain(false);
		expect(await state()).toMatchObject({ conversations: [], lines });
	});

	test('has them no more once a workflow has listened, which would answer them as missed texts', async () => {
		const url = 'http://127.0.0.1:5678/webhook/a/webhook';
		await post('/v1/account/webhooks', { url, secret: 's', events: ['receive'] });
		await startAgain();
		expect(await state()).toMatchObject({ conversations: [] });
	});

	test('has them again after a reset, with the times at which workflows know them', async () => {
		const talks = async () =>
			(await state()).conversations.map(({ contact, last_message: { content, created_at } }) => {
				return { contact, content, created_at };
			});
		const before = await talks();
		await post('/sandbox/reset', { keep_webhooks: true });
		expect(await talks()).toEqual(before);
	});

	test("accepts the playground's key pair and not the shop's, which everybody can read", async () => {
		const me = async (headers: Record<string, string>) =>
			(await fetch(`${served.url}/v1/me`, { headers })).status;
		expect(await me(OWN_PAIR)).toBe(200);
		expect(await me({ 'x-api-key': 'key_shop', 'x-api-secret': 'secret_shop' })).toBe(401);
	});
});
