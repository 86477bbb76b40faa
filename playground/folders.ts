import { join } from 'node:path';

/** The root of the repository. */
export const ROOT = join(__dirname, '..');

const PLAYGROUND = join(ROOT, '.playground');

/** Holds the installed n8n and its Node, once for all data folders; nothing of the user is in it. */
export const INSTALL_FOLDER = join(PLAYGROUND, 'install');

/** Holds the account, the workflows and the logs of `npm start`. */
export const DATA_FOLDER = join(PLAYGROUND, 'data');

/** Holds the same for `npm run start:queue`, and its database. */
export const QUEUE_DATA_FOLDER = join(PLAYGROUND, 'queue');

/** Holds the example workflows. */
export const EXAMPLES_FOLDER = join(ROOT, 'workflows');

/** The files of one data folder. */
export const dataFiles = (dataFolder: string) => ({
	/** The log-in and the sandbox's key pair; only their owner can read them. */
	account: join(dataFolder, 'account.json'),
	/** The webhook URLs that are registered with the sandbox, with their signing secrets. */
	registrations: join(dataFolder, 'registrations.json'),
	/** What n8n calls its user folder: it keeps everything in `.n8n` below it. */
	userFolder: join(dataFolder, 'n8n'),
	/** n8n looks for community packages here. */
	communityNodes: join(dataFolder, 'n8n', '.n8n', 'nodes'),
	/** The packed package, as it was last installed. */
	package: join(dataFolder, 'package'),
	n8nLog: join(dataFolder, 'n8n.log'),
	/** In queue mode, the passwords of n8n's database and queue, and n8n's encryption key. */
	keys: join(dataFolder, 'keys.json'),
	postgres: join(dataFolder, 'postgres'),
	redis: join(dataFolder, 'redis'),
});

export type DataFiles = ReturnType<typeof dataFiles>;
