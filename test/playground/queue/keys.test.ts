import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keysOf } from '../../../playground/queue/keys';

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'keys-'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

describe('the keys of a set-up in queue mode', () => {
	test('are drawn once, and readable by their owner only', async () => {
		const file = join(folder, 'data', 'keys.json');
		const keys = await keysOf(file);
		expect(new Set(Object.values(keys)).size).toBe(3);
		expect(await keysOf(file)).toEqual(keys);
		expect((await stat(file)).mode & 0o777).toBe(0o600);
		expect(await keysOf(join(folder, 'other.json'))).not.toEqual(keys);
	});

	test.each(['', '{}', 'null', '{"encryptionKey":1}'])(
		'a file that holds %j instead is told, with how to begin anew',
		async (text) => {
			const file = join(folder, 'keys.json');
			await writeFile(file, text);
			await expect(keysOf(file)).rejects.toThrow(/Begin anew with: npm run start:queue -- --fresh/);
		},
	);
});
