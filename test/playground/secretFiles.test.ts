import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAccount } from '../../playground/account';
import { loadKeys } from '../../playground/queue/keys';
import { temporaryFolder } from '../support/temporaryFolder';

test.each([
	['the account of a playground', loadAccount, 'npm start -- --fresh'],
	['the keys of one in queue mode', loadKeys, 'npm run start:queue -- --fresh'],
])('%s are drawn once into a file of its owner; %s starts over', async (...given) => {
	const [, load, command] = given;
	const folder = temporaryFolder();
	const file = join(folder, 'data', 'secrets.json');
	const drawn = await load(file);
	expect(await load(file)).toEqual(drawn);
	expect(new Set(Object.values(drawn)).size).toBe(Object.keys(drawn).length);
	expect(statSync(file).mode & 0o777).toBe(0o600);
	const other = Object.values(await load(join(folder, 'other.json')));
	for (const secret of Object.values(drawn).filter((one) => !one.includes('@'))) {
		expect(other).not.toContain(secret);
	}
	const damaged = ['', '{', 'null', '{}', '{"email":"you@example.com"}', '{"encryptionKey":1}'];
	for (const text of damaged) {
		writeFileSync(file, text);
		await expect(load(file)).rejects.toThrow(command);
	}
});

test('the account of a playground has a password that n8n accepts', async () => {
	const { password } = await loadAccount(join(temporaryFolder(), 'account.json'));
	expect(password).toMatch(/^(?=.*\d)(?=.*[A-Z]).{8,}$/);
});
