import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

export type StubRequest = {
	method: string;
	path: string;
	query: URLSearchParams;
	headers: IncomingHttpHeaders;
	body: Buffer;
};

export type StubAnswer = {
	status?: number;
	headers?: Record<string, string>;
	/** A text, a stream of texts, or what becomes JSON. */
	body?: unknown;
	/** Cuts the connection in place of an answer. */
	isCutOff?: boolean;
};

/** Starts a server on a free port that answers as a test wants, also in ways that the document does not show. */
export async function startStub(
	answer: (request: StubRequest) => StubAnswer | Promise<StubAnswer>,
) {
	const requests: StubRequest[] = [];
	const server = createServer((incoming, outgoing) => {
		void buffer(incoming).then(async (body) => {
			const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://stub');
			const { method = '', headers } = incoming;
			const request = { method, path: pathname, query: searchParams, headers, body };
			requests.push(request);
			const { status = 200, headers: extra, body: said, isCutOff } = await answer(request);
			if (isCutOff) return incoming.socket.destroy();
			// The header tells the service's time, which in a test is not the machine's.
			outgoing.sendDate = false;
			const isText = typeof said === 'string';
			outgoing.writeHead(status, {
				'content-type': isText ? 'text/html' : 'application/json',
				...extra,
			});
			if (said instanceof Readable) return said.pipe(outgoing);
			outgoing.end(isText ? said : JSON.stringify(said ?? {}));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		requests,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
