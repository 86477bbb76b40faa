/** Runs jobs in the order they are added, at most a fixed number of them at the same time. */
export class JobQueue {
	#waiting: Array<() => Promise<void>> = [];
	#running = 0;
	#idleListeners: Array<() => void> = [];

	constructor(private readonly mostAtOnce: number) {}

	/** Adds a job, which starts at once if there is room. A job must not reject. */
	add(job: () => Promise<void>): void {
		this.#waiting.push(job);
		this.#startNext();
	}

	/** Removes the jobs that have not started. */
	clear(): void {
		this.#waiting = [];
	}

	/** Resolves as soon as no job runs or waits. */
	settled(): Promise<void> {
		if (this.#running === 0 && this.#waiting.length === 0) return Promise.resolve();
		return new Promise((resolve) => this.#idleListeners.push(resolve));
	}

	#startNext(): void {
		while (this.#running < this.mostAtOnce) {
			const job = this.#waiting.shift();
			if (!job) break;
			this.#running++;
			void job().finally(() => {
				this.#running--;
				this.#startNext();
				if (this.#running === 0) for (const resolve of this.#idleListeners.splice(0)) resolve();
			});
		}
	}
}
