import { fork } from 'node:child_process';

/** The tasks that another process can do, by name. Input and output are sent as JSON. */
type Tasks = Record<string, (input: never) => Promise<unknown>>;

/**
 * Makes a bench file also the program of its own processes: in such a process it does the task that the process was
 * started for.
 */
export function offer(file: NodeJS.Module, tasks: Tasks): void {
	if (require.main !== file) return;
	process.once('message', ({ task, input }: { task: string; input: never }) => {
		const work = tasks[task];
		if (!work) throw new Error(`No task "${task}" in ${file.filename}`);
		void work(input).then((output) => process.send?.(output, () => process.exit()));
	});
}

/**
 * Does a task of a bench file in its own Node process, with `--expose-gc`.
 *
 * Rejects when the process ends without an answer; the terminal shows what it printed.
 */
export async function inOwnProcess<Output>(
	file: string,
	task: string,
	input: object,
): Promise<Output> {
	return await new Promise<Output>((resolve, reject) => {
		const smoke = process.argv.filter((argument) => argument === '--smoke');
		const child = fork(file, smoke, { execArgv: [...process.execArgv, '--expose-gc'] });
		let answer: { output: Output } | undefined;
		child.once('message', (output) => (answer = { output: output as Output }));
		child.once('error', reject);
		// Waits until the process has ended, so that it does not disturb the next measurement.
		child.once('exit', (code) => {
			if (answer) resolve(answer.output);
			else reject(new Error(`${file} (${task}) ended with code ${code}`));
		});
		child.send({ task, input });
	});
}
