/** Something a person can mend: what happened in one sentence, and what to do next in another. */
export class Trouble extends Error {
	override readonly name = 'Trouble';

	constructor(
		readonly happened: string,
		readonly whatToDo: string,
		/** The last lines a program printed, where they help. */
		readonly lastLines: string[] = [],
	) {
		super([happened, ...lastLines.map((line) => `  │ ${line}`), whatToDo].join('\n'));
	}
}

const SPACE_GONE =
	/ENOSPC|no space left on device|SQLITE_FULL|database or disk is full|EDQUOT|disk quota/i;

/** Whether a program's output or a system call's code says that the disk is full. */
export const saysDiskIsFull = (text: string): boolean => SPACE_GONE.test(text);

/** The disk ran full while `doing` was under way. */
export const diskIsFull = (doing: string, folder: string): Trouble =>
	new Trouble(
		`The disk ran full while ${doing}.`,
		`Free some space on the disk that holds ${folder} (the first start takes 4 GB) and run the command again.`,
	);
