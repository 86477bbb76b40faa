import { systemClock, type Clock } from './clock';

/** One instance of every class that is asked for: who has something to remember defines a class for it. */
export class Memory {
	private readonly parts = new Map<unknown, unknown>();

	constructor(readonly clock: Clock) {}

	/** The memory's instance of the class, made when it is first asked for. */
	part<Part>(partClass: new (clock: Clock) => Part): Part {
		if (!this.parts.has(partClass)) this.parts.set(partClass, new partClass(this.clock));
		return this.parts.get(partClass) as Part;
	}
}

const ANSWER_TIMEOUT_MS = 30_000;

/** What both nodes remember as long as a process of n8n lives, and the time they go by. */
export class ProcessMemory extends Memory {
	/** When the process began, by n8n's clock. */
	readonly sinceMs = this.clock.nowMs();

	constructor(
		clock: Clock = systemClock,
		readonly answerTimeoutMs = ANSWER_TIMEOUT_MS,
	) {
		super(clock);
	}
}

/** The memory of this process: the only variable of the package that outlives a call. */
export const processMemory = new ProcessMemory();

/**
 * Makes a method of a node class: n8n calls it with its context as `this`, so it cannot reach the node in any other way.
 *
 * @param node the instance that n8n makes; its memory is read at each call
 */
export function withMemory<Context, Result>(
	node: { memory: ProcessMemory },
	run: (context: Context, memory: ProcessMemory) => Result,
): (this: Context) => Result {
	return function (this: Context): Result {
		return run(this, node.memory);
	};
}
