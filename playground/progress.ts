/** Shows a person one line; the next line may overwrite one of the kind `passing`. */
export type Log = (line: string, kind?: 'passing') => void;

const SHOW_EVERY_MS = 1_000;

/** Runs one named step, and shows how long it has been running and how long it took. */
export const runStep = async <Result>(
	log: Log,
	title: string,
	work: () => Promise<Result>,
): Promise<Result> => {
	const startedAt = Date.now();
	const seconds = () => Math.round((Date.now() - startedAt) / 1000);
	log(`  … ${title}`, 'passing');
	const ticking = setInterval(() => log(`  … ${title}, ${seconds()} s`, 'passing'), SHOW_EVERY_MS);
	try {
		const result = await work();
		log(`  ✓ ${title} (${seconds()} s)`);
		return result;
	} catch (error) {
		log(`  ✗ ${title} (${seconds()} s)`);
		throw error;
	} finally {
		clearInterval(ticking);
	}
};

const REPEAT_PASSING_AFTER_MS = 15_000;

/**
 * Makes a log that prints to a stream. In a terminal, passing lines overwrite each other; elsewhere one of
 * them is printed every 15 seconds, which shows that a long step still runs.
 */
export const logTo = (stream: NodeJS.WriteStream): Log => {
	let isPassingShown = false;
	let lastPassingAt = Date.now();
	return (line, kind) => {
		if (stream.isTTY) {
			const width = stream.columns || 80;
			const shown = kind === 'passing' ? line.slice(0, width - 1) : line;
			stream.write(
				`${isPassingShown ? '\r\u001b[K' : ''}${shown}${kind === 'passing' ? '' : '\n'}`,
			);
			isPassingShown = kind === 'passing';
		} else if (kind !== 'passing') {
			stream.write(`${line}\n`);
			lastPassingAt = Date.now();
		} else if (Date.now() - lastPassingAt >= REPEAT_PASSING_AFTER_MS) {
			stream.write(`${line}\n`);
			lastPassingAt = Date.now();
		}
	};
};
