import { diskIsFull, saysDiskIsFull, Trouble } from './trouble';

/** The parts of a playground that run, with the way to stop each of them. */
export class StartedParts {
	private readonly stops: Array<() => Promise<unknown>> = [];

	/** Adds a part that runs now. */
	add(stop: () => Promise<unknown>): void {
		this.stops.push(stop);
	}

	/** Stops every part, the last one first; returns when all of them are gone. */
	async stop(): Promise<void> {
		for (let stop = this.stops.pop(); stop !== undefined; stop = this.stops.pop()) await stop();
	}
}

/**
 * Starts several parts together: when one of them cannot start, those that run already are stopped.
 *
 * @param start adds every part that it has started
 * @throws Trouble where a person can do something about what went wrong
 */
export const startParts = async <Result>(
	dataFolder: string,
	start: (parts: StartedParts) => Promise<Result>,
): Promise<Result> => {
	const parts = new StartedParts();
	try {
		return await start(parts);
	} catch (error) {
		await parts.stop();
		throw saysDiskIsFull(String(error)) && !(error instanceof Trouble)
			? diskIsFull('starting the playground', dataFolder)
			: error;
	}
};
