import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadKeys } from '../../../playground/queue/keys';
import { temporaryFolder } from '../../support/temporaryFolder';

let folder: string;

beforeEach(() => {
	folder = temporaryFolder();
});

describe('the keys of a set-up in queue mode', () => {
	test('are drawn once, into a file that only its owner can read', async () => {
		const file = join(folder, 'data', 'keys.json');
		const keys = await loadKeys(file);
		expect(new Set(Object.values(keys)).size).toBe(3);
		expect(await loadKeys(file)).toEqual(keys);
		expect((await stat(file)).mode & 0o777).toBe(0o600);
		expect(await loadKeys(join(folder, 'other.json'))).not.toEqual(keys);
	});

	test.each(['', '{}', 'null', '{"encryptionKey":1}'])(
		'are refused when their file holds %j, and the refusal says how to start over',
		async (text) => {
			const file = join(folder, 'keys.json');
			await writeFile(file, text);
			await expect(loadKeys(file)).rejects.toThrow(
				/Start over with: npm run start:queue -- --fresh/,
			);
		},
	);
});
