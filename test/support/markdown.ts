/** A heading with everything under it, up to the next one of its rank or above. */
export type Section = { heading: string; anchor: string; text: string };

const HEADING = /^(#{1,6}) (.+)$/;

/** The text without blocks of code, in which a hash is no heading and a bracket no link. */
const withoutCode = (markdown: string) => markdown.replace(/^( *)```[\s\S]*?^\1```$/gm, '');

/** The name under which GitHub and npm make a heading reachable. */
const anchorOf = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, '')
		.trim()
		.replace(/\s/g, '-');

/** Every section of a document, also those inside others. */
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

/** Where links and pictures lead. */
export function targetsOf(markdown: string): string[] {
	const text = withoutCode(markdown).replace(/`[^`\n]*`/g, '');
	return [...text.matchAll(/\]\(([^)\s]+)\)|\b(?:src|href)="([^"]+)"/g)].map(
		([, link, attribute]) => link ?? attribute ?? '',
	);
}

/** The cells of every row of every table but the heads, without marks of code. */
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
