import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { FolderLock, LOCK_FILE, readHolder, type Holder } from './folderLock';
import { runStep, type Log } from './progress';
import { Trouble } from './trouble';

/** n8n gets 10 s to end, and ends when its playground was killed. */
const ENDS_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 200;

/**
 * Locks a data folder before anything in it is touched. Where a playground was killed and its programs are still ending, this
 * waits for that.
 *
 * @param phone the URL of the phone, which a start that finds the folder in use shows
 * @throws Trouble while another playground uses the folder
 */
export const lockDataFolder = async (
	folder: string,
	phone: string,
	log: Log,
	signal?: AbortSignal,
): Promise<FolderLock> => {
	const lock =
		tryTake(folder) ??
		(await runStep(
			log,
			'Waiting for the programs of a playground that was killed',
			async () => await takeFromKilled(folder, signal),
		));
	lock.sign({ pid: process.pid, startedAt: new Date().toISOString(), phone });
	return lock;
};

/** Locks a folder; undefined where only the remains of a killed playground use it. */
const tryTake = (folder: string): FolderLock | undefined => {
	const lock = FolderLock.tryTake(folder);
	if (lock) return lock;
	const holder = readHolder(folder);
	if (holder && !isAlive(holder.pid)) return undefined;
	throw new Trouble(
		`A playground is running already with the data in ${folder}${holder ? describe(holder) : ''}.`,
		'Use that one, or end it with Ctrl-C in its terminal and run the command again.',
	);
};

const takeFromKilled = async (folder: string, signal?: AbortSignal): Promise<FolderLock> => {
	const giveUpAt = Date.now() + ENDS_WITHIN_MS;
	for (;;) {
		const lock = tryTake(folder);
		if (lock) return lock;
		if (Date.now() > giveUpAt) {
			throw new Trouble(
				`A playground was killed, and a program that it started still runs with the data in ${folder}.`,
				`End the processes that "lsof ${join(folder, LOCK_FILE)}" lists, and run the command again.`,
			);
		}
		await pause(LOOK_EVERY_MS, undefined, { signal });
	}
};

const describe = ({ pid, startedAt, phone }: Holder): string =>
	`: process ${pid}, started ${new Date(startedAt).toLocaleString()}, with its phone at ${phone}/`;

const isAlive = (pid: number): boolean => {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// Anything else than "no such process" means that there is one, which belongs to somebody else.
		return (error as NodeJS.ErrnoException).code !== 'ESRCH';
	}
};
