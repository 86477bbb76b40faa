/** What became of the message of one item, and what the summary calls it. */
const WORDS = {
	sent: 'sent',
	optedOut: 'opted out',
	alreadySent: 'sent before',
	undeliverable: 'could not be sent',
	unconfirmed: 'not confirmed',
	refused: 'refused',
} as const;

export type SendingResult = keyof typeof WORDS;

/**
 * What became of the messages of a run, item by item:
 *
 * ```ts
 * run.results.mark(itemIndex, 'sent');
 * run.results.summary(); // '118 sent, 2 opted out'
 * ```
 */
export class SendingResults {
	private readonly byItem = new Map<number, SendingResult>();

	/** Remembers what became of an item's message; the latest mark counts. */
	mark(itemIndex: number, result: SendingResult): void {
		this.byItem.set(itemIndex, result);
	}

	/** Marks an item that failed as refused, unless it is known better what became of its message. */
	markFailed(itemIndex: number): void {
		const known = this.byItem.get(itemIndex);
		if (known === undefined || known === 'sent') this.mark(itemIndex, 'refused');
	}

	/** How many items have a result. */
	count(result: SendingResult): number {
		return [...this.byItem.values()].filter((one) => one === result).length;
	}

	/** The counts of all results that occurred, in words. */
	summary(): string {
		const results = Object.keys(WORDS) as SendingResult[];
		return results
			.filter((result) => this.count(result) > 0)
			.map((result) => `${this.count(result)} ${WORDS[result]}`)
			.join(', ');
	}
}
