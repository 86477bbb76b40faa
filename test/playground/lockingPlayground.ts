/**
 * A process that locks a folder and stays until it is killed, as a playground does. Its arguments: the folder, the phone's
 * URL, and for how many milliseconds a child of it keeps the lock as its n8n would, whatever becomes of this process.
 */
import { spawn } from 'node:child_process';
import { lockDataFolder } from '../../playground/lockDataFolder';

const [folder = '', phone = '', n8nRunsMs = '0'] = process.argv.slice(2);

const run = async (): Promise<void> => {
	const { fileDescriptor } = await lockDataFolder(folder, phone, () => {});
	if (n8nRunsMs !== '0') {
		const wait = `setTimeout(() => {}, ${n8nRunsMs})`;
		spawn(process.execPath, ['-e', wait], {
			stdio: ['ignore', 'ignore', 'ignore', fileDescriptor],
			detached: true,
		});
	}
	process.send?.('locked');
	setInterval(() => {}, 60_000);
};

run().catch(() => process.send?.('refused'));
