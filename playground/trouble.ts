/** Something that a person can do something about: one sentence says what happened, another what to do next. */
export class Trouble extends Error {
	override readonly name = 'Trouble';

	constructor(
		readonly happened: string,
		readonly whatToDo: string,
		/** The last lines that a program printed, where they help. */
		readonly lastLines: string[] = [],
	) {
		super([happened, ...lastLines.map((line) => `  │ ${line}`), whatToDo].join('\n'));
	}
}

const SPACE_GONE =
	/ENOSPC|no space left on device|SQLITE_FULL|database or disk is full|EDQUOT|disk quota/i;

/** Whether a program's output, or the code of a system call, says that the disk is full. */
export const saysDiskIsFull = (text: string): boolean => SPACE_GONE.test(text);

/** Says that the disk became full while something was going on. */
export const diskIsFull = (doing: string, folder: string): Trouble =>
	new Trouble(
		`The disk became full while ${doing}.`,
		`Free some space on the disk that holds ${folder} (the first start needs 4 GB) and run the command again.`,
	);
