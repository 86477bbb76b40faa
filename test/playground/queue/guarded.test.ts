import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FolderLock } from '../../../playground/folderLock';
import { startGuarded } from '../../../playground/queue/guarded';
import { waitUntil } from '../../support/waitUntil';
import { temporaryFolder } from '../../support/temporaryFolder';

const folder = temporaryFolder();
const logFile = join(folder, 'server.log');
const SERVER = 'console.log(process.pid); setTimeout(() => {}, 20_000)';

describe('A server of queue mode', () => {
	test('keeps the data folder locked until it has ended itself, also when its guard was killed', async () => {
		const lock = FolderLock.tryTake(folder)!;
		const guard = startGuarded({ name: 'Server', logFile, folder }, lock, [
			process.execPath,
			'-e',
			SERVER,
		]);
		const server = await waitUntil(
			'the server',
			async () => Number(readFileSync(logFile, 'utf8')) || undefined,
		);
		lock.release();
		process.kill(guard.pid!, 'SIGKILL');
		await guard.ended;
		try {
			expect(FolderLock.tryTake(folder)).toBeUndefined();
		} finally {
			process.kill(server, 'SIGKILL');
		}
		const taken = await waitUntil('the lock', async () => FolderLock.tryTake(folder));
		taken.release();
	});
});
