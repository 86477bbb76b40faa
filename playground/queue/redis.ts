import { mkdir, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { freePort, LOOPBACK } from '../machine';
import type { Program } from '../program';
import { startGuarded, type ServerStart } from './guarded';

/** A Redis that only the playground uses, on loopback and a free port. */
export type Redis = { program: Program; port: number; password: string };

/**
 * Starts a Redis that keeps its data in a folder and writes them there every second.
 *
 * @throws Trouble when it does not start
 */
export const startRedis = async ({
	programs,
	folder,
	logFile,
	password,
	dataLock,
	signal,
}: ServerStart): Promise<Redis> => {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const port = await freePort();
	// The password is in a file, because everybody on the machine can read a command line.
	const settings = join(folder, 'redis.conf');
	await writeFile(
		settings,
		[
			`bind ${LOOPBACK}`,
			`port ${port}`,
			`requirepass ${password}`,
			`dir "${folder}"`,
			'appendonly yes',
			'appendfsync everysec',
			'',
		].join('\n'),
		{ mode: 0o600 },
	);
	const program = startGuarded({ name: 'Redis', logFile, folder }, dataLock, [
		programs.redis,
		settings,
	]);
	try {
		await program.ready(async () => await isReady(port, password), signal);
	} catch (error) {
		await program.stop();
		throw error;
	}
	return { program, port, password };
};

/** Whether Redis has read its data and takes commands. */
const isReady = async (port: number, password: string): Promise<boolean> =>
	await new Promise((resolve) => {
		const socket = createConnection({ port, host: LOOPBACK, timeout: 2_000 });
		let answer = '';
		const end = (hasAnswered: boolean) => {
			socket.destroy();
			resolve(hasAnswered);
		};
		socket.once('connect', () => socket.write(`AUTH ${password}\r\nPING\r\n`));
		socket.on('data', (chunk) => {
			answer += chunk.toString();
			if (answer.split('\r\n').length > 2) end(answer.includes('+PONG'));
		});
		socket.once('error', () => end(false));
		socket.once('timeout', () => end(false));
		socket.once('close', () => end(false));
	});
