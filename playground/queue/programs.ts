import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Trouble } from '../trouble';

/** The paths of the programs that queue mode needs in addition to n8n. */
export type Programs = { initdb: string; postgres: string; redis: string };

/** Debian keeps each version of PostgreSQL in its own folder here, which is not on the PATH. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';

/** Folders with servers that may not be on an ordinary user's PATH. */
const SERVER_FOLDERS = ['/usr/local/bin', '/usr/bin', '/usr/sbin', '/opt/homebrew/bin'];

/**
 * Finds PostgreSQL and Redis on this machine.
 *
 * @throws Trouble that names what is missing, and how to install it
 */
export const findPrograms = (path: string, folders = usualFolders()): Programs => {
	const places = [...path.split(delimiter).filter((folder) => folder !== ''), ...folders];
	const find = (name: string) => places.map((folder) => join(folder, name)).find(isExecutable);
	const postgres = find('postgres');
	const initdb = find('initdb');
	const redis = find('redis-server') ?? find('valkey-server');
	if (postgres && initdb && redis) return { postgres, initdb, redis };
	const missing = [...(postgres && initdb ? [] : ['PostgreSQL']), ...(redis ? [] : ['Redis'])].join(
		' and ',
	);
	throw new Trouble(
		`n8n's queue mode needs ${missing}, and this machine does not have it.`,
		'Install both and run the command again. Debian, Ubuntu: sudo apt-get install postgresql redis-server. macOS: brew install postgresql redis. Their services need not run: the playground starts its own.',
	);
};

/** The folders where systems keep these programs, those of the newest PostgreSQL first. */
const usualFolders = (): string[] => {
	const versions = existsSync(POSTGRES_VERSIONS) ? readdirSync(POSTGRES_VERSIONS) : [];
	return [
		...versions
			.sort((one, other) => Number(other) - Number(one))
			.map((version) => join(POSTGRES_VERSIONS, version, 'bin')),
		...SERVER_FOLDERS,
	];
};

const isExecutable = (file: string): boolean => {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
};
