/** What broke, in words for a log. JavaScript lets anything be thrown. */
export function reasonOf(thrown: unknown): string {
	return thrown instanceof Error ? thrown.message : String(thrown);
}
