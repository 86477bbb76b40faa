import { join } from 'node:path';

/** The root of the repository. */
export const ROOT = join(__dirname, '..');

const PLAYGROUND = join(ROOT, '.playground');

/** Where n8n and its Node are installed, once for all data folders; nothing of the user is in it. */
export const INSTALL_FOLDER = join(PLAYGROUND, 'install');

/** Where `npm start` keeps the account, the workflows and the logs. */
export const DATA_FOLDER = join(PLAYGROUND, 'data');

/** Where `npm run start:queue` keeps the same, and its database. */
export const QUEUE_DATA_FOLDER = join(PLAYGROUND, 'queue');

/** The files of one data folder. */
export const dataFiles = (dataFolder: string) => ({
	/** The log-in and the sandbox's key pair, readable by their owner only. */
	account: join(dataFolder, 'account.json'),
	/** The addresses that are registered with the sandbox, with their signing secrets. */
	registrations: join(dataFolder, 'registrations.json'),
	/** What n8n calls its user folder: it keeps everything in `.n8n` below it. */
	userFolder: join(dataFolder, 'n8n'),
	/** Where n8n looks for community packages. */
	communityNodes: join(dataFolder, 'n8n', '.n8n', 'nodes'),
	/** The packed package as it was last installed. */
	package: join(dataFolder, 'package'),
	n8nLog: join(dataFolder, 'n8n.log'),
	/** What n8n's database and queue are opened with, where they are servers of their own. */
	keys: join(dataFolder, 'keys.json'),
	postgres: join(dataFolder, 'postgres'),
	redis: join(dataFolder, 'redis'),
});
