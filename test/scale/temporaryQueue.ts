import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../playground/machine';
import {
	removeData,
	startQueuePlayground,
	type QueuePlayground,
} from '../../playground/queue/playground';
import type { WorkflowFile } from '../../playground/rest';
import { NO_REQUEST_LIMITS, type SandboxOptions } from '../../sandbox/src';

/** A playground in queue mode on free ports and with its own data folder. */
export type TemporaryQueue = QueuePlayground & {
	/** How many executions each worker has started since its first start. */
	executionsStarted(): Promise<number[]>;
	/** Stops it and removes its data folder. */
	removeAll(): Promise<void>;
};

/** Starts a playground in queue mode with these workflows, and without request limits. */
export const startTemporaryQueue = async (
	workflows: WorkflowFile[],
	sandboxOptions: SandboxOptions = {},
): Promise<TemporaryQueue> => {
	const dataFolder = await mkdtemp(join(tmpdir(), 'two-way-messaging-scale-'));
	const folder = join(dataFolder, 'workflows');
	await mkdir(folder);
	for (const workflow of workflows) {
		await writeFile(join(folder, `${workflow.id}.json`), JSON.stringify(workflow));
	}
	const playground = await startQueuePlayground({
		sandboxPort: await freePort(),
		n8nPort: await freePort(),
		dataFolder,
		workflows: folder,
		sandboxOptions: { requestLimits: NO_REQUEST_LIMITS, ...sandboxOptions },
		n8nEnvironment: {
			// An event costs a quarter of what it costs with the default engine, which leaves time for thousands of them.
			N8N_EXPRESSION_ENGINE: 'legacy',
			// n8n notices a dead worker after seconds and not after a minute.
			QUEUE_WORKER_LOCK_DURATION: '10000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
			QUEUE_WORKER_STALLED_INTERVAL: '5000',
		},
		log: (line, kind) => kind !== 'passing' && process.stderr.write(`${line}\n`),
	});
	return {
		...playground,
		executionsStarted: async () =>
			await Promise.all(
				playground.workers.map(async ({ logs }) => {
					const texts = await Promise.all(logs.map(async (log) => await readFile(log, 'utf8')));
					return texts.join('').split('Worker started execution').length - 1;
				}),
			),
		removeAll: async () => {
			await playground.stop();
			await removeData(dataFolder);
		},
	};
};
