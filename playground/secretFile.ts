import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Trouble } from './trouble';

/**
 * Reads the secrets that a file keeps. The first time it draws them and writes the file, which only its
 * owner can read.
 *
 * @param draw draws new secrets; the file must hold a text for each of their names
 * @throws unreadable when the file exists and does not hold them
 */
export const loadSecrets = async <Secrets extends Record<string, string>>(
	file: string,
	draw: () => Secrets,
	unreadable: Trouble,
): Promise<Secrets> => {
	const drawn = draw();
	if (existsSync(file)) {
		const kept = parse(await readFile(file, 'utf8'));
		if (!hasSecrets(kept, drawn)) throw unreadable;
		return kept;
	}
	await mkdir(dirname(file), { recursive: true });
	// The file is renamed into place: a start that is interrupted here does not leave half a file.
	await writeFile(`${file}.new`, `${JSON.stringify(drawn, null, '\t')}\n`, { mode: 0o600 });
	await rename(`${file}.new`, file);
	return drawn;
};

const parse = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
};

const hasSecrets = <Secrets extends Record<string, string>>(
	kept: unknown,
	wanted: Secrets,
): kept is Secrets =>
	typeof kept === 'object' &&
	kept !== null &&
	Object.keys(wanted).every((name) => typeof (kept as Secrets)[name] === 'string');
