import { jsonParse } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';

/** Types of bodies that n8n reads for a node of a version above 1. */
const READ_BY_N8N = /^(application\/(json|x-www-form-urlencoded)|text\/plain)|[/+]xml$/;

export type SentRequest = {
	method?: string;
	/** By lower-case names; default `content-type: application/json`. */
	headers?: IncomingHttpHeaders;
	/** The bytes that were sent, still packed where `content-encoding` says so. */
	rawBody?: Buffer | string;
};

/** A request as webhook() sees it. */
type ReadRequest = {
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
		request.body = jsonParse(request.rawBody.toString('utf8').replace(/^\ufeff/, ''));
	}
	return request;
}

async function unpacked(bytes: Buffer, encoding = 'identity'): Promise<Buffer> {
	const unpack = { gzip: promisify(gunzip), deflate: promisify(inflate) }[encoding];
	return unpack ? await unpack(bytes) : bytes;
}
