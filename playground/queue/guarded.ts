import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { OWN_GROUP } from '../processGroup';
import { Program, type ProgramStart } from '../program';

/** Starts a server beside n8n; it ends with this process, however that ends. */
export const startGuarded = (start: ProgramStart, command: string[]): Program =>
	Program.begin(start, (log) =>
		spawn(process.execPath, [join(__dirname, 'guard.cjs'), ...command], {
			cwd: start.folder,
			stdio: ['ignore', log, log, 'ipc'],
			...OWN_GROUP,
		}),
	);
