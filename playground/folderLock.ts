import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';

/** The file in a folder that is locked while the folder is in use. */
export const LOCK_FILE = 'in-use.lock';

/** Who has locked a folder, for messages. The lock itself does not depend on it. */
export type Holder = { pid: number; startedAt: string; phone: string };

/**
 * A folder that is in use. The system's kernel keeps the lock for the open file, and drops it when the last process
 * that has the file open has ended, however that happened.
 *
 *     const lock = FolderLock.tryTake('data') // undefined while somebody else uses the folder
 *     lock?.release()
 */
export class FolderLock {
	private constructor(
		/** Pass it to a process that is to keep the folder locked as well. */
		readonly fileDescriptor: number,
	) {}

	/**
	 * Locks a folder, which is created where it is not there.
	 *
	 * @param sharing whether others that share it may use it at the same time
	 * @returns undefined while somebody else has a lock that excludes this one
	 */
	static tryTake(folder: string, sharing: 'alone' | 'shared' = 'alone'): FolderLock | undefined {
		mkdirSync(folder, { recursive: true });
		const lock = new FolderLock(openSync(join(folder, LOCK_FILE), 'a+', 0o600));
		if (tryLock(lock.fileDescriptor, { shared: sharing === 'shared' })) return lock;
		lock.release();
		return undefined;
	}

	/** Lets others use the folder as well from now on. */
	share(): boolean {
		return tryLock(this.fileDescriptor, { shared: true });
	}

	/** Writes down who has the lock. */
	sign(holder: Holder): void {
		ftruncateSync(this.fileDescriptor);
		writeSync(this.fileDescriptor, `${JSON.stringify(holder)}\n`);
	}

	/** Gives the folder up. A process that got the file descriptor still keeps the folder locked. */
	release(): void {
		closeSync(this.fileDescriptor);
	}
}

/** Who wrote down last that they have a folder; undefined where nobody has, or has only begun to. */
export const readHolder = (folder: string): Holder | undefined => {
	try {
		const holder = JSON.parse(readFileSync(join(folder, LOCK_FILE), 'utf8')) as Partial<Holder>;
		return typeof holder.pid === 'number' ? (holder as Holder) : undefined;
	} catch {
		return undefined;
	}
};

/** Removes everything in a folder but its lock, which would protect nothing once its file is gone. */
export const emptyLockedFolder = async (folder: string): Promise<void> => {
	for (const name of await readdir(folder)) {
		if (name !== LOCK_FILE) await rm(join(folder, name), { recursive: true, force: true });
	}
};
