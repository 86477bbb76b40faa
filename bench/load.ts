import { connect } from 'node:net';

/** A body to post, and headers in addition to those that every request has. */
export type Post = { body: string; headers: Record<string, string> };

/**
 * Posts JSON bodies to a URL over so many open connections, as fast as they are answered; returns how often each status
 * was answered. It writes HTTP/1.1 itself, because a client library costs more than the servers that are measured.
 */
export async function postMany(
	url: string,
	posts: Post[],
	connections: number,
): Promise<Map<string, number>> {
	const { hostname, port, pathname } = new URL(url);
	const statuses = new Map<string, number>();
	let next = 0;
	const head = ({ headers, body }: Post) =>
		[
			`POST ${pathname} HTTP/1.1`,
			`host: ${hostname}:${port}`,
			'content-type: application/json',
			...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
			`content-length: ${Buffer.byteLength(body)}`,
		].join('\r\n');

	const worker = async () =>
		await new Promise<void>((resolve, reject) => {
			const socket = connect({ host: hostname, port: Number(port), noDelay: true });
			let received = '';
			const post = () => {
				const one = posts[next++];
				if (one === undefined) {
					socket.end();
					resolve();
					return;
				}
				socket.write(`${head(one)}\r\n\r\n${one.body}`);
			};
			socket.setEncoding('latin1');
			socket.once('connect', post);
			socket.once('error', reject);
			socket.on('data', (chunk: string) => {
				received += chunk;
				const headEnd = received.indexOf('\r\n\r\n');
				if (headEnd === -1) return;
				const length = /content-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1];
				if (length === undefined) return void reject(new Error('An answer without its length'));
				if (received.length < headEnd + 4 + Number(length)) return;
				const status = received.slice(9, 12);
				statuses.set(status, (statuses.get(status) ?? 0) + 1);
				received = '';
				post();
			});
		});
	await Promise.all(Array.from({ length: connections }, worker));
	return statuses;
}
