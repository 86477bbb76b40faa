import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { PATHS } from '../contract';
import { CREDENTIAL, type Settings } from './credential';
import { fileNameOf, mediaTypeOf } from './mediaName';
import { retryAfterMs, type Answer } from './outcome';
import { DeadlineOver, pause, stopIfCancelled, withinDeadline } from './pause';
import { redactAll } from './redact';
import type { Connection } from './request';

/** A file that was downloaded. */
type DownloadedFile = {
	data: Buffer;
	fileName: string;
	/** Absent where nobody says what kind of file it is; n8n then looks at its first bytes. */
	mimeType?: string;
};

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

/** Bytes of a megabyte. */
export const BYTES_PER_MEGABYTE = 1024 * 1024;

/** What ends a try, in words for people; where it says how long to wait, the next try may go better. */
class Refused extends Error {
	constructor(
		reason: string,
		readonly askedPauseMs?: number,
	) {
		super(reason);
	}
}

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

/** One download, with all of its tries. */
type Download = {
	connection: Connection;
	maxMegabytes: number;
	/** The time that is left for all of it, in milliseconds. */
	leftMs: () => number;
};

/** A server's answer. Its body comes piece by piece. */
type FileAnswer = {
	url: URL;
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
 * All tries together take no longer than three answers of the service, and the time in which a slow line transfers the
 * largest file: five minutes for 25 MB.
 *
 * @returns the file, or why there is none, as a sentence for people
 * @param maxMegabytes reading stops where the file turns out to be larger
 * @throws NodeOperationError only when the execution is cancelled
 */
export async function downloadMedia(
	connection: Connection,
	url: string,
	maxMegabytes = USUAL_MEGABYTES,
): Promise<DownloadedFile | { reason: string }> {
	const { answerTimeoutMs, clock, context } = connection;
	const maxBytes = maxMegabytes * BYTES_PER_MEGABYTE;
	const mostTries = REPEAT_PAUSES_MS.length + 1;
	const endMs = clock.nowMs() + mostTries * answerTimeoutMs + maxBytes / SLOWEST_DOWNLOAD;
	const leftMs = () => Math.max(1, endMs - clock.nowMs());
	for (let times = 0; ; times += 1) {
		try {
			return await tryDownload({ connection, maxMegabytes, leftMs }, url);
		} catch (thrown) {
			stopIfCancelled(context);
			const { message, askedPauseMs } =
				thrown instanceof Refused ? thrown : new Refused(NO_ANSWER, 0);
			const pauseMs = Math.min(askedPauseMs ?? Number.NaN, LONGEST_PAUSE_MS);
			const usualMs = REPEAT_PAUSES_MS[times];
			if (usualMs === undefined || !(pauseMs < leftMs())) return { reason: message };
			await pause(connection, Math.max(usualMs, pauseMs));
		}
	}
}

const NO_ANSWER = 'The server that has the file did not answer';

/** @throws Refused, and whatever ends a request */
async function tryDownload(download: Download, from: string): Promise<DownloadedFile> {
	const { connection, maxMegabytes, leftMs } = download;
	const { secrets } = connection.settings;
	const answer = await follow(download, from);
	try {
		const headers = redactAll(answer.headers, secrets);
		const reading = readUpTo(answer, maxMegabytes * BYTES_PER_MEGABYTE);
		const data = await withinDeadline(leftMs(), reading);
		if (data === undefined) {
			throw new Refused(`The file is larger than ${Math.round(maxMegabytes * 100) / 100} MB`);
		}
		const mimeType = mediaTypeOf(headers['content-type']);
		const fileName = fileNameOf(headers['content-disposition'], answer.url, mimeType, secrets);
		return { data, fileName, ...(mimeType && { mimeType }) };
	} catch (thrown) {
		// A server that drips has used up the time of all tries.
		throw thrown instanceof DeadlineOver ? new Refused('The file did not arrive in time') : thrown;
	} finally {
		answer.body.destroy();
	}
}

/** Fetches a URL and those that it leads on to, until one answers with a file. */
async function follow(download: Download, from: string): Promise<FileAnswer> {
	const { settings, clock } = download.connection;
	let url = toWebUrl(from);
	let mayHaveKeys = true;
	for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
		if (!url) throw new Refused('The file is not on the web: its URL has to begin with https://');
		// Who has left the service's host does not come back with the key pair: another host must not choose what it opens.
		mayHaveKeys &&= isFileOfService(settings, url);
		const answer = await request(download, url, mayHaveKeys);
		const { statusCode: status, headers } = answer;
		const isFile = status >= 200 && status < 300;
		if (isFile && !(mayHaveKeys && /[/+]json\s*(;|$)/i.test(headers['content-type'] ?? ''))) {
			return answer;
		}
		answer.body.destroy();
		if (isFile) throw new Refused('The URL leads to data of the service, and not to a file');
		if (status < 300 || status > 399 || headers.location === undefined) {
			throw refusalOf(status, retryAfterMs(answer, clock.nowMs()));
		}
		url = toWebUrl(headers.location, url);
	}
	throw new Refused('The URL of the file leads on to other URLs too often');
}

async function request(
	{ connection: { context, answerTimeoutMs }, leftMs }: Download,
	url: URL,
	withKeys: boolean,
): Promise<FileAnswer> {
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
	const { httpRequest, httpRequestWithAuthentication } = context.helpers;
	const asking = withKeys
		? httpRequestWithAuthentication.call(context as IExecuteFunctions, CREDENTIAL, options)
		: httpRequest(options);
	const answer = (await withinDeadline(timeoutMs, asking)) as IN8nHttpFullResponse;
	return { ...(answer as unknown as Omit<FileAnswer, 'url'>), url };
}

function refusalOf(status: number, askedPauseMs = 0): Refused {
	if (status === 401 || status === 403) {
		return new Refused(
			`The server that has the file does not give it to the node (status ${status})`,
		);
	}
	if (status === 404 || status === 410) {
		return new Refused(`The file is not there any more (status ${status})`);
	}
	const mayGoBetter = status === 429 || status >= 500;
	const reason = `The server that has the file answered with status ${status}`;
	return new Refused(reason, mayGoBetter ? askedPauseMs : undefined);
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

/** The URL, where it is one of the web. */
function toWebUrl(text: string, base?: URL): URL | undefined {
	const url = URL.canParse(text, base?.href) ? new URL(text, base?.href) : undefined;
	return url && /^https?:$/.test(url.protocol) ? url : undefined;
}
