import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { FolderLock } from '../folderLock';
import { OWN_GROUP } from '../processGroup';
import { Program, type ProgramStart } from '../program';
import type { Programs } from './programs';

/** What a database server or queue server is started with. */
export type ServerStart = {
	programs: Programs;
	/** Keeps its data. */
	folder: string;
	logFile: string;
	password: string;
	/** The lock of the data folder, which the server keeps as well for as long as it runs. */
	dataLock: FolderLock;
	/** Stops a start that has not finished. */
	signal?: AbortSignal;
};

/** Starts a server that ends when this process ends, however that happens. */
export const startGuarded = (
	start: ProgramStart,
	{ fileDescriptor }: FolderLock,
	command: string[],
): Program =>
	Program.start(start, (log) =>
		spawn(process.execPath, [join(__dirname, 'guard.cjs'), ...command], {
			cwd: start.folder,
			stdio: ['ignore', log, log, 'ipc', fileDescriptor],
			...OWN_GROUP,
		}),
	);
