import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import type { Clock } from '../clock';
import type { ProcessMemory } from '../processMemory';
import { connect, type Connection } from '../transport/request';

/** One run of the node over all its items. */
export type Run = {
	caller: IExecuteFunctions;
	clock: Clock;
	/** What the process remembers from run to run. */
	memory: ProcessMemory;
	/** The connection to the service; the credential is read once in a run. */
	connection: () => Promise<Connection>;
	/**
	 * The value for the key, made once in a run however many items ask for it. It is made again when making it failed.
	 *
	 * ```ts
	 * const lines = await run.once('lines', async () => await readLines(connection));
	 * ```
	 */
	once: <T>(key: string, make: () => Promise<T>) => Promise<T>;
};

/** The output item of an operation that puts out a file besides its fields. */
export class ItemWithFile {
	constructor(
		readonly json: IDataObject,
		readonly binary: IBinaryKeyData,
	) {}
}

/** One operation: what the editor shows of it and what it does with an item. */
export type Operation = {
	/** Value in saved workflows. */
	value: string;
	name: string;
	action: string;
	description: string;
	fields: INodeProperties[];
	/**
	 * @returns the output items of one input item
	 * @throws NodeApiError or NodeOperationError with the item's number
	 */
	run: (run: Run, itemIndex: number) => Promise<Array<IDataObject | ItemWithFile>>;
};

/** What n8n gets of an output item, linked to the input item that it was made of. */
export function toLinkedItem(output: IDataObject | ItemWithFile, item: number): INodeExecutionData {
	const pairedItem = { item };
	if (!(output instanceof ItemWithFile)) return { json: output, pairedItem };
	return { json: output.json, binary: output.binary, pairedItem };
}

/** Begins a run of the node. */
export function startRun(caller: IExecuteFunctions, memory: ProcessMemory): Run {
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
		caller,
		clock: memory.clock,
		memory,
		once,
		connection: async () => await once('connection', async () => await connect(caller, memory)),
	};
}
