import type { INodeProperties } from 'n8n-workflow';
import { get as getLine } from './line/get';
import { getMany as getManyLines } from './line/getMany';
import { download } from './media/download';
import { upload } from './media/upload';
import { getConversation } from './message/getConversation';
import { getMany as getManyMessages } from './message/getMany';
import { getStatus } from './message/getStatus';
import { reply } from './message/reply';
import { send } from './message/send';
import { sendAndWait } from './message/sendAndWait';
import { lookup } from './number/lookup';

/** What the node can do: the dropdowns and the dispatch both read this table. */
const RESOURCES = [
	{ value: 'line', name: 'Line', operations: [getLine, getManyLines], defaultOperation: 'getMany' },
	{ value: 'media', name: 'Media', operations: [download, upload], defaultOperation: 'upload' },
	{
		value: 'message',
		name: 'Message',
		operations: [getConversation, getManyMessages, getStatus, reply, send, sendAndWait],
		defaultOperation: 'send',
	},
	{ value: 'number', name: 'Phone Number', operations: [lookup], defaultOperation: 'lookup' },
];

/** The node's fields: the two dropdowns, and behind them each operation's own. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		default: 'message',
		options: RESOURCES.map(({ name, value }) => ({ name, value })),
	},
	...RESOURCES.map(({ value: resource, operations, defaultOperation }): INodeProperties => ({
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		default: defaultOperation,
		options: operations.map(({ name, value, action, description }) => {
			return { name, value, action, description };
		}),
	})),
	...RESOURCES.flatMap(({ value: resource, operations }) =>
		operations.flatMap(({ value: operation, fields }) =>
			fields.map(({ displayOptions, ...field }) => {
				const show = { ...displayOptions?.show, resource: [resource], operation: [operation] };
				return { ...field, displayOptions: { ...displayOptions, show } };
			}),
		),
	),
];

/** The operations by what saved workflows name: the resource and the operation. */
export const OPERATIONS = new Map(
	RESOURCES.flatMap(({ value: resource, operations }) =>
		operations.map((operation) => [`${resource} ${operation.value}`, operation] as const),
	),
);

const ACTIONS = Object.fromEntries(
	[...OPERATIONS].map(([name, { action, subtitle }]) => [name, subtitle ?? action]),
);

/** What stands under the node's name on the canvas: what it does, as the list of actions says it or shorter. */
export const actionName = `={{ (${JSON.stringify(ACTIONS)})[$parameter["resource"] + " " + $parameter["operation"]] }}`;
