import { redactAll, type Secrets } from './redact';

/** The usual endings of the files that people text, by their kinds. A kind gets its first ending. */
const ENDINGS: Record<string, string[]> = {
	'image/jpeg': ['jpg', 'jpeg'],
	'image/png': ['png'],
	'image/gif': ['gif'],
	'image/webp': ['webp'],
	'image/heic': ['heic'],
	'image/heif': ['heif'],
	'image/svg+xml': ['svg'],
	'video/mp4': ['mp4'],
	'video/quicktime': ['mov'],
	'video/3gpp': ['3gp'],
	'audio/mpeg': ['mp3'],
	'audio/mp4': ['m4a'],
	'audio/amr': ['amr'],
	'audio/x-caf': ['caf'],
	'audio/ogg': ['ogg'],
	'audio/wav': ['wav'],
	'application/pdf': ['pdf'],
	'text/vcard': ['vcf'],
	'text/plain': ['txt'],
};

/** Kinds that say nothing about the file. */
const NO_KIND = ['application/octet-stream', 'binary/octet-stream'];

/** Characters of a file name. Most file systems take 255 bytes. */
const LONGEST_NAME = 100;

/** What must not be in a file name: what separates folders, and what cannot be seen. */
const UNFIT = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * The kind of a file, as the server says it or as the ending of its URL shows it.
 *
 * @returns undefined where neither says anything
 */
export function mediaTypeOf(contentType: string | undefined, url: URL): string | undefined {
	const [said = ''] = (contentType ?? '').split(';');
	const kind = said.trim().toLowerCase();
	if (/^[\w.+-]+\/[\w.+-]+$/.test(kind) && !NO_KIND.includes(kind)) return kind;
	const ending = endingOf(lastPartOf(url));
	const isEnding = (known: string) => known === ending;
	return Object.keys(ENDINGS).find((known) => ENDINGS[known]?.some(isEnding));
}

/**
 * The name of a file, as the server says it or as its URL shows it, with an ending where its kind is known.
 *
 * @param secrets what the name must not contain, however the server has written it
 */
export function fileNameOf(
	contentDisposition: string | undefined,
	url: URL,
	mimeType: string | undefined,
	secrets: Secrets,
): string {
	const name = [saidName(contentDisposition ?? ''), lastPartOf(url)]
		.map((candidate) => tidyName(candidate ?? '', secrets))
		.find((candidate) => candidate !== '');
	const fallback = name ?? 'file';
	if (endingOf(fallback) !== undefined) return fallback;
	const [ending] = ENDINGS[mimeType ?? ''] ?? [];
	return ending === undefined ? fallback : redactAll(`${fallback}.${ending}`, secrets);
}

/** The name in a header such as `attachment; filename="menu.pdf"; filename*=UTF-8''men%C3%BC.pdf`. */
function saidName(header: string): string | undefined {
	const [, encoded] = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(header) ?? [];
	if (encoded !== undefined) return decoded(encoded);
	const [, quoted, plain] = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(header) ?? [];
	return quoted ?? plain;
}

function lastPartOf({ pathname }: URL): string {
	return decoded(pathname.slice(pathname.lastIndexOf('/') + 1));
}

/** The text without %-escapes; unchanged where they are broken. */
function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/**
 * A name that is no path, not hidden, not too long, and without a secret: neither one that it had, nor one that is put
 * together where a character within it is taken away. It is cut last, as the rest of a secret would stay.
 */
function tidyName(name: string, secrets: Secrets): string {
	const [own = ''] = redactAll(name, secrets).split(/[\\/]/).slice(-1);
	const tidy = own.replace(UNFIT, '').trim().replace(/^\.+/, '');
	return redactAll(tidy, secrets).slice(-LONGEST_NAME);
}

function endingOf(name: string): string | undefined {
	return /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase();
}
