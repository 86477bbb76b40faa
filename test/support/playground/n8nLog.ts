import { readFile } from 'node:fs/promises';

/** Reads a log file of n8n, without the lines about migrations of its database. */
export const readN8nLog = async (file: string): Promise<string> => {
	const log = await readFile(file, 'utf8').catch(() => 'n8n has no log.');
	const lines = log.split('\n').filter((line) => !/^(Starting|Finished) migration/.test(line));
	return lines.join('\n');
};

/** Runs the body of a test, and shows n8n's log when it fails. */
export const showingLog = async (
	readLog: () => Promise<string>,
	body: () => Promise<void>,
): Promise<void> => {
	try {
		await body();
	} catch (error) {
		process.stderr.write(`--- n8n's log ---\n${await readLog()}\n`);
		throw error;
	}
};
