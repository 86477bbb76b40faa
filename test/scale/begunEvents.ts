import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { LOOPBACK } from '../../playground/machine';
import type { Database } from '../../playground/queue/postgres';
import { findPrograms } from '../../playground/queue/programs';

const run = promisify(execFile);

/** The digest that n8n stores instead of what the node has recorded. */
const digest = (key: string): string => createHash('md5').update(key).digest('base64');

/**
 * Finds the events whose execution has begun, in the list that workers keep in n8n's table of processed data. For an
 * execution whose worker was killed n8n stores that it was killed, and not its items.
 *
 * @param events their names: `receive <handle>`
 */
export const findBegun = async (
	{ port, user, password, name }: Database,
	events: string[],
): Promise<Set<string>> => {
	// psql is in the same folder as the server; the PATH may contain only a link to the server.
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
	return new Set(events.filter((name) => known.has(digest(name.replace(' ', ':')))));
};
