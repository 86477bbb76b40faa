/**
 * A text as it is compared with what a person has typed into a field: in lower case, in one form of every character and of
 * the apostrophe, with single spaces, and without what changes the colour or the form of an emoji.
 *
 * ```ts
 * comparableText('I’m late') === comparableText("i'm\u00a0 late");
 * ```
 */
export function comparableText(text: string): string {
	return text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[\p{Emoji_Modifier}\p{Variation_Selector}\p{Me}\p{Cc}\p{Cf}\p{Cs}]/gu, (sign) =>
			/\s/.test(sign) ? ' ' : '',
		)
		.replace(/[’‘ʼ`´]/g, "'")
		.replace(/\s+/g, ' ')
		.trim();
}
