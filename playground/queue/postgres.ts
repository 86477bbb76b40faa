import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, LOOPBACK } from '../machine';
import { Trouble } from '../trouble';
import type { Program } from '../program';
import { startGuarded, type ServerStart } from './guarded';
import type { Programs } from './programs';

const run = promisify(execFile);

/** What n8n needs to open its database. */
export type Database = { port: number; user: string; password: string; name: string };

/** The cluster's owner, and its first database, which PostgreSQL creates by itself. */
const USER = 'n8n';
const DATABASE = 'postgres';

/** PostgreSQL refuses to run as root; Debian's package creates this user for it. */
const UNPRIVILEGED = 'postgres';

/** The protocol's request to use TLS. A server that is ready answers it with one letter. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** A PostgreSQL that only the playground uses, on loopback and a free port. */
export type Postgres = { program: Program; database: Database };

/**
 * Starts a PostgreSQL that keeps its data in a folder; creates its cluster the first time.
 *
 * @throws Trouble when the cluster cannot be created or PostgreSQL does not start
 */
export const startPostgres = async ({
	programs,
	folder,
	logFile,
	password,
	dataLock,
	signal,
}: ServerStart): Promise<Postgres> => {
	const runner = await chooseRunner(folder);
	const data = join(runner.folder, 'cluster');
	if (!existsSync(join(data, 'PG_VERSION'))) await createCluster(programs, runner, data, password);
	const port = await freePort();
	const settings = {
		listen_addresses: LOOPBACK,
		port: String(port),
		unix_socket_directories: '',
		// Enough for the connections of nine n8n processes.
		max_connections: '200',
	};
	const program = startGuarded({ name: 'PostgreSQL', logFile, folder: runner.folder }, dataLock, [
		...runner.prefix,
		programs.postgres,
		'-D',
		data,
		...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
	]);
	try {
		await program.ready(async () => await isReady(port), signal);
	} catch (error) {
		await program.stop();
		throw error;
	}
	return { program, database: { port, user: USER, password, name: DATABASE } };
};

/** Removes a cluster, also where it is outside of its data folder. */
export const removePostgres = async (folder: string): Promise<void> => {
	await rm(folder, { recursive: true, force: true });
	await rm(folderOutside(folder), { recursive: true, force: true });
};

/** How to run PostgreSQL's programs, and the folder that they can write to. */
type Runner = { prefix: string[]; folder: string };

const chooseRunner = async (folder: string): Promise<Runner> => {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	if (process.getuid?.() !== 0) return { prefix: [], folder };
	const prefix = ['setpriv', '--reuid', UNPRIVILEGED, '--regid', UNPRIVILEGED, '--clear-groups'];
	const [uid, gid] = await Promise.all(['-u', '-g'].map(idOf));
	await chown(folder, uid as number, gid as number);
	const canWrite = await run(prefix[0] as string, [...prefix.slice(1), 'test', '-w', folder]).then(
		() => true,
		() => false,
	);
	if (canWrite) return { prefix, folder };
	// The data folder is inside a folder that only root can enter, such as root's home.
	const outside = folderOutside(folder);
	await mkdir(outside, { recursive: true, mode: 0o700 });
	await chown(outside, uid as number, gid as number);
	return { prefix, folder: outside };
};

const idOf = async (option: string): Promise<number> => {
	try {
		return Number((await run('id', [option, UNPRIVILEGED])).stdout);
	} catch {
		throw new Trouble(
			`PostgreSQL does not run as root, and this machine has no user ${UNPRIVILEGED} to run it as.`,
			'Run the command as an ordinary user, or create that user: useradd --system postgres',
		);
	}
};

/** The folder for a cluster that PostgreSQL's user cannot keep in its data folder; always the same for the same data folder. */
const folderOutside = (folder: string): string => {
	const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
	return join(tmpdir(), `two-way-messaging-postgres-${name}`);
};

const createCluster = async (
	{ initdb }: Programs,
	{ prefix, folder }: Runner,
	data: string,
	password: string,
): Promise<void> => {
	// An earlier start may have left an unfinished cluster.
	await rm(data, { recursive: true, force: true });
	const passwordFile = join(folder, 'password');
	await writeFile(passwordFile, password, { mode: 0o600 });
	if (prefix.length > 0) {
		const [uid, gid] = await Promise.all(['-u', '-g'].map(idOf));
		await chown(passwordFile, uid as number, gid as number);
	}
	const [command, ...args] = [
		...prefix,
		initdb,
		...['-D', data, '-U', USER, '-E', 'UTF8', '--locale=C', '--no-sync'],
		...['--auth=scram-sha-256', `--pwfile=${passwordFile}`],
	];
	try {
		await run(command as string, args, { cwd: dirname(data) });
	} catch (error) {
		const { stderr = String(error) } = error as { stderr?: string };
		throw new Trouble(
			'PostgreSQL could not create its data folder.',
			'Its last lines say why. Correct that and run the command again.',
			stderr
				.split('\n')
				.filter((line) => line.trim() !== '')
				.slice(-6),
		);
	} finally {
		await rm(passwordFile, { force: true });
	}
	await chmod(data, 0o700);
};

/** Whether the server answers in its protocol yet; its port opens a moment earlier. */
const isReady = async (port: number): Promise<boolean> =>
	await new Promise((resolve) => {
		const socket = createConnection({ port, host: LOOPBACK, timeout: 2_000 });
		const end = (hasAnswered: boolean) => {
			socket.destroy();
			resolve(hasAnswered);
		};
		socket.once('connect', () => socket.write(TLS_REQUEST));
		socket.once('data', (answer) => end(/^[NS]/.test(answer.toString('latin1'))));
		socket.once('error', () => end(false));
		socket.once('timeout', () => end(false));
		socket.once('close', () => end(false));
	});
