import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { MESSAGE_FIELDS, type Message } from '../message';
import type { Item } from '../service/request';

/** What an operation puts out for an item, and at which output, counted from 0; at the first one unless it says so. */
export type Output = Pick<INodeExecutionData, 'json' | 'binary'> & { at?: number };

/** One operation: what the editor shows of it and what it does with an item. */
export type Operation = {
	value: string;
	name: string;
	action: string;
	/** What stands under the node's name on the canvas, where n8n would cut the action off there. */
	subtitle?: string;
	description: string;
	fields: INodeProperties[];
	sends?: true;
	/** The fields of an item that failed, before its `error_message`: they say whose it is. */
	fieldsOfFailed?: (item: Item) => Promise<IDataObject>;
	/** Reads the fields of an item, and throws where it cannot be used. Nothing that a customer notices may happen here. */
	read: (item: Item) => Promise<Turn>;
};

/** What an item does in its turn; it gives what the item then waits for. */
export type Turn = () => Promise<() => Promise<Output[]>>;

/** Does everything about an item in the item's turn: it reads nothing before, and waits for nothing then. */
export const inItsTurn =
	(work: (item: Item) => Promise<Output[]>): Operation['read'] =>
	async (item) =>
	async () => {
		const outputs = await work(item);
		return async () => outputs;
	};

/** The item of a message: what a person looks for comes first, and empty fields are left out. */
export function messageItem(message: Message): IDataObject {
	const item: IDataObject = {};
	// Not by lists of its fields: a history has a hundred thousand messages.
	for (const name of MESSAGE_FIELDS)
		if ((message[name] ?? null) !== null) item[name] = message[name];
	return item;
}
