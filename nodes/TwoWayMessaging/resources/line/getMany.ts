import { readCollection } from '../../parameterValues';
import { readLines } from '../../transport/readLines';
import { readSwitch } from '../choiceField';
import { filtersField } from '../collectionFields';
import type { Operation } from '../run';
import { toLineItem } from './lineItem';

/** Lists the organization's lines (§4.3). */
export const getMany: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many lines',
	description: 'List your lines with their state and what is left of their limits',
	fields: [
		filtersField([
			{
				displayName: 'Only Active',
				name: 'onlyActive',
				type: 'boolean',
				default: true,
				description: 'Whether to leave out lines that the operator has switched off',
			},
			{
				displayName: 'Only Unblocked',
				name: 'onlyUnblocked',
				type: 'boolean',
				default: true,
				description: 'Whether to leave out lines that are blocked at the moment',
			},
		]),
	],

	async run(run, itemIndex) {
		const filters = readCollection(run.caller, 'filters', itemIndex);
		const isOn = (name: 'onlyActive' | 'onlyUnblocked', label: string) =>
			readSwitch(run, filters[name], { label, fallback: false, itemIndex });
		const onlyActive = isOn('onlyActive', 'Only Active');
		const onlyUnblocked = isOn('onlyUnblocked', 'Only Unblocked');
		const lines = await readLines(await run.connection(), itemIndex);
		const wanted = lines.filter(
			(line) => (!onlyActive || line.is_active === true) && (!onlyUnblocked || !line.blocked_at),
		);
		return wanted.map(toLineItem);
	},
};
