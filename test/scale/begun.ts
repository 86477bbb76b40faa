import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { LOOPBACK } from '../../playground/machine';
import type { Database } from '../../playground/queue/postgres';
import { findPrograms } from '../../playground/queue/programs';

const run = promisify(execFile);

/** Entries as n8n keeps them: each is a digest of what the node recorded. */
const digest = (key: string): string => createHash('md5').update(key).digest('base64');

/**
 * Which messages have begun, by the list that workers keep in n8n's table of processed data. Of an execution whose
 * worker was killed n8n keeps a row that says so, and not which items it had.
 */
export const begunAmong = async (
	{ port, user, password, name }: Database,
	handles: string[],
): Promise<Set<string>> => {
	// Beside the server itself; what is found on the PATH may be a link to it alone.
	const { postgres } = findPrograms(process.env.PATH ?? '');
	const psql = join(dirname(await realpath(postgres)), 'psql');
	const { stdout } = await run(
		psql,
		[
			...['-h', LOOPBACK, '-p', String(port), '-U', user, '-d', name, '-A', '-t'],
			...['-c', "select value from processed_data where context like 'n:%'"],
		],
		{ env: { ...process.env, PGPASSWORD: password }, maxBuffer: 100_000_000 },
	);
	const entries = stdout
		.split('\n')
		.filter((line) => line !== '')
		.flatMap((line) => (JSON.parse(line) as { data: string[] }).data);
	const known = new Set(entries);
	return new Set(handles.filter((handle) => known.has(digest(`receive:${handle}`))));
};
