import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

afterAll(() => {
	for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Makes an empty folder, which is removed after the last test of the file. */
export const temporaryFolder = (): string => {
	const folder = mkdtempSync(join(tmpdir(), 'two-way-messaging-test-'));
	folders.push(folder);
	return folder;
};
