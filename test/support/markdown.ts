/** A heading with everything below it, up to the next heading of the same or a higher rank. */
export type Section = { heading: string; anchor: string; text: string };

const HEADING = /^(#{1,6}) (.+)$/;

/** The text without blocks of code, which can contain hashes and brackets that are no headings and links. */
const withoutCode = (markdown: string) => markdown.replace(/^( *)```[\s\S]*?^\1```$/gm, '');

/** The anchor that GitHub and npm give to a heading. */
const anchorOf = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, '')
		.trim()
		.replace(/\s/g, '-');

/** Every section of a document, also those inside of other sections. */
export function sectionsOf(markdown: string): Section[] {
	const lines = withoutCode(markdown).split('\n');
	return lines.flatMap((line, at) => {
		const [, marks = '', heading = ''] = HEADING.exec(line) ?? [];
		if (heading === '') return [];
		const rest = lines.slice(at + 1);
		const end = rest.findIndex(
			(later) => (HEADING.exec(later)?.[1] ?? '#######').length <= marks.length,
		);
		const text = rest.slice(0, end === -1 ? undefined : end).join('\n');
		return [{ heading, anchor: anchorOf(heading), text }];
	});
}

/** The text below a heading, by its anchor. */
export const textBelow = (markdown: string, anchor: string): string =>
	sectionsOf(markdown).find((section) => section.anchor === anchor)?.text ?? '';

export function targetsOf(markdown: string): string[] {
	const text = withoutCode(markdown).replace(/`[^`\n]*`/g, '');
	return [...text.matchAll(/\]\(([^)\s]+)\)|\b(?:src|href)="([^"]+)"/g)].map(
		([, link, attribute]) => link ?? attribute ?? '',
	);
}

/** The cells of every row of every table, without the heads. */
export function tableRowsOf(markdown: string): string[][] {
	const lines = withoutCode(markdown).split('\n');
	const isRule = (line = '') => /^\|( ?:?-+:? ?\|)+$/.test(line);
	return lines
		.filter((line, at) => line.startsWith('|') && !isRule(line) && !isRule(lines[at + 1]))
		.map((line) =>
			line
				.slice(1, -1)
				.split('|')
				.map((cell) => cell.trim()),
		);
}
