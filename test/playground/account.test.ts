import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAccount } from '../../playground/account';
import { temporaryFolder } from '../support/temporaryFolder';

const folder = temporaryFolder();
const file = join(folder, 'data', 'account.json');

describe('the account of a data folder', () => {
	test('has a password that n8n accepts, is the same at every start, and differs between folders', async () => {
		const account = await loadAccount(file);
		expect(account.password).toMatch(/^(?=.*\d)(?=.*[A-Z]).{8,}$/);
		expect([account.apiKey, account.apiSecret]).not.toContain('');
		expect(await loadAccount(file)).toEqual(account);
		const other = await loadAccount(join(folder, 'other', 'account.json'));
		expect(other.password).not.toBe(account.password);
		expect(other.apiSecret).not.toBe(account.apiSecret);
		// Its owner alone can read it.
		expect(statSync(file).mode & 0o777).toBe(0o600);
	});

	test.each(['', '{', 'null', '{"email":"you@example.com"}'])(
		'is refused when its file holds %j, and the refusal says what to do',
		async (text) => {
			const broken = join(folder, 'broken.json');
			writeFileSync(broken, text);
			await expect(loadAccount(broken)).rejects.toThrow(/npm start -- --fresh/);
		},
	);
});
