/**
 * A text as any service may keep it: without spaces around it, in one Unicode form, with one kind of line end.
 *
 * assumption: a service changes a text in no other way (§2.2 shows `content` as sent).
 */
export function keptText(content: string | null | undefined): string {
	return (content ?? '').normalize('NFC').replace(/\r\n?/g, '\n').trim();
}
