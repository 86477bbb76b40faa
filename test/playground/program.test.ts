import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { OWN_GROUP } from '../../playground/processGroup';
import { Program } from '../../playground/program';
import { temporaryFolder } from '../support/temporaryFolder';

const folder = temporaryFolder();
/** Starts a program that does what a script says. */
const start = (script: string) =>
	Program.start({ name: 'n8n', logFile: join(folder, 'n8n.log'), folder }, (log) =>
		spawn(process.execPath, ['-e', script], { stdio: ['ignore', log, log], ...OWN_GROUP }),
	);

describe('a program that nobody stopped', () => {
	test.each([
		['ended by itself', 'process.exit(3)', 'n8n ended by itself (code 3).'],
		[
			'was ended by a signal',
			"process.kill(process.pid, 'SIGKILL')",
			'n8n was ended by a signal (SIGKILL).',
		],
	])('%s, and the message says so', async (_how, script, happened) => {
		expect(await start(script).broken).toMatchObject({ happened });
	});
});
