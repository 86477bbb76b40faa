import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The values of a constant or a field in sources; several where several have one of this name. */
export const numbersIn = (sources: string[], name: string): number[] =>
	sources.flatMap((source) => {
		const [, product] = new RegExp(`\\b${name}(?: =|:) ([\\d_ *]+)[,; ]`).exec(source) ?? [];
		const factors = product?.replaceAll('_', '').split('*').map(Number);
		return factors ? [factors.reduce((one, other) => one * other, 1)] : [];
	});

export const ROOT = join(__dirname, '..', '..');

/** What a file of the project says, by its path from the root. */
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The files below a folder of the project whose names end so, by their paths from the root. */
export const filesIn = (folder: string, ending = ''): string[] =>
	readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith(ending))
		.map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
		.sort();
