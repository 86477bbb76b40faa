import './nodeVersion';
import { HELP, readOptions } from './options';
import { startPlayground, type Playground } from './playground';
import { logTo } from './progress';
import { Trouble } from './trouble';

const log = logTo(process.stdout);

/** Fires at the first Ctrl-C or request to end. */
const untilAsked = (): AbortSignal => {
	const asked = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		// A terminal and npm may both pass on the same Ctrl-C; one is enough.
		process.on(signal, () => asked.abort());
	}
	return asked.signal;
};

const whereThingsAre = ({ n8nUrl, sandboxUrl, login }: Playground): string =>
	[
		'',
		'The playground is running.',
		'',
		`  Phone    ${sandboxUrl}/   text as a customer, and see the answer`,
		`  n8n      ${n8nUrl}/   the workflow that answers, and more examples to try`,
		`  Log-in   ${login.email}   password ${login.password}`,
		'',
		'Ctrl-C stops everything.',
	].join('\n');

const run = async (): Promise<void> => {
	const options = readOptions(process.argv.slice(2), process.env);
	if (options.isHelp) {
		log(HELP);
		return;
	}
	const asked = untilAsked();
	const playground = await startPlayground({ ...options, log, signal: asked });
	log(whereThingsAre(playground));
	const trouble = await Promise.race([
		new Promise<undefined>((resolve) => {
			if (asked.aborted) resolve(undefined);
			asked.addEventListener('abort', () => resolve(undefined));
		}),
		playground.broken,
	]);
	log('  … Stopping', 'passing');
	await playground.stop();
	if (trouble !== undefined) throw trouble;
	log('Everything is stopped. The next start goes on where this one ended.');
};

run().then(
	() => process.exit(0),
	(error: unknown) => {
		if (error instanceof Error && error.name === 'AbortError') {
			log('Stopped before everything was up. The next start goes on from here.');
			process.exit(130);
		}
		console.error(error instanceof Trouble ? `\n${error.message}` : error);
		process.exit(1);
	},
);
