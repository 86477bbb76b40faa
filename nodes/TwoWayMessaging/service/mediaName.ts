import { redactAll, type Secrets } from './redact';

/** The usual endings of files whose kind is not called so. */
const ENDINGS: Record<string, string> = {
	jpeg: 'jpg',
	mpeg: 'mp3',
	plain: 'txt',
	quicktime: 'mov',
	'svg+xml': 'svg',
	vcard: 'vcf',
	'x-caf': 'caf',
};

/** Characters of a file name. Most file systems take 255 bytes. */
const LONGEST_NAME = 100;

/** What must not be in a file name: what separates folders, and what cannot be seen. */
const UNFIT = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The kind of a file, as the server says it; undefined where it says nothing: n8n then looks at the file's name and content. */
export function mediaTypeOf(contentType = ''): string | undefined {
	const [said = ''] = contentType.split(';');
	const kind = said.trim().toLowerCase();
	return /^[\w.+-]+\/[\w.+-]+$/.test(kind) && !kind.endsWith('/octet-stream') ? kind : undefined;
}

/**
 * The name of a file, as its URL shows it, with an ending where its kind is known.
 *
 * @param secrets what the name must not contain, however the server has written it
 */
export function fileNameOf(
	{ pathname }: URL,
	mimeType: string | undefined,
	secrets: Secrets,
): string {
	// No path, and not hidden.
	const [own = ''] = decoded(pathname).split(/[\\/]/).slice(-1);
	const name = own.replace(UNFIT, '').trim().replace(/^\.+/, '') || 'file';
	const [, kind = ''] = (mimeType ?? '').split('/');
	const ending = ENDINGS[kind] ?? kind;
	const isNamed = /\.[a-z0-9]{1,5}$/i.test(name) || !/^[a-z0-9]{1,5}$/.test(ending);
	// Cut last, as the rest of a secret would stay.
	return redactAll(isNamed ? name : `${name}.${ending}`, secrets).slice(-LONGEST_NAME);
}

/** The text without %-escapes; unchanged where they are broken. */
function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
