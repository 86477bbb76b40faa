import type { IAllExecuteFunctions, IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../clock';
import type { ProcessMemory } from '../processMemory';
import { connect, type Connection } from './request';

/** Everything that a request to the service needs, in a run of the node or in a request to its webhook. */
export type Asker = {
	context: IAllExecuteFunctions;
	clock: Clock;
	/** What the process remembers from run to run. */
	memory: ProcessMemory;
	/** The connection to the service; the credential is read once in a run. */
	connection: () => Promise<Connection>;
};

/** One run of the node over all its items. */
export type Run = Omit<Asker, 'context'> & {
	context: IExecuteFunctions;
	/**
	 * The value for the key, made once in a run however many items ask for it. It is made again when making it failed.
	 */
	once: <T>(key: string, make: () => Promise<T>) => Promise<T>;
	/** What a person is told at the output besides the items. */
	notes: Set<string>;
	waited: NonNullable<Connection['waited']>;
};

/** Begins a run of the node. */
export function startRun(context: IExecuteFunctions, memory: ProcessMemory): Run {
	const made = new Map<string, Promise<unknown>>();
	async function once<T>(key: string, make: () => Promise<T>): Promise<T> {
		let value = made.get(key) as Promise<T> | undefined;
		if (!value) {
			value = make();
			made.set(key, value);
			value.catch(() => made.delete(key));
		}
		return await value;
	}
	const waited = { ms: 0 };
	return {
		context,
		clock: memory.clock,
		memory,
		once,
		waited,
		notes: new Set(),
		connection: async () =>
			await once('connection', async () => ({ ...(await connect(context, memory)), waited })),
	};
}
