import { randomBytes } from 'node:crypto';
import { loadSecrets } from '../secretFile';
import { Trouble } from '../trouble';

/** The secrets that the playground's own processes share. */
export type Keys = {
	/** Every n8n process reads the credentials with it. */
	encryptionKey: string;
	databasePassword: string;
	redisPassword: string;
};

/**
 * Loads the keys of a data folder; they are drawn at random the first time.
 *
 * @throws Trouble when the file exists and does not hold them
 */
export const loadKeys = async (file: string): Promise<Keys> => {
	const draw = () => randomBytes(24).toString('hex');
	return await loadSecrets(
		file,
		() => ({ encryptionKey: draw(), databasePassword: draw(), redisPassword: draw() }),
		new Trouble(
			`${file} does not hold the playground's keys any more.`,
			'Start over with: npm run start:queue -- --fresh',
		),
	);
};
