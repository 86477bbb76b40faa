import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { loadAccount, type Account } from '../../playground/account';
import { startSandbox } from '../../playground/sandbox';
import { shopOf } from '../../playground/shop';
import type { Served } from '../../sandbox/src';
import { temporaryFolder } from '../support/temporaryFolder';
import { DAY_MS } from '../support/times';

let accountFile: string;
let account: Account;
let served: Served;

const start = async (): Promise<void> => {
	account = await loadAccount(accountFile);
	served = await startSandbox(0, account, `${accountFile}.registrations`, {
		seed: shopOf(accountFile),
	});
};

beforeEach(async () => {
	accountFile = join(temporaryFolder(), 'account.json');
	await start();
});
afterEach(async () => await served.close());

const ownPair = () => ({ 'x-api-key': account.apiKey, 'x-api-secret': account.apiSecret });

const state = async () =>
	(await (await fetch(`${served.url}/sandbox/state`)).json()) as {
		conversations: Array<{ contact: object; last_message: Record<string, string> }>;
		lines: object[];
	};

/** The conversations, each with its last message and the time of that. */
const talks = async () =>
	(await state()).conversations.map(({ contact, last_message: { content, created_at } }) => {
		return { contact, content, created_at };
	});

describe('the phone of a playground', () => {
	test('has the conversations of a small shop, on the lines that the workflows know', async () => {
		const { conversations, lines } = await state();
		expect(conversations.length).toBeGreaterThan(3);
		await served.close();
		served = await startSandbox(0, account, `${accountFile}.registrations`);
		expect(await state()).toMatchObject({ conversations: [], lines });
	});

	test('has them again after a reset and at each start, with times before the first one', async () => {
		const before = await talks();
		await fetch(`${served.url}/sandbox/reset`, { method: 'POST' });
		expect(await talks()).toEqual(before);
		await served.close();
		await start();
		expect(await talks()).toEqual(before);
		// A week later, too: a workflow that listened meanwhile would answer them as texts that it has missed.
		const firstStart = new Date(Date.now() - 7 * DAY_MS);
		utimesSync(accountFile, firstStart, firstStart);
		await served.close();
		await start();
		const times = (await talks()).map(({ created_at }) => Date.parse(created_at!));
		expect(Math.max(...times)).toBeLessThan(firstStart.getTime());
	});

	test("accepts the playground's key pair and not the shop's, which everybody can read", async () => {
		const me = async (headers: Record<string, string>) =>
			(await fetch(`${served.url}/v1/me`, { headers })).status;
		expect(await me(ownPair())).toBe(200);
		expect(await me({ 'x-api-key': 'key_shop', 'x-api-secret': 'secret_shop' })).toBe(401);
	});
});
