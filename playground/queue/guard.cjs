/**
 * Runs a program, and ends it when the playground has ended without stopping it: the channel between the two
 * breaks then.
 */
const { spawn } = require('node:child_process');

const [command, ...args] = process.argv.slice(2);
// The open lock file of the data folder, behind the channel (3). The program keeps it, so that the folder stays locked for
// as long as the program uses it, also when this process is killed.
const LOCK = 4;
const program = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', LOCK] });
// At SIGINT both PostgreSQL and Redis save their data and end at once.
const end = () => program.kill('SIGINT');
process.once('disconnect', end);
process.on('SIGTERM', end);
// A terminal sends Ctrl-C to every process; only the playground acts on it.
process.on('SIGINT', () => undefined);
program.once('error', (error) => {
	console.error(error.message);
	process.exit(127);
});
program.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 0 : 1)));
