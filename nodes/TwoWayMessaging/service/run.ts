import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../clock';
import type { ProcessMemory } from '../processMemory';
import { connect, type Connection } from './request';

/** One run of the node over all its items. */
export type Run = {
	context: IExecuteFunctions;
	clock: Clock;
	memory: ProcessMemory;
	/** The connection to the service; the credential is read once in a run. */
	connection: () => Promise<Connection>;
	/** The value for the key, made once in a run however many items ask for it. It is made again when making it failed. */
	once: <T>(key: string, make: () => Promise<T>) => Promise<T>;
	/** What a person is told at the output besides the items. */
	notes: Set<string>;
};

/** One item of a run: what reads its fields and acts for it. */
export type Item = Run & { itemIndex: number };

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
	return {
		context,
		clock: memory.clock,
		memory,
		once,
		notes: new Set(),
		connection: async () => await once('connection', async () => await connect(context, memory)),
	};
}
