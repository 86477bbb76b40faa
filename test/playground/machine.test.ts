import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { checkPort, checkSpace, freePort } from '../../playground/machine';

describe('a port', () => {
	test('that is free is accepted', async () => {
		await expect(checkPort(await freePort(), 'n8n', '--n8n-port')).resolves.toBeUndefined();
	});

	test.each(['127.0.0.1', '0.0.0.0'])(
		'that is taken on %s is refused with the option that gives another',
		async (host) => {
			const server = createServer();
			const port = await freePort();
			await new Promise<void>((resolve) => server.listen(port, host, resolve));
			await expect(checkPort(port, 'the sandbox', '--port')).rejects.toThrow(
				new RegExp(
					`Port ${port}, which the sandbox needs, is already in use[^]*npm start -- --port \\d+`,
				),
			);
			await new Promise((resolve) => server.close(resolve));
		},
	);
});

describe('the disk', () => {
	test('with room enough is accepted', async () => {
		await expect(checkSpace(tmpdir(), 1)).resolves.toBeUndefined();
	});

	test('without enough room is refused with how much there is and how much is needed', async () => {
		await expect(checkSpace(tmpdir(), 9e18)).rejects.toThrow(
			/The disk has [\d.]+ GB left, and the playground needs 9000000000\.0 GB\.\nFree some space/,
		);
	});
});
