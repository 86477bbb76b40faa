import { jsonParse } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';

/** n8n refuses larger bodies (16 MB). */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Types of bodies that n8n reads for a node of a version above 1. */
const READ_BY_N8N = /^(application\/(json|x-www-form-urlencoded)|text\/plain)|[/+]xml$/;

export type SentRequest = {
	method?: string;
	/** By lower-case names; default `content-type: application/json`. */
	headers?: IncomingHttpHeaders;
	/** The bytes that were sent, still packed where `content-encoding` says so. */
	rawBody?: Buffer | string;
};

/** n8n's refusal of a request that it cannot read. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

/** A request as webhook() sees it. */
export type ReadRequest = {
	method: string;
	headers: IncomingHttpHeaders;
	body: unknown;
	rawBody?: Buffer;
	/** Reads a body of whatever type. */
	readRawBody: () => Promise<void>;
	params: IDataObject;
	query: IDataObject;
};

/**
 * Unpacks and reads a request as n8n does: it skips a BOM, reads by itself only bodies of some types, and takes a multipart
 * body apart.
 *
 * @throws Refusal where n8n refuses the request
 */
export async function readRequest({ method = 'POST', headers = {}, rawBody }: SentRequest) {
	const allHeaders: IncomingHttpHeaders = { 'content-type': 'application/json', ...headers };
	const [contentType = ''] = (allHeaders['content-type'] ?? '').toLowerCase().split(';');
	const readRawBody = async () => {
		if (contentType.startsWith('multipart/')) throw new Error('The stream was read before');
		request.rawBody = await unpacked(Buffer.from(rawBody ?? ''), allHeaders['content-encoding']);
	};
	const more = { body: {}, params: {}, query: {}, readRawBody };
	const request: ReadRequest = { method, headers: allHeaders, ...more };
	if (!READ_BY_N8N.test(contentType.trim())) return request;

	await readRawBody();
	if (request.rawBody?.length && contentType.trim() === 'application/json') {
		try {
			request.body = jsonParse(request.rawBody.toString('utf8').replace(/^\ufeff/, ''));
		} catch {
			throw new Refusal(422, 'Failed to parse request body');
		}
	}
	return request;
}

async function unpacked(bytes: Buffer, encoding = 'identity'): Promise<Buffer> {
	const unpack = { gzip: promisify(gunzip), deflate: promisify(inflate) }[encoding];
	try {
		const body = unpack ? await unpack(bytes, { maxOutputLength: MAX_BODY_BYTES }) : bytes;
		if (body.length <= MAX_BODY_BYTES) return body;
	} catch {
		// A broken or endless body is refused below, like one that is too large.
	}
	throw new Refusal(500, 'The request body could not be read');
}
