/**
 * Runs a program that knows nothing of the playground, and ends it when the playground goes away without a
 * word: then the channel between the two breaks.
 */
const { spawn } = require('node:child_process');

const [command, ...args] = process.argv.slice(2);
const program = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
// SIGINT is what both PostgreSQL and Redis take as: save what there is, and end now.
const end = () => program.kill('SIGINT');
process.once('disconnect', end);
process.on('SIGTERM', end);
// A terminal's Ctrl-C is the playground's to act on.
process.on('SIGINT', () => undefined);
program.once('error', (error) => {
	console.error(error.message);
	process.exit(127);
});
program.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 0 : 1)));
