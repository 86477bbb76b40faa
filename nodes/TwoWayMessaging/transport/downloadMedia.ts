import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { CREDENTIAL } from './credentialSettings';
import { DeadlineOver, withinDeadline } from './deadline';
import { isFileOfService } from './fileOfService';
import { retryAfterMs } from './lane';
import { fileNameOf, mediaTypeOf } from './mediaName';
import { pause, stopIfCancelled } from './pause';
import { redactAll } from './redact';
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

/** The slowest download that is waited for, in bytes per millisecond: one megabit per second. */
const SLOWEST_DOWNLOAD = 125;

/** The largest file that is read, unless a person says otherwise. */
export const USUAL_MEGABYTES = 25;

export const BYTES_PER_MEGABYTE = 1024 * 1024;

/** The body of an answer, piece by piece. */
type Stream = AsyncIterable<Buffer> & { destroy: () => void };

/** One download, with all of its tries. */
type Download = {
	connection: Connection;
	maxBytes: number;
	/** The time that is left for all of it, in milliseconds. */
	leftMs: () => number;
};

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
 * not show where media is (§4.8). No other host ever gets the key pair, also not by a redirect. What comes as JSON for the key
 * pair is no file: the service may have more endpoints than the document names, and answers with JSON there.
 *
 * All tries together take no longer than three answers of the service, and the time in which a slow line transfers the
 * largest file: five minutes for 25 MB.
 *
 * @param maxBytes reading stops where the file turns out to be larger
 * @throws NodeOperationError only when the execution is cancelled
 */
export async function downloadMedia(
	connection: Connection,
	url: string,
	{ maxBytes }: { maxBytes: number },
): Promise<DownloadedFile | NotDownloaded> {
	const { answerTimeoutMs, clock } = connection;
	const mostTries = REPEAT_PAUSES_MS.length + 1;
	const endMs = clock.nowMs() + mostTries * answerTimeoutMs + maxBytes / SLOWEST_DOWNLOAD;
	const leftMs = () => Math.max(1, endMs - clock.nowMs());
	for (let tries = 0; ; tries += 1) {
		const result = await tryDownload({ connection, maxBytes, leftMs }, url);
		if (!('reason' in result)) return result;
		const { reason, mayPass, askedPauseMs = 0 } = result;
		const shortestMs = REPEAT_PAUSES_MS[tries];
		if (!mayPass || shortestMs === undefined) return { reason };
		const pauseMs = Math.max(shortestMs, Math.min(askedPauseMs, LONGEST_PAUSE_MS));
		if (pauseMs >= leftMs()) return { reason };
		await pause(connection, pauseMs);
	}
}

async function tryDownload(download: Download, url: string): Promise<DownloadedFile | Refusal> {
	const { connection, maxBytes, leftMs } = download;
	let body: Stream | undefined;
	try {
		const fetched = await follow(download, url);
		if ('reason' in fetched) return fetched;
		const { headers, url: lastUrl } = fetched;
		body = fetched.body;
		const data = await withinDeadline(leftMs(), readUpTo(body, headers, maxBytes));
		if (data === undefined) return refused(`The file is larger than ${toMegabytes(maxBytes)} MB`);
		const mimeType = mediaTypeOf(headers['content-type'], lastUrl);
		return {
			data,
			fileName: fileNameOf(
				headers['content-disposition'],
				lastUrl,
				mimeType,
				connection.settings.secrets,
			),
			...(mimeType && { mimeType }),
		};
	} catch (thrown) {
		stopIfCancelled(connection.caller);
		// A server that drips has used up the time of all tries.
		if (body && thrown instanceof DeadlineOver) return refused('The file did not arrive in time');
		return { ...refused('The server that has the file did not answer'), mayPass: true };
	} finally {
		body?.destroy();
	}
}

/** Fetches a URL and those that it leads on to, until one answers with a file. */
async function follow(download: Download, from: string): Promise<Fetched | Refusal> {
	const { connection } = download;
	let url = toWebUrl(from);
	let mayHaveKeys = true;
	for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
		if (!url) return refused('The file is not on the web: its URL has to begin with https://');
		// Who has left the service's host does not come back with the key pair: another host must not choose what it opens.
		mayHaveKeys &&= isFileOfService(connection.settings, url);
		const { statusCode, headers, body } = await request(download, url, mayHaveKeys);
		if (statusCode >= 200 && statusCode < 300) {
			if (mayHaveKeys && isJson(headers as Answer['headers'])) {
				(body as unknown as Stream).destroy();
				return refused('The URL leads to data of the service, and not to a file');
			}
			const said = redactAll(headers, connection.settings.secrets) as Answer['headers'];
			return { headers: said, url, body: body as unknown as Stream };
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

async function request(
	{ connection: { caller, answerTimeoutMs }, leftMs }: Download,
	url: URL,
	withKeys: boolean,
): Promise<IN8nHttpFullResponse> {
	const timeoutMs = Math.min(answerTimeoutMs, leftMs());
	const options: IHttpRequestOptions = {
		method: 'GET',
		url: url.href,
		encoding: 'stream',
		timeout: timeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// n8n would carry the key pair along to another host.
		disableFollowRedirect: true,
	};
	const { httpRequest, httpRequestWithAuthentication } = caller.helpers;
	const asking = withKeys
		? httpRequestWithAuthentication.call(caller as IExecuteFunctions, CREDENTIAL, options)
		: httpRequest(options);
	return (await withinDeadline(timeoutMs, asking)) as IN8nHttpFullResponse;
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

function isJson({ 'content-type': contentType = '' }: Answer['headers']): boolean {
	const [kind = ''] = contentType.split(';');
	return /[/+]json$/i.test(kind.trim());
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
