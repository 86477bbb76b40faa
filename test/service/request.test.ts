import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { sendRequest } from '../../nodes/TwoWayMessaging/service/request';
import { TestService } from '../support/service';
import { startStub } from '../support/stub';
import { fastMemory } from '../support/testClock';
import { connectionTo } from './context';

const SEND = { method: 'POST', path: '/v1/send-message' } as const;

/** What Node throws: its code, and the system call in which it happened. */
const broken = (code: string, syscall?: string) =>
	Object.assign(new Error('broken'), { code, ...(syscall && { syscall }) });

/** What n8n's request function throws for it. */
const thrownFor = (cause: Error & { code?: string }) =>
	Object.assign(new Error('request failed', { cause }), { code: cause.code });

const REFUSED = broken('ECONNREFUSED', 'connect');

test.each([
	['unsent', 'the connection was refused', REFUSED],
	['unsent', 'the network was out of reach', broken('ENETUNREACH', 'connect')],
	['unsent', 'the host has no such name', broken('ENOTFOUND', 'getaddrinfo')],
	['unsent', 'the connection took too long to make', broken('ETIMEDOUT', 'connect')],
	[
		'unsent',
		'no address of the host took the connection',
		Object.assign(new AggregateError([REFUSED, broken('ETIMEDOUT', 'connect')]), {
			code: 'ECONNREFUSED',
		}),
	],
	['unsent', 'a proxy says so without the system call', broken('ECONNREFUSED')],
	['unsent', 'the certificate was not accepted', broken('CERT_HAS_EXPIRED')],
	['unanswered', 'the connection was reset', broken('ECONNRESET', 'read')],
	['unanswered', 'the host went away while it was read', broken('EHOSTUNREACH', 'read')],
	['unanswered', 'the network went away while it was written', broken('ENETUNREACH', 'write')],
	['unanswered', 'the time was over', broken('ECONNABORTED')],
	['unanswered', 'the protocol broke later', broken('EPROTO', 'write')],
	['unanswered', 'nobody knows why', broken('')],
])('a request is known to be %s where %s', async (kind, _, cause) => {
	const { connection } = await connectionTo(() => {
		throw thrownFor(cause);
	});
	expect((await sendRequest(connection, SEND)).kind).toBe(kind);
});

test('an answer that dribbles ends with its time, and gives its place in the lane back', async () => {
	const dribble = async function* () {
		for (;;) yield await pause(20, ' ');
	};
	const { url, stop } = await startStub(() => ({ body: Readable.from(dribble()) }));
	const service = await TestService.start({ memory: fastMemory(200) });
	const engine = service.engineWith(service.credential({ baseUrl: url }));
	const parameters = { resource: 'line', operation: 'getMany' };
	const runs = Promise.all([1, 2].map(async () => await service.run({ parameters }, engine)));
	const ended = await Promise.race([runs, pause(8_000, undefined, { ref: false })]);
	await stop();
	await service.stop();
	expect(ended?.map((run) => run.nodeError('Node')?.message)).toEqual(
		Array(2).fill('The service gave no answer'),
	);
}, 15_000);
