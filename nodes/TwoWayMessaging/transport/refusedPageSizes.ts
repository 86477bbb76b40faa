/** The accounts whose service refuses to be told a page size (§4.5: not shown), so that each is asked with one only once. */
export class RefusedPageSizes {
	private readonly accounts = new Set<string>();

	add(accountId: string): void {
		this.accounts.add(accountId);
	}

	has(accountId: string): boolean {
		return this.accounts.has(accountId);
	}
}
