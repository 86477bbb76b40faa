import type { ChildProcess } from 'node:child_process';

/** Spawn options that put a child process and its own children into one group, which can be ended as a whole. */
export const OWN_GROUP = { detached: process.platform !== 'win32' };

/** Sends a signal to the whole group of a child process; does nothing when the group has already ended. */
export const signalGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
	if (child.pid === undefined) return;
	if (!OWN_GROUP.detached) {
		child.kill(signal);
		return;
	}
	try {
		process.kill(-child.pid, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
};
