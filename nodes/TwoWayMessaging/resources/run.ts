import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { connect, type Connection } from '../transport/request';

/** One run of the node over all its items. */
export type Run = {
	caller: IExecuteFunctions;
	/** Who asks the service; the credential is read once a run. */
	connection: () => Promise<Connection>;
	/** The value made for the key before in this run, or a new one; what broke is made again. */
	once: <T>(key: string, make: () => Promise<T>) => Promise<T>;
};

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
	run: (run: Run, itemIndex: number) => Promise<IDataObject[]>;
};

/** Begins a run. */
export function startRun(caller: IExecuteFunctions): Run {
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
		once,
		connection: async () => await once('connection', async () => await connect(caller)),
	};
}
