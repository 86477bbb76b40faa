import { mkdir, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { freePort, LOOPBACK } from '../machine';
import type { Program } from '../program';
import { startGuarded } from './guarded';
import type { Programs } from './programs';

/** A Redis of its own, on loopback and a free port. */
export type Redis = { program: Program; port: number; password: string };

/**
 * Starts a Redis whose data are in a folder, written down every second.
 *
 * @throws Trouble when it does not start
 */
export const startRedis = async (
	programs: Programs,
	folder: string,
	logFile: string,
	password: string,
	signal?: AbortSignal,
): Promise<Redis> => {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const port = await freePort();
	// In a file, as everybody on the machine can read a command line.
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
	const program = startGuarded({ name: 'Redis', logFile, folder }, [programs.redis, settings]);
	try {
		await program.ready(async () => await answers(port, password), signal);
	} catch (error) {
		await program.stop();
		throw error;
	}
	return { program, port, password };
};

/** Whether it has read its data and takes commands. */
const answers = async (port: number, password: string): Promise<boolean> =>
	await new Promise((resolve) => {
		const socket = createConnection({ port, host: LOOPBACK, timeout: 2_000 });
		let answer = '';
		const end = (isReady: boolean) => {
			socket.destroy();
			resolve(isReady);
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
