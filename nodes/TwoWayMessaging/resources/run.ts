import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import type { Clock } from '../clock';
import type { ProcessMemory } from '../processMemory';
import { connect, type Caller, type Connection } from '../transport/request';
import { SendingResults } from './sendingResults';

/** What it takes to ask the service for something, in a run of the node or in a request to its webhook. */
export type Asker = {
	caller: Caller;
	clock: Clock;
	/** What the process remembers from run to run. */
	memory: ProcessMemory;
	/** The connection to the service; the credential is read once in a run. */
	connection: () => Promise<Connection>;
	/** What became of the messages that a run of the node sends. */
	results?: SendingResults;
	/**
	 * Called whenever a request goes out that sends a message. What it returns is called when the service has certainly not
	 * accepted the message by this request.
	 */
	watchSend?: () => () => void;
};

/** One run of the node over all its items. */
export type Run = Asker & {
	caller: IExecuteFunctions;
	/**
	 * The value for the key, made once in a run however many items ask for it. It is made again when making it failed.
	 *
	 * ```ts
	 * const lines = await run.once('lines', async () => await readLines(connection));
	 * ```
	 */
	once: <T>(key: string, make: () => Promise<T>) => Promise<T>;
	results: SendingResults;
};

/** The output item of an operation that puts out a file besides its fields. */
export class ItemWithFile {
	constructor(
		readonly json: IDataObject,
		readonly binary: IBinaryKeyData,
	) {}
}

/** The output item of an operation that continues the workflow at the node's second output. */
export class ItemAtSecondOutput {
	constructor(readonly json: IDataObject) {}
}

/** What an operation puts out for an item. */
export type Output = IDataObject | ItemWithFile | ItemAtSecondOutput;

/** What the editor shows of an operation. */
type Panel = {
	/** Value in saved workflows. */
	value: string;
	name: string;
	action: string;
	/** What stands under the node's name on the canvas, where n8n would cut the action off there. */
	subtitle?: string;
	description: string;
	fields: INodeProperties[];
};

/** An operation that does everything about an item in the item's turn. */
type SimpleOperation = Panel & {
	/**
	 * @returns the output items of one input item
	 * @throws NodeApiError or NodeOperationError with the item's number
	 */
	run: (run: Run, itemIndex: number) => Promise<Output[]>;
};

/**
 * An operation that reads all items before it acts on the first one, and waits for all of them at the same time:
 *
 * ```ts
 * const turn = await operation.read(run, itemIndex); // for every item, before the first turn
 * const wait = await turn(); // one item after the other
 * const outputs = await wait(); // side by side
 * ```
 */
export type ListOperation = Panel & {
	/** Whether it sends messages: then a refusal says how many were sent. */
	sends: boolean;
	/** Whether an item that fails keeps the fields of its input item, which say whose it is. */
	keepsFieldsOfFailed?: boolean;
	/**
	 * Reads the fields of an item. Nothing that a customer notices may happen here.
	 *
	 * @throws NodeApiError or NodeOperationError with the item's number where the item cannot be used
	 */
	read: (run: Run, itemIndex: number) => Promise<Turn>;
};

/** What an item does in its turn. */
export type Turn = () => Promise<Wait>;

/** What an item then waits for, side by side with the other items. */
export type Wait = () => Promise<Output[]>;

/** One operation: what the editor shows of it and what it does with an item. */
export type Operation = SimpleOperation | ListOperation;

/** What n8n gets of an output item, linked to the input item that it was made of. */
export function toLinkedItem(output: Output, item: number): INodeExecutionData {
	const pairedItem = { item };
	if (output instanceof ItemWithFile) {
		return { json: output.json, binary: output.binary, pairedItem };
	}
	return { json: output instanceof ItemAtSecondOutput ? output.json : output, pairedItem };
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
		results: new SendingResults(),
		connection: async () => await once('connection', async () => await connect(caller, memory)),
	};
}
