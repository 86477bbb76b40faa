import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { checkPort, checkSpace, freePort } from '../../playground/machine';

test.each(['127.0.0.1', '0.0.0.0'])(
	'a port that is in use on %s is refused, and the refusal names the option for another',
	async (host) => {
		const server = createServer();
		const port = await freePort();
		await expect(checkPort(port, 'n8n', '--n8n-port')).resolves.toBeUndefined();
		await new Promise<void>((resolve) => server.listen(port, host, resolve));
		const refusal = `Port ${port}, which the sandbox needs, is already in use[^]*npm start -- --port \\d+`;
		await expect(checkPort(port, 'the sandbox', '--port')).rejects.toThrow(new RegExp(refusal));
		await new Promise((resolve) => server.close(resolve));
	},
);

test('a disk without enough space is refused, and the refusal says how much is free and needed', async () => {
	await expect(checkSpace(tmpdir(), 1)).resolves.toBeUndefined();
	await expect(checkSpace(tmpdir(), 9e18)).rejects.toThrow(
		/The disk has [\d.]+ GB left, and the playground needs 9000000000\.0 GB\.\nFree some space/,
	);
});
