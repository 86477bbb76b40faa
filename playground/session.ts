import { logTo, type Log } from './progress';
import { Trouble } from './trouble';

/** Something that runs until a person ends it. */
export type Running = { broken: Promise<Trouble>; stop(): Promise<void> };

/** Fires at the first Ctrl-C or request to end. */
const untilAsked = (): AbortSignal => {
	const asked = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		// A terminal and npm may both pass on the same Ctrl-C; one is enough.
		process.on(signal, () => asked.abort());
	}
	return asked.signal;
};

/**
 * Begins something, says where it is, and ends it at Ctrl-C or when it breaks.
 *
 * @param begin gives undefined where there was nothing to begin
 * @param command what people type to get here, which their next steps are told with
 */
export const runUntilAsked = (
	begin: (
		log: Log,
		asked: () => AbortSignal,
	) => Promise<{ running: Running; words: string } | void>,
	command = 'npm start',
): void => {
	const log = logTo(process.stdout);
	run(begin, log).then(
		() => process.exit(0),
		(error: unknown) => {
			if (error instanceof Error && error.name === 'AbortError') {
				log('Stopped before everything was up. The next start goes on from here.');
				process.exit(130);
			}
			const isForPeople = error instanceof Trouble;
			console.error(
				isForPeople ? `\n${error.message.replaceAll('npm start --', `${command} --`)}` : error,
			);
			process.exit(1);
		},
	);
};

const run = async (begin: Parameters<typeof runUntilAsked>[0], log: Log): Promise<void> => {
	let asked: AbortSignal | undefined;
	const begun = await begin(log, () => (asked ??= untilAsked()));
	if (!begun) return;
	const { running, words } = begun;
	log(words);
	const trouble = await Promise.race([
		new Promise<undefined>((resolve) => {
			if (asked?.aborted) resolve(undefined);
			asked?.addEventListener('abort', () => resolve(undefined));
		}),
		running.broken,
	]);
	log('  … Stopping', 'passing');
	await running.stop();
	if (trouble !== undefined) throw trouble;
	log('Everything is stopped. The next start goes on where this one ended.');
};
