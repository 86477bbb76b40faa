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
import { startGuarded } from './guarded';
import type { Programs } from './programs';

const run = promisify(execFile);

/** How n8n opens its database. */
export type Database = { port: number; user: string; password: string; name: string };

/** The cluster's owner and its first database, which PostgreSQL makes by itself. */
const USER = 'n8n';
const DATABASE = 'postgres';

/** PostgreSQL refuses to run as root; this is whom Debian's package makes for it. */
const UNPRIVILEGED = 'postgres';

/** The protocol's request to speak TLS, which a server that is ready answers with one letter. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** A PostgreSQL of its own, on loopback and a free port. */
export type Postgres = { program: Program; database: Database };

/**
 * Starts a PostgreSQL whose data are in a folder; makes the cluster the first time.
 *
 * @throws Trouble when it cannot be made or does not start
 */
export const startPostgres = async (
	programs: Programs,
	folder: string,
	logFile: string,
	password: string,
	signal?: AbortSignal,
): Promise<Postgres> => {
	const as = await runner(folder);
	const data = join(as.folder, 'cluster');
	if (!existsSync(join(data, 'PG_VERSION'))) await makeCluster(programs, as, data, password);
	const port = await freePort();
	const settings = {
		listen_addresses: LOOPBACK,
		port: String(port),
		unix_socket_directories: '',
		// Nine n8n processes' worth of connections.
		max_connections: '200',
	};
	const program = startGuarded({ name: 'PostgreSQL', logFile, folder: as.folder }, [
		...as.prefix,
		programs.postgres,
		'-D',
		data,
		...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
	]);
	try {
		await program.ready(async () => await answers(port), signal);
	} catch (error) {
		await program.stop();
		throw error;
	}
	return { program, database: { port, user: USER, password, name: DATABASE } };
};

/** Removes a cluster, wherever it is kept. */
export const removePostgres = async (folder: string): Promise<void> => {
	await rm(folder, { recursive: true, force: true });
	await rm(elsewhere(folder), { recursive: true, force: true });
};

/** How to run PostgreSQL's programs, and where they may keep their data. */
type Runner = { prefix: string[]; folder: string };

const runner = async (folder: string): Promise<Runner> => {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	if (process.getuid?.() !== 0) return { prefix: [], folder };
	const prefix = ['setpriv', '--reuid', UNPRIVILEGED, '--regid', UNPRIVILEGED, '--clear-groups'];
	const [uid, gid] = await Promise.all(['-u', '-g'].map(idOf));
	await chown(folder, uid as number, gid as number);
	const mayEnter = await run(prefix[0] as string, [...prefix.slice(1), 'test', '-w', folder]).then(
		() => true,
		() => false,
	);
	if (mayEnter) return { prefix, folder };
	// Below a folder that only root may enter, such as root's home.
	const open = elsewhere(folder);
	await mkdir(open, { recursive: true, mode: 0o700 });
	await chown(open, uid as number, gid as number);
	return { prefix, folder: open };
};

const idOf = async (option: string): Promise<number> => {
	try {
		return Number((await run('id', [option, UNPRIVILEGED])).stdout);
	} catch {
		throw new Trouble(
			`PostgreSQL does not run as root, and this machine has no user ${UNPRIVILEGED} to run it as.`,
			'Run the command as an ordinary user, or make that user: useradd --system postgres',
		);
	}
};

/** The same place every time for the same data folder. */
const elsewhere = (folder: string): string => {
	const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
	return join(tmpdir(), `two-way-messaging-postgres-${name}`);
};

const makeCluster = async (
	{ initdb }: Programs,
	{ prefix, folder }: Runner,
	data: string,
	password: string,
): Promise<void> => {
	// What an earlier start left half made is of no use.
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
			'PostgreSQL could not make its data folder.',
			'Its last lines say why; when that is mended, run the command again.',
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

/** Whether the server speaks its protocol yet: its port opens a moment earlier. */
const answers = async (port: number): Promise<boolean> =>
	await new Promise((resolve) => {
		const socket = createConnection({ port, host: LOOPBACK, timeout: 2_000 });
		const end = (isReady: boolean) => {
			socket.destroy();
			resolve(isReady);
		};
		socket.once('connect', () => socket.write(TLS_REQUEST));
		socket.once('data', (answer) => end(/^[NS]/.test(answer.toString('latin1'))));
		socket.once('error', () => end(false));
		socket.once('timeout', () => end(false));
		socket.once('close', () => end(false));
	});
