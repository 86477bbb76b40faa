import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAccount } from '../../playground/account';

const folder = mkdtempSync(join(tmpdir(), 'two-way-messaging-account-'));
const file = join(folder, 'data', 'account.json');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the account of a data folder', () => {
	test('has a password that n8n accepts, and a key pair', async () => {
		const { password, apiKey, apiSecret } = await loadAccount(file);
		expect(password.length).toBeGreaterThanOrEqual(8);
		expect(password).toMatch(/\d/);
		expect(password).toMatch(/[A-Z]/);
		expect(apiKey).not.toBe('');
		expect(apiSecret).not.toBe('');
	});

	test('stays the same at every start', async () => {
		expect(await loadAccount(file)).toEqual(await loadAccount(file));
	});

	test('differs between folders', async () => {
		const other = await loadAccount(join(folder, 'other', 'account.json'));
		const { password, apiSecret } = await loadAccount(file);
		expect(other.password).not.toBe(password);
		expect(other.apiSecret).not.toBe(apiSecret);
	});

	test('can be read by its owner only', () => {
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
