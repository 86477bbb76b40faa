import { randomBytes } from 'crypto';
import { PATHS } from '../contract';
import { isFields } from '../message';
import { toNodeError } from './errors';
import { askAgain, isSuccess } from './read';
import type { Answer, Connection } from './request';

/** A file to upload. */
export type MediaFile = { bytes: Buffer; fileName: string; mimeType: string };

/**
 * Uploads a file (§4.8). No customer sees an upload, so it is repeated where the answer is lost.
 *
 * assumption: a multipart form with the field `file`; the answer names an address (§4.8: not shown).
 *
 * @returns the address to send as `media_url`
 * @throws NodeApiError with the item's number
 */
export async function uploadMedia(
	connection: Connection,
	file: MediaFile,
	itemIndex: number,
): Promise<string> {
	const boundary = `form-${randomBytes(16).toString('hex')}`;
	const outcome = await askAgain(connection, {
		method: 'POST',
		path: connection.settings.pathPrefix + PATHS.media,
		headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
		body: multipart(file, boundary),
		lane: 'media',
	});
	const address = isSuccess(outcome) ? addressOf(outcome, connection.settings.baseUrl) : undefined;
	if (address === undefined) throw toNodeError(connection, outcome, itemIndex);
	return address;
}

function multipart({ bytes, fileName, mimeType }: MediaFile, boundary: string): Buffer {
	const head = [
		`--${boundary}`,
		`Content-Disposition: form-data; name="file"; filename="${quotable(fileName)}"`,
		`Content-Type: ${mimeType.replace(/[^\x20-\x7e]/g, '')}`,
		'',
		'',
	].join('\r\n');
	return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** A file name cannot end its header early: browsers write these three characters so too. */
function quotable(fileName: string): string {
	return fileName.replace(/\n/g, '%0A').replace(/\r/g, '%0D').replace(/"/g, '%22');
}

/** Where the file is now, with the base address put before a path. */
function addressOf({ headers, body }: Answer, baseUrl: string): string | undefined {
	const data = isFields(body) && isFields(body.data) ? body.data : {};
	const candidates = isFields(body) ? [body.media_url, body.url, data.media_url, data.url] : [];
	const address = [...candidates, headers.location].find(
		(candidate): candidate is string => typeof candidate === 'string' && candidate !== '',
	);
	return address === undefined ? undefined : new URL(address, `${baseUrl}/`).href;
}
