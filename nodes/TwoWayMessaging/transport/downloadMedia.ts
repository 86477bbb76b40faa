import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { PATHS } from '../contract';
import { CREDENTIAL } from './credentialSettings';
import { withinDeadline } from './deadline';
import { retryAfterMs } from './lane';
import { fileNameOf, mediaTypeOf } from './mediaName';
import { pause, stopIfCancelled } from './pause';
import type { Answer, Connection } from './request';

/** A file that was downloaded. */
export type DownloadedFile = {
	data: Buffer;
	fileName: string;
	/** Absent where nobody says what kind of file it is; n8n then looks at its first bytes. */
	mimeType?: string;
};

/** Why a file was not downloaded, as a sentence for people. */
export type NotDownloaded = { reason: string };

/** URLs that lead on to others. */
const MOST_REDIRECTS = 5;

/** Pauses before a download is tried again: after no answer, a 5xx or a 429. */
const REPEAT_PAUSES_MS = [500, 2_000];

/** The longest wait that a server may ask for. */
const LONGEST_PAUSE_MS = 60_000;

/** The slowest download that is waited for, in bytes per millisecond. */
const SLOWEST_DOWNLOAD = 50;

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** The body of an answer, piece by piece. */
type Stream = AsyncIterable<Buffer> & { destroy: () => void };

type Fetched = { headers: Answer['headers']; url: URL; body: Stream };

/** What ended a try; only some of it may go better the next time. */
type Refusal = NotDownloaded & { mayPass?: boolean; askedPauseMs?: number };

/**
 * Downloads a file that a message names by its URL, from whichever server has it:
 *
 * ```ts
 * const file = await downloadMedia(connection, url, { maxBytes: 25_000_000 });
 * if ('reason' in file) log(file.reason);
 * ```
 *
 * assumption: a file on the service's own host is fetched with the key pair, like everything there (§4); the document does
 * not show where media is (§4.8). No other host ever gets the key pair, also not by a redirect.
 *
 * @param maxBytes reading stops where the file turns out to be larger
 * @throws NodeOperationError only when the execution is cancelled
 */
export async function downloadMedia(
	connection: Connection,
	url: string,
	{ maxBytes }: { maxBytes: number },
): Promise<DownloadedFile | NotDownloaded> {
	for (let tries = 0; ; tries += 1) {
		const result = await tryDownload(connection, url, maxBytes);
		if (!('reason' in result)) return result;
		const pauseMs = REPEAT_PAUSES_MS[tries];
		if (!result.mayPass || pauseMs === undefined) return { reason: result.reason };
		const askedMs = Math.min(result.askedPauseMs ?? 0, LONGEST_PAUSE_MS);
		await pause(connection, Math.max(pauseMs, askedMs));
	}
}

async function tryDownload(
	connection: Connection,
	url: string,
	maxBytes: number,
): Promise<DownloadedFile | Refusal> {
	const { caller, answerTimeoutMs } = connection;
	try {
		const fetched = await follow(connection, url);
		if ('reason' in fetched) return fetched;
		const { body, headers, url: lastUrl } = fetched;
		let data: Buffer | undefined;
		try {
			const readingMs = answerTimeoutMs + maxBytes / SLOWEST_DOWNLOAD;
			data = await withinDeadline(readingMs, readUpTo(body, headers, maxBytes));
		} finally {
			body.destroy();
		}
		if (data === undefined) return refused(`The file is larger than ${toMegabytes(maxBytes)} MB`);
		const mimeType = mediaTypeOf(headers['content-type'], lastUrl);
		return {
			data,
			fileName: fileNameOf(headers['content-disposition'], lastUrl, mimeType),
			...(mimeType && { mimeType }),
		};
	} catch {
		stopIfCancelled(caller);
		return { ...refused('The server that has the file did not answer'), mayPass: true };
	}
}

/** Fetches a URL and those that it leads on to, until one answers with a file. */
async function follow(connection: Connection, from: string): Promise<Fetched | Refusal> {
	let url = toWebUrl(from);
	let mayHaveKeys = true;
	for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
		if (!url) return refused('The file is not on the web: its URL has to begin with https://');
		// Who has left the service's host does not come back with the key pair: another host must not choose what it opens.
		mayHaveKeys &&= isFileOfService(connection, url);
		const { statusCode, headers, body } = await request(connection, url, mayHaveKeys);
		if (statusCode >= 200 && statusCode < 300) {
			return { headers: headers as Answer['headers'], url, body: body as unknown as Stream };
		}
		(body as unknown as Stream).destroy();
		const { location } = headers as Answer['headers'];
		if (statusCode < 300 || statusCode > 399 || location === undefined) {
			return refusalOf(connection, statusCode, headers as Answer['headers']);
		}
		url = toWebUrl(location, url);
	}
	return refused('The URL of the file leads on to other URLs too often');
}

/** Whether a URL is one of a file on the service's own host. The key pair opens no endpoint here: a file is none. */
function isFileOfService({ settings: { baseUrl, pathPrefix } }: Connection, url: URL): boolean {
	const base = new URL(baseUrl);
	if (url.origin !== base.origin) return false;
	const basePath = base.pathname.replace(/\/$/, '');
	return Object.values(PATHS)
		.filter((path) => path !== PATHS.media)
		.flatMap((path) => [basePath + path, basePath + pathPrefix + path])
		.every((path) => !url.pathname.startsWith(path));
}

async function request(
	{ caller, answerTimeoutMs }: Connection,
	url: URL,
	withKeys: boolean,
): Promise<IN8nHttpFullResponse> {
	const options: IHttpRequestOptions = {
		method: 'GET',
		url: url.href,
		encoding: 'stream',
		timeout: answerTimeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// n8n would carry the key pair along to another host.
		disableFollowRedirect: true,
	};
	const { httpRequest, httpRequestWithAuthentication } = caller.helpers;
	const asking = withKeys
		? httpRequestWithAuthentication.call(caller as IExecuteFunctions, CREDENTIAL, options)
		: httpRequest(options);
	return (await withinDeadline(answerTimeoutMs, asking)) as IN8nHttpFullResponse;
}

function refusalOf({ clock }: Connection, status: number, headers: Answer['headers']): Refusal {
	switch (status) {
		case 401:
		case 403:
			return refused(
				`The server that has the file does not give it to the node (status ${status})`,
			);
		case 404:
		case 410:
			return refused(`The file is not there any more (status ${status})`);
		default:
			return {
				...refused(`The server that has the file answered with status ${status}`),
				mayPass: status === 429 || status >= 500,
				askedPauseMs: retryAfterMs({ kind: 'answer', status, headers, body: '' }, clock.nowMs()),
			};
	}
}

/** The whole body; undefined, as soon as it is known, where it is larger. */
async function readUpTo(
	body: Stream,
	headers: Answer['headers'],
	maxBytes: number,
): Promise<Buffer | undefined> {
	if (Number(headers['content-length'] ?? 0) > maxBytes) return undefined;
	const parts: Buffer[] = [];
	let bytes = 0;
	for await (const part of body) {
		bytes += part.length;
		if (bytes > maxBytes) return undefined;
		parts.push(part);
	}
	return Buffer.concat(parts);
}

/** The URL, where it is one of the web. */
function toWebUrl(text: string, base?: URL): URL | undefined {
	if (!URL.canParse(text, base?.href)) return undefined;
	const url = new URL(text, base?.href);
	return /^https?:$/.test(url.protocol) ? url : undefined;
}

function toMegabytes(bytes: number): number {
	return Math.round((bytes / BYTES_PER_MEGABYTE) * 100) / 100;
}

function refused(reason: string): NotDownloaded {
	return { reason };
}
