import type { IHttpRequestOptions } from 'n8n-workflow';
import { PATHS } from '../contract';
import { CREDENTIAL, type Settings } from './credential';
import { retryAfterMs, type Answer } from './outcome';
import { DeadlineOver, retry, stopIfCancelled, withinDeadline } from './pause';
import { redactAll, type Secrets } from './redact';
import type { Connection } from './request';

type DownloadedFile = {
	data: Buffer;
	fileName: string;
	/** Absent where nobody says what kind of file it is; n8n then looks at its first bytes. */
	mimeType?: string;
};

/** The slowest download that is waited for, in bytes per millisecond: one megabit per second. */
const SLOWEST_DOWNLOAD = 125;

/** Pauses before a download is tried again: a file may be there a moment later than its message. */
const PAUSES_MS = [1_000, 5_000];

/** The largest file that is read, unless a person says otherwise. */
export const USUAL_MEGABYTES = 25;

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

/** Why there is no file, in words for people; where it may be there later, after how many milliseconds at least. */
type NoFile = { reason: string; againAfterMs?: number };

/** A path that every server and proxy reads in the same way. */
const PLAIN_PATH = /^(?:\/[\w.~()-]+)+$/;

/** The endpoints. Files are below that of media, so it is none of them (§4.8). */
const ENDPOINTS = Object.values(PATHS).filter((path) => path !== PATHS.media);

/**
 * Whether a URL is plainly one of a file on the service's own host, and so gets the key pair. Whoever texts chooses the URL
 * of a file, and must not read an endpoint with the operator's key pair, however the path is spelled.
 */
export function isFileOfService({ baseUrl }: Pick<Settings, 'baseUrl'>, url: URL): boolean {
	const { origin, pathname } = url;
	const endpoint = new RegExp(`(?:${ENDPOINTS.join('|')})(?![a-z0-9])`, 'i');
	return (
		origin === new URL(baseUrl).origin && PLAIN_PATH.test(pathname) && !endpoint.test(pathname)
	);
}

/** A server's answer. Its body comes piece by piece. */
type FileAnswer = {
	statusCode: number;
	headers: Answer['headers'];
	body: AsyncIterable<Buffer> & { destroy: () => void };
};

/**
 * Downloads a file that a message names by its URL, from whichever server has it.
 *
 * assumption: a file on the service's own host is fetched with the key pair, like everything there (§4); the document does
 * not show where media is (§4.8). No other host ever gets the key pair, also not by a redirect. What comes as JSON for the key
 * pair is no file: the service may have more endpoints than the document names, and answers with JSON there.
 *
 * @param maxMegabytes reading stops where the file turns out to be larger
 * @throws NodeOperationError only when the execution is cancelled
 */
export async function downloadMedia(
	connection: Connection,
	from: string,
	maxMegabytes = USUAL_MEGABYTES,
): Promise<DownloadedFile | NoFile> {
	if (!/^https?:/i.test(from) || !URL.canParse(from)) {
		return { reason: 'The file is not on the web: its URL has to begin with https://' };
	}
	const download = async () => await downloadOnce(connection, new URL(from), maxMegabytes);
	return await retry(connection, await download(), download, {
		pausesMs: PAUSES_MS,
		askedMs: (file) => ('reason' in file ? file.againAfterMs : undefined),
	});
}

async function downloadOnce(
	connection: Connection,
	url: URL,
	maxMegabytes: number,
): Promise<DownloadedFile | NoFile> {
	const { context, settings, memory } = connection;
	const maxBytes = maxMegabytes * 1024 * 1024;
	try {
		const answer = await fetchFile(connection, url);
		if ('reason' in answer) return answer;
		const mostMs = memory.answerTimeoutMs + maxBytes / SLOWEST_DOWNLOAD;
		const data = await withinDeadline(mostMs, readUpTo(answer, maxBytes)).finally(() =>
			answer.body.destroy(),
		);
		if (data === undefined) return { reason: `The file is larger than ${maxMegabytes} MB` };
		const headers = redactAll(answer.headers, settings.secrets);
		const mimeType = mediaTypeOf(headers['content-type']);
		const fileName = fileNameOf(url, mimeType, settings.secrets);
		return { data, fileName, ...(mimeType && { mimeType }) };
	} catch (thrown) {
		stopIfCancelled(context);
		return thrown instanceof DeadlineOver
			? { reason: 'The file did not arrive in time' }
			: { reason: 'The server that has the file did not answer', againAfterMs: 0 };
	}
}

/** Fetches a file. Where the service's own host leads on, n8n follows without the key pair, as everywhere else. */
async function fetchFile(
	{ clock, context, settings, memory }: Connection,
	url: URL,
): Promise<FileAnswer | NoFile> {
	const options: IHttpRequestOptions = {
		method: 'GET',
		url: url.href,
		encoding: 'stream',
		timeout: memory.answerTimeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	const { httpRequest, httpRequestWithAuthentication } = context.helpers;
	let withKeys = isFileOfService(settings, url);
	// n8n would carry the key pair along to another host.
	const once = { ...options, disableFollowRedirect: true };
	const asking = withKeys
		? httpRequestWithAuthentication.call(context, CREDENTIAL, once)
		: httpRequest(options);
	let answer = (await asking) as FileAnswer;
	const { location, 'content-type': type = '' } = answer.headers;
	if (withKeys && answer.statusCode >= 300 && location !== undefined) {
		answer.body.destroy();
		withKeys = false;
		answer = (await httpRequest({ ...options, url: new URL(location, url).href })) as FileAnswer;
	}
	const { statusCode: status } = answer;
	const isData = withKeys && /[/+]json\s*(;|$)/i.test(type);
	if (status < 300 && !isData) return answer;
	answer.body.destroy();
	if (status < 300) return { reason: 'The URL leads to data of the service, and not to a file' };
	if (status === 404 || status === 410) {
		return { reason: `The file is not there any more (status ${status})` };
	}
	const reason = `The server that has the file answered with status ${status}`;
	if (status < 500 && status !== 429) return { reason };
	return { reason, againAfterMs: retryAfterMs(answer, clock.nowMs()) ?? 0 };
}

/** The whole body; undefined, as soon as it is known, where it is larger. */
async function readUpTo({ body, headers }: FileAnswer, most: number): Promise<Buffer | undefined> {
	if (Number(headers['content-length'] ?? 0) > most) return undefined;
	const parts: Buffer[] = [];
	let bytes = 0;
	for await (const part of body) {
		bytes += part.length;
		if (bytes > most) return undefined;
		parts.push(part);
	}
	return Buffer.concat(parts);
}

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
