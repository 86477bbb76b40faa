import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { filtersField, readCollection, readSwitch } from '../../fields/readField';
import { readLines, type LineFields } from '../../service/lines';
import { inItsTurn, type Operation } from '../operation';

const onlyActiveFilter: INodeProperties = {
	displayName: 'Only Active',
	name: 'onlyActive',
	type: 'boolean',
	default: true,
	description: 'Whether to leave out lines that the operator has switched off',
};

const onlyUnblockedFilter: INodeProperties = {
	displayName: 'Only Unblocked',
	name: 'onlyUnblocked',
	type: 'boolean',
	default: true,
	description: 'Whether to leave out lines that are blocked at the moment',
};

/** Lists the organization's lines (§4.3). */
export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many lines',
	description: 'List your lines with their state and what is left of their limits',
	fields: [filtersField([onlyActiveFilter, onlyUnblockedFilter])],

	read: inItsTurn(async (item) => {
		const filters = readCollection(item, 'filters');
		const onlyActive = readSwitch(item, onlyActiveFilter, filters, false);
		const onlyUnblocked = readSwitch(item, onlyUnblockedFilter, filters, false);
		const lines = await readLines(item);
		const wanted = lines.filter(
			(line) => (!onlyActive || line.is_active === true) && (!onlyUnblocked || !line.blocked_at),
		);
		return wanted.map((line) => ({ json: toLineItem(line) }));
	}),
};

/** A line as it came (§2.3), with what a person knows it by in the first columns, and its ID in the last. */
export function toLineItem({ line_handle: handle, ...fields }: LineFields): IDataObject {
	const { label, number } = fields;
	return {
		...(label !== undefined && { label }),
		...(number !== undefined && { number }),
		...fields,
		line_handle: handle,
	} as IDataObject;
}
