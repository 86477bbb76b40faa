import { PATHS } from '../contract';
import { saidAs } from './answers';
import { toNodeError } from './errors';
import type { Answer } from './outcome';
import { askInTurn, askUntilReadable, prefixesOf } from './ask';
import type { Connection } from './request';

/**
 * Uploads a file (§4.8). No customer sees an upload, so it is repeated where the answer is lost.
 *
 * assumption: a multipart form with the field `file`; the answer names a URL, anywhere (§4.8: not shown).
 *
 * @returns the URL to send as `media_url`
 * @throws NodeApiError
 */
export async function uploadMedia(
	connection: Connection,
	file: { bytes: Buffer; fileName: string; mimeType: string },
): Promise<string> {
	const { baseUrl } = connection.settings;
	const form = new FormData();
	form.set('file', new Blob([file.bytes], { type: file.mimeType }), file.fileName);
	const encoded = new Response(form);
	const body = Buffer.from(await encoded.arrayBuffer());
	const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
	const outcome = await askInTurn(
		connection,
		PATHS.media,
		prefixesOf(connection),
		async (prefix) =>
			await askUntilReadable(connection, {
				method: 'POST',
				path: prefix + PATHS.media,
				headers,
				body,
			}),
	);
	const url = outcome.kind === 'answer' ? readUrl(outcome, baseUrl) : undefined;
	if (url === undefined) throw toNodeError(connection, outcome);
	return url;
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
