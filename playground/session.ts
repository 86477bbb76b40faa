import { readOptions, type Options } from './options';
import { logTo, type Log } from './progress';
import { Trouble } from './trouble';

/** Something that runs until a person stops it. */
export type Running = { broken: Promise<Trouble>; stop(): Promise<void> };

/** A command that starts something and keeps it running. */
export type Command<Started extends Running> = {
	/** What people type to run it. */
	name: string;
	/** What `--help` prints. */
	help: string;
	start: (options: Options & { log: Log; signal: AbortSignal }) => Promise<Started>;
	/** Tells a person what runs now and where to find it. */
	describe: (started: Started) => string;
};

/**
 * Runs a command: reads its options from the command line, starts it, says where it runs, and stops it at
 * Ctrl-C or when it breaks. Ends this process.
 */
export const runCommand = <Started extends Running>(command: Command<Started>): void => {
	const log = logTo(process.stdout);
	run(command, log).then(
		() => process.exit(0),
		(error: unknown) => {
			if (error instanceof Error && error.name === 'AbortError') {
				log('Stopped before everything was up. The next start continues from here.');
				process.exit(130);
			}
			console.error(
				error instanceof Trouble
					? `\n${error.message.replaceAll('npm start --', `${command.name} --`)}`
					: error,
			);
			process.exit(1);
		},
	);
};

const run = async <Started extends Running>(
	{ help, start, describe }: Command<Started>,
	log: Log,
): Promise<void> => {
	const options = readOptions(process.argv.slice(2), process.env);
	if (options.isHelp) {
		log(help);
		return;
	}
	const signal = abortAtCtrlC();
	const started = await start({ ...options, log, signal });
	log(describe(started));
	const trouble = await Promise.race([
		new Promise<undefined>((resolve) => {
			if (signal.aborted) resolve(undefined);
			signal.addEventListener('abort', () => resolve(undefined));
		}),
		started.broken,
	]);
	log('  … Stopping', 'passing');
	await started.stop();
	if (trouble !== undefined) throw trouble;
	log(
		"Everything has stopped. n8n's workflows and executions are kept; the phone's conversations are gone.",
	);
};

/** Aborts at the first Ctrl-C, or when the system asks this process to end. */
const abortAtCtrlC = (): AbortSignal => {
	const stopping = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		// A terminal and npm may both pass on the same Ctrl-C; the second one changes nothing.
		process.on(signal, () => stopping.abort());
	}
	return stopping.signal;
};
