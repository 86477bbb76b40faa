/** A log that keeps a limited number of entries: when it is full, each new entry takes the place of the oldest one. */
export class BoundedLog<Entry extends { readonly id: string }> {
	#entries: Entry[] = [];
	/** Where the oldest entry is, in a log that is full. */
	#oldest = 0;

	constructor(private readonly size: number) {}

	/** Adds an entry. */
	add(entry: Entry): void {
		if (this.#entries.length < this.size) {
			this.#entries.push(entry);
			return;
		}
		this.#entries[this.#oldest] = entry;
		this.#oldest = (this.#oldest + 1) % this.size;
	}

	/** The entry with this id, if the log still has it. Its cost depends on the log's size. */
	get(id: string): Entry | undefined {
		return this.#entries.find((entry) => entry.id === id);
	}

	/** Up to `limit` entries that are older than `before`, newest first. */
	latest(limit: number, before?: Entry): Entry[] {
		const all = [...this.#entries.slice(this.#oldest), ...this.#entries.slice(0, this.#oldest)];
		const end = before ? all.indexOf(before) : all.length;
		return all.slice(Math.max(0, end - limit), end).reverse();
	}
}
