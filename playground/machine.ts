import { mkdir, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Trouble } from './trouble';

const GIGABYTE = 1_000_000_000;

/** Everything in the playground listens here, so that only this machine can reach it. */
export const LOOPBACK = '127.0.0.1';

/** What the first start needs: n8n takes 2.6 GB, and its packages most of a gigabyte in npm's cache. */
export const SPACE_TO_INSTALL_BYTES = 4 * GIGABYTE;

/** What a later start needs, because the database and the logs grow. */
export const SPACE_TO_RUN_BYTES = 0.2 * GIGABYTE;

/**
 * Checks that the disk that holds `folder` has enough free space.
 *
 * @throws Trouble that says how much is free and how much is needed
 */
export const checkSpace = async (folder: string, neededBytes: number): Promise<void> => {
	await mkdir(folder, { recursive: true });
	const { bavail, bsize } = await statfs(folder);
	const freeBytes = bavail * bsize;
	if (freeBytes < neededBytes) {
		const gigabytes = (bytes: number) => (bytes / GIGABYTE).toFixed(1);
		throw new Trouble(
			`The disk has ${gigabytes(freeBytes)} GB left, and the playground needs ${gigabytes(neededBytes)} GB.`,
			`Free some space on the disk that holds ${folder} and run the command again.`,
		);
	}
};

const listen = async (port: number): Promise<number> =>
	await new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(port, LOOPBACK, () => {
			const address = server.address();
			server.close(() =>
				resolve(address !== null && typeof address === 'object' ? address.port : port),
			);
		});
	});

/** Finds a free port of this machine. */
export const freePort = async (): Promise<number> => await listen(0);

/**
 * Checks that a port can be listened on.
 *
 * @throws Trouble that says what needs it and which option chooses another
 */
export const checkPort = async (
	port: number,
	owner: string,
	option: string,
	command = 'npm start',
): Promise<void> => {
	try {
		await listen(port);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		const other = `${command} -- ${option} ${port < 65_000 ? port + 1 : 5_679}`;
		if (code === 'EACCES') {
			throw new Trouble(
				`Only an administrator of this machine can use port ${port}, which ${owner} needs.`,
				`Choose another: ${other}`,
			);
		}
		if (code !== 'EADDRINUSE') throw error;
		throw new Trouble(
			`Port ${port}, which ${owner} needs, is already in use; another playground may still be running.`,
			`End the program that uses it, or choose another port: ${other}`,
		);
	}
};
