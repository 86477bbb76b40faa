import { fork } from 'node:child_process';

/** What a process of its own may be asked to do, by name. Input and output travel as JSON. */
type Tasks = Record<string, (input: never) => Promise<unknown>>;

/**
 * Makes a bench file the program of its own processes as well: where it was started as one, it does the task
 * it was started for.
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
 * Does a task of a bench file in a Node process that has nothing else to do, with `--expose-gc`.
 *
 * Rejects when the process ends without an answer; what it had to say is on the terminal.
 */
export async function inOwnProcess<Output>(
	file: string,
	task: string,
	input: object,
): Promise<Output> {
	return await new Promise<Output>((resolve, reject) => {
		const child = fork(file, { execArgv: [...process.execArgv, '--expose-gc'] });
		let answer: { output: Output } | undefined;
		child.once('message', (output) => (answer = { output: output as Output }));
		child.once('error', reject);
		// Only when it is gone, so that it does not disturb what is measured next.
		child.once('exit', (code) => {
			if (answer) resolve(answer.output);
			else reject(new Error(`${file} (${task}) ended with code ${code}`));
		});
		child.send({ task, input });
	});
}
