import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Trouble } from '../trouble';

/** What only the playground's own processes know. */
export type Keys = {
	/** With which every n8n process reads the credentials. */
	encryptionKey: string;
	databasePassword: string;
	redisPassword: string;
};

const NAMES: Array<keyof Keys> = ['encryptionKey', 'databasePassword', 'redisPassword'];

/**
 * The keys of a data folder; drawn at random the first time. The file can be read by its owner only.
 *
 * @throws Trouble when the file is there and does not hold them
 */
export const keysOf = async (file: string): Promise<Keys> => {
	if (existsSync(file)) return parse(file, await readFile(file, 'utf8'));
	const draw = () => randomBytes(24).toString('hex');
	const keys: Keys = {
		encryptionKey: draw(),
		databasePassword: draw(),
		redisPassword: draw(),
	};
	await mkdir(dirname(file), { recursive: true });
	// Renamed into place, so that a start cut off midway leaves no half of a file.
	await writeFile(`${file}.new`, `${JSON.stringify(keys, null, '\t')}\n`, { mode: 0o600 });
	await rename(`${file}.new`, file);
	return keys;
};

const parse = (file: string, text: string): Keys => {
	try {
		const keys = JSON.parse(text) as Keys | null;
		if (keys !== null && NAMES.every((name) => typeof keys[name] === 'string')) return keys;
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
	}
	throw new Trouble(
		`${file} does not hold the playground's keys any more.`,
		'Begin anew with: npm run start:queue -- --fresh',
	);
};
