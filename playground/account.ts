import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Trouble } from './trouble';

/** Who logs in to the playground's n8n, and the key pair its sandbox lets in. */
export type Account = {
	email: string;
	password: string;
	apiKey: string;
	apiSecret: string;
};

const KEYS: Array<keyof Account> = ['email', 'password', 'apiKey', 'apiSecret'];

/**
 * The account of a data folder; drawn at random the first time and the same from then on, so that
 * what n8n has stored stays valid. The file can be read by its owner only.
 *
 * @throws Trouble when the file is there and does not hold an account.
 */
export const accountOf = async (file: string): Promise<Account> => {
	if (existsSync(file)) return parse(file, await readFile(file, 'utf8'));
	const account: Account = {
		email: 'you@example.com',
		// n8n asks for eight characters or more, a digit and a capital letter.
		password: `Play-${randomBytes(6).toString('hex')}-1`,
		apiKey: `key_${randomBytes(12).toString('hex')}`,
		apiSecret: `secret_${randomBytes(24).toString('hex')}`,
	};
	await mkdir(dirname(file), { recursive: true });
	// Renamed into place, so that a start cut off midway leaves no half of a file.
	await writeFile(`${file}.new`, `${JSON.stringify(account, null, '\t')}\n`, { mode: 0o600 });
	await rename(`${file}.new`, file);
	return account;
};

const parse = (file: string, text: string): Account => {
	try {
		const account = JSON.parse(text) as Account | null;
		if (account !== null && KEYS.every((key) => typeof account[key] === 'string')) return account;
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
	}
	throw new Trouble(
		`${file} does not hold the playground's account any more.`,
		'Begin anew with: npm start -- --fresh',
	);
};
