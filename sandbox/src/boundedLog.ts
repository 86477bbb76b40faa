/** A log that keeps a limited number of entries: when it is full, each new entry removes the oldest one. */
export class BoundedLog<Entry extends { readonly id: string }> {
	#entries = new Map<string, Entry>();

	constructor(private readonly size: number) {}

	/** Adds an entry. */
	add(entry: Entry): void {
		this.#entries.set(entry.id, entry);
		if (this.#entries.size <= this.size) return;
		const oldest = this.#entries.keys().next();
		if (!oldest.done) this.#entries.delete(oldest.value);
	}

	/** The entry with this id, if the log still has it. */
	get(id: string): Entry | undefined {
		return this.#entries.get(id);
	}

	/** Up to `limit` entries that are older than `before`, newest first. */
	latest(limit: number, before?: Entry): Entry[] {
		const all = [...this.#entries.values()];
		const end = before ? all.indexOf(before) : all.length;
		return all.slice(Math.max(0, end - limit), end).reverse();
	}
}
