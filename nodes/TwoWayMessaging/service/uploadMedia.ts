import { randomBytes } from 'crypto';
import { PATHS } from '../contract';
import { saidAs } from './answers';
import { toNodeError } from './errors';
import type { Answer } from './outcome';
import { askInTurn, askUntilReadable, prefixesOf } from './ask';
import type { Connection } from './request';

/** A file to upload. */
export type MediaFile = { bytes: Buffer; fileName: string; mimeType: string };

/**
 * Uploads a file (§4.8). No customer sees an upload, so it is repeated where the answer is lost.
 *
 * assumption: a multipart form with the field `file`; the answer names a URL, anywhere (§4.8: not shown).
 *
 * @returns the URL to send as `media_url`
 * @throws NodeApiError with the item's number
 */
export async function uploadMedia(
	connection: Connection,
	file: MediaFile,
	itemIndex: number,
): Promise<string> {
	const { baseUrl } = connection.settings;
	const boundary = `form-${randomBytes(16).toString('hex')}`;
	const outcome = await askInTurn(
		connection,
		PATHS.media,
		prefixesOf(connection),
		async (prefix) =>
			await askUntilReadable(
				connection,
				{
					method: 'POST',
					path: prefix + PATHS.media,
					headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
					body: makeForm(file, boundary),
				},
				// An answer without a body may name the URL in a header, and a second upload would count against the limit.
				(answer) => readUrl(answer, baseUrl) !== undefined,
			),
	);
	const url = outcome.kind === 'answer' ? readUrl(outcome, baseUrl) : undefined;
	if (url === undefined) throw toNodeError(connection, outcome, itemIndex);
	return url;
}

/** The body of a multipart form with one field, the file. */
function makeForm({ bytes, fileName, mimeType }: MediaFile, boundary: string): Buffer {
	const head = [
		`--${boundary}`,
		`Content-Disposition: form-data; name="file"; filename="${escapeQuotes(fileName)}"`,
		`Content-Type: ${mimeType.replace(/[^\x20-\x7e]/g, '')}`,
		'',
		'',
	].join('\r\n');
	return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** Escapes the three characters that would end a header early, as browsers do. */
function escapeQuotes(fileName: string): string {
	return fileName.replace(/\n/g, '%0A').replace(/\r/g, '%0D').replace(/"/g, '%22');
}

/**
 * The URL of the uploaded file; a path counts from the base URL.
 *
 * @returns undefined where the service has not taken the file, or names no URL that can be sent
 */
function readUrl({ status, headers, body }: Answer, baseUrl: string): string | undefined {
	if (status < 200 || status > 299) return undefined;
	// First `media_url`, then any URL but a thumbnail's and the like, then anything that is a URL.
	const named = [
		/^media_?url$/i,
		/^(?!.*(thumb|preview|upload|self)).*(url|href|link)/i,
		/^/,
	].flatMap((name) => saidAs(body, name));
	const urls = [...named, body, headers.location]
		.filter((said) => typeof said === 'string')
		.filter((said) => /^(https?:|\/)\S+$/.test(said.trim()) && URL.canParse(said, `${baseUrl}/`))
		.map((said) => new URL(said, `${baseUrl}/`));
	return urls.find(({ protocol }) => /^https?:$/.test(protocol))?.href;
}
