import { randomBytes } from 'crypto';
import { PATHS } from '../contract';
import { isFields } from '../message';
import { toNodeError } from './errors';
import { askUntilReadable, isSuccess } from './readJson';
import type { Answer, Connection } from './request';

/** A file to upload. */
export type MediaFile = { bytes: Buffer; fileName: string; mimeType: string };

/**
 * Uploads a file (§4.8). No customer sees an upload, so it is repeated where the answer is lost.
 *
 * assumption: a multipart form with the field `file`; the answer names a URL (§4.8: not shown).
 *
 * @returns the URL to send as `media_url`
 * @throws NodeApiError with the item's number
 */
export async function uploadMedia(
	connection: Connection,
	file: MediaFile,
	itemIndex: number,
): Promise<string> {
	const boundary = `form-${randomBytes(16).toString('hex')}`;
	const outcome = await askUntilReadable(connection, {
		method: 'POST',
		path: connection.settings.pathPrefix + PATHS.media,
		headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
		body: makeForm(file, boundary),
		lane: 'media',
	});
	const url = isSuccess(outcome) ? readUrl(outcome, connection.settings.baseUrl) : undefined;
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

/** The URL of the uploaded file; a path counts from the base URL. */
function readUrl({ headers, body }: Answer, baseUrl: string): string | undefined {
	const data = isFields(body) && isFields(body.data) ? body.data : {};
	const candidates = isFields(body) ? [body.media_url, body.url, data.media_url, data.url] : [];
	const url = [...candidates, headers.location].find(
		(candidate): candidate is string => typeof candidate === 'string' && candidate !== '',
	);
	return url === undefined ? undefined : new URL(url, `${baseUrl}/`).href;
}
