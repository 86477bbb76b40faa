import { randomBytes } from 'node:crypto';
import { loadSecrets } from './secretFile';
import { Trouble } from './trouble';

/** The log-in of the playground's n8n, and the key pair that its sandbox accepts. */
export type Account = {
	email: string;
	password: string;
	apiKey: string;
	apiSecret: string;
};

/**
 * Loads the account of a data folder. It is drawn at random the first time and stays the same, so that
 * what n8n has stored stays valid.
 *
 * @throws Trouble when the file exists and does not hold an account
 */
export const loadAccount = async (file: string): Promise<Account> =>
	await loadSecrets(
		file,
		() => ({
			email: 'you@example.com',
			// n8n requires at least eight characters, a digit and a capital letter.
			password: `Play-${randomBytes(6).toString('hex')}-1`,
			apiKey: `key_${randomBytes(12).toString('hex')}`,
			apiSecret: `secret_${randomBytes(24).toString('hex')}`,
		}),
		new Trouble(
			`${file} does not hold the playground's account any more.`,
			'Start over with: npm start -- --fresh',
		),
	);
