/** A job, and what to call when it has ended or was removed. */
type Job = { run: () => Promise<void>; end: () => void };

/** Runs jobs in the order they are added, at most a fixed number of them at the same time. */
export class JobQueue {
	#waiting: Job[] = [];
	#running = 0;
	/** A promise for each job that runs or waits. */
	#pending = new Set<Promise<void>>();

	constructor(private readonly mostAtOnce: number) {}

	/** Whether a job runs or waits. */
	get isBusy(): boolean {
		return this.#pending.size > 0;
	}

	/** Adds a job, which starts at once if there is room. A job must not reject. */
	add(run: () => Promise<void>): void {
		let end = () => {};
		const pending = new Promise<void>((resolve) => {
			end = () => {
				this.#pending.delete(pending);
				resolve();
			};
		});
		this.#pending.add(pending);
		this.#waiting.push({ run, end });
		this.#startNext();
	}

	/** Removes the jobs that have not started. */
	clear(): void {
		for (const { end } of this.#waiting.splice(0)) end();
	}

	/** Resolves as soon as all jobs that were added by now have ended; those that are added later do not count. */
	async ended(): Promise<void> {
		await Promise.all(this.#pending);
	}

	/** Resolves as soon as no job runs or waits. */
	async settled(): Promise<void> {
		while (this.isBusy) await this.ended();
	}

	#startNext(): void {
		while (this.#running < this.mostAtOnce) {
			const job = this.#waiting.shift();
			if (!job) break;
			this.#running++;
			void job.run().finally(() => {
				this.#running--;
				this.#startNext();
				job.end();
			});
		}
	}
}
