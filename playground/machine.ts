import { mkdir, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Trouble } from './trouble';

const GIGABYTE = 1_000_000_000;

/** Where everything of the playground listens: this machine only. */
export const LOOPBACK = '127.0.0.1';

/** What a first start needs: n8n takes 2.6 GB, and npm's cache of it most of a gigabyte. */
export const SPACE_TO_INSTALL_BYTES = 4 * GIGABYTE;

/** What a later start needs: the database and its logs grow. */
export const SPACE_TO_RUN_BYTES = 0.2 * GIGABYTE;

/**
 * Checks that the disk below `folder` has room.
 *
 * @throws Trouble that says how much is there and how much is needed.
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

/** A port of this machine that nobody listens on. */
export const freePort = async (): Promise<number> => await listen(0);

/**
 * Checks that a port can be listened on.
 *
 * @throws Trouble that says who wanted it and which option gives another.
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
				`This machine lets only an administrator use port ${port}, which ${owner} was to have.`,
				`Choose another: ${other}`,
			);
		}
		if (code !== 'EADDRINUSE') throw error;
		throw new Trouble(
			`Port ${port}, which ${owner} needs, is already in use; a playground that still runs may be holding it.`,
			`End the program that uses it, or choose another port: ${other}`,
		);
	}
};
