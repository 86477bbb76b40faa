import { redactAll } from './redact';

/** The usual endings of the files that people text, and their kinds. The first ending of a kind is the one it gets. */
const KINDS: Array<[ending: string, kind: string]> = [
	['jpg', 'image/jpeg'],
	['jpeg', 'image/jpeg'],
	['png', 'image/png'],
	['gif', 'image/gif'],
	['webp', 'image/webp'],
	['heic', 'image/heic'],
	['heif', 'image/heif'],
	['svg', 'image/svg+xml'],
	['mp4', 'video/mp4'],
	['mov', 'video/quicktime'],
	['3gp', 'video/3gpp'],
	['mp3', 'audio/mpeg'],
	['m4a', 'audio/mp4'],
	['amr', 'audio/amr'],
	['caf', 'audio/x-caf'],
	['ogg', 'audio/ogg'],
	['wav', 'audio/wav'],
	['pdf', 'application/pdf'],
	['vcf', 'text/vcard'],
	['txt', 'text/plain'],
];

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
	return KINDS.find(([known]) => known === ending)?.[1];
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
	secrets: string[],
): string {
	const name = [saidName(contentDisposition ?? ''), lastPartOf(url)]
		.map((candidate) => tidyName(candidate ?? '', secrets))
		.find((candidate) => candidate !== '');
	const fallback = name ?? 'file';
	if (endingOf(fallback) !== undefined) return fallback;
	const ending = KINDS.find(([, kind]) => kind === mimeType)?.[0];
	return ending === undefined ? fallback : withoutSecrets(`${fallback}.${ending}`, secrets);
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
function tidyName(name: string, secrets: string[]): string {
	const [own = ''] = withoutSecrets(name, secrets).split(/[\\/]/).slice(-1);
	const tidy = own.replace(UNFIT, '').trim().replace(/^\.+/, '');
	return withoutSecrets(tidy, secrets).slice(-LONGEST_NAME);
}

function withoutSecrets(name: string, secrets: string[]): string {
	return String(redactAll(name, secrets));
}

function endingOf(name: string): string | undefined {
	return /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase();
}
