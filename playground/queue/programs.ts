import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Trouble } from '../trouble';

/** The programs that queue mode needs beside n8n, by their paths. */
export type Programs = { initdb: string; postgres: string; redis: string };

/** Where Debian keeps each version of PostgreSQL, in a folder of its own that is not on the PATH. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';

/** Where servers lie that an ordinary person's PATH may leave out. */
const SERVER_FOLDERS = ['/usr/local/bin', '/usr/bin', '/usr/sbin', '/opt/homebrew/bin'];

/**
 * Finds PostgreSQL and Redis on this machine.
 *
 * @throws Trouble that names whatever lacks, and how to get it
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
		'Get both, and run the command again. Debian, Ubuntu: sudo apt-get install postgresql redis-server. macOS: brew install postgresql redis. Their own services need not run: the playground starts its own.',
	);
};

/** Debian's folders, the newest PostgreSQL first. */
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
